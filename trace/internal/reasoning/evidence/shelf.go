package evidence

import (
	"cmp"
	"slices"

	"github.com/cupel-dev/cupel/internal/digest"
	"github.com/cupel-dev/cupel/trace/internal/reasoning/format"
)

// content is a file's content, for citations.
type content struct {
	size int64
	sum  digest.Sum
	data []byte // nil: it was not kept
}

// span returns the hash of a range. known is false if the file must be read again.
func (c *content) span(s format.Span) (sum digest.Sum, known bool) {
	switch {
	case s.From == 0 && s.To == c.size:
		return c.sum, true
	case c.data != nil && s.To <= int64(len(c.data)):
		return digest.Of(c.data[s.From:s.To]), true
	}
	return sum, false
}

// shelf caches recent small evidence files: most claims cite recent evidence, and reopening files is expensive.
type shelf struct {
	list []shelfEntry // their numbers rising; those before first were dropped
	from int
	size int // of all that is kept
}

type shelfEntry struct {
	number uint32
	content
}

const (
	shelfBytes = 1 << 20 // that a shelf keeps
	bookBytes  = 128     // overhead of a small content
)

func (s *shelfEntry) weight() int { return len(s.data) + bookBytes }

// put stores the content of the evidence with the highest number so far.
func (s *shelf) put(number uint32, c content) {
	if c.data == nil {
		return
	}
	s.list = append(s.list, shelfEntry{number, c})
	s.size += s.list[len(s.list)-1].weight()
	for ; s.size > shelfBytes; s.from++ {
		s.size -= s.list[s.from].weight()
		s.list[s.from] = shelfEntry{}
	}
	if s.from > len(s.list)/2 {
		s.list, s.from = slices.Delete(s.list, 0, s.from), 0
	}
}

// numbered returns the content of an evidence, or nil if it is not stored.
func (s *shelf) numbered(number uint32) *content {
	kept := s.list[s.from:]
	at, found := slices.BinarySearchFunc(kept, number, func(e shelfEntry, number uint32) int { return cmp.Compare(e.number, number) })
	if !found {
		return nil
	}
	return &kept[at].content
}
