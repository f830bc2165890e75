package secrets

import (
	"bytes"
	"cmp"
	"slices"

	"github.com/cupel-dev/cupel/internal/secrets/layer"
	"github.com/cupel-dev/cupel/internal/secrets/personal"
)

// Hit is one finding: the bytes of a text that are to be hidden.
type Hit struct {
	Start, End int
	Rule       string // the id of a rule of the set
	Class      Class
	With       string // what stands for the bytes; "" for a secret or personal data: three stars

	loose bool // the rule knows the place and not the form of the value
}

// part is where the bytes of a text are in what was joined.
type part struct{ text, from, start, end int }

// Stars stand for what is hidden (ADR-006 §2).
const Stars = "***"

// MostDepth is how many encodings inside each other are read.
const MostDepth = 4

// Scanner finds secrets in texts and reuses its memory: a text in which nothing is found costs no
// allocation. It is not safe for concurrent use; give each worker one.
type Scanner struct {
	set  *Set
	hits []Hit

	plain   layer.View
	views   [MostDepth]layer.View // what is decoded, by depth
	blobs   [MostDepth]layer.View // runs that are decoded
	buffers [MostDepth][]byte
	passes  passes
	joined  []byte
	at      []int32
	breaks  []int
	parts   []part // of texts that are read one after another
	command []byte
	out     []byte
	before  []byte
}

// NewScanner returns a scanner.
func NewScanner(set *Set) *Scanner {
	s := &Scanner{set: set}
	s.passes.scanner = s
	s.passes.found = s.passes.keyword
	return s
}

// Scan returns what is found in a text: in order, without overlaps, valid until the next call. A text
// is unescaped UTF-8, shorter than 2 GiB; other bytes are skipped. Where findings overlap, the bytes of
// all are one hit, under the rule of the highest class and of these of the first.
func (s *Scanner) Scan(text []byte) []Hit {
	s.hits = s.hits[:0]
	s.plain = layer.Plain(text)
	s.layers(&s.plain, 0)
	s.hits = s.merge()
	return s.hits
}

// layers looks at a view, and at what is encoded in it.
func (s *Scanner) layers(v *layer.View, depth int) {
	s.passes.look(v)
	if depth == MostDepth {
		return
	}
	s.lines(v)
	layer.Runs(v.Text, &s.buffers[depth], func(decoded []byte, start, end int) {
		s.blobs[depth] = v.Blob(decoded, start, end)
		s.layers(&s.blobs[depth], depth+1)
	})
	if v.Decode(&s.views[depth]) {
		s.layers(&s.views[depth], depth+1)
	}
}

// Bounds of tokens that are broken by the end of a line.
const (
	leastJoined = 20
	mostJoined  = 4096
)

// lines looks at tokens that go on in the next line.
func (s *Scanner) lines(v *layer.View) {
	text := v.Text
	for at := 0; ; {
		n := bytes.IndexByte(text[at:], '\n')
		if n < 0 {
			return
		}
		at += n + 1
		if stop := s.line(v, at); stop > at {
			at = stop
		}
	}
}

// line looks at the token round the line break that ends at i, and returns where that token ends.
func (s *Scanner) line(v *layer.View, i int) (stop int) {
	text := v.Text
	left := breakStart(text, i)
	if left == 0 || !tokenByte(text[left-1]) || i == len(text) || !tokenByte(text[i]) {
		return i
	}
	start := left
	for start > 0 && left-start < mostJoined && tokenByte(text[start-1]) {
		start--
	}
	s.joined, s.at = s.joined[:0], s.at[:0]
	digit, small := false, false
	s.breaks = s.breaks[:0]
	for stop = start; stop < len(text) && stop-start < mostJoined; {
		if tokenByte(text[stop]) {
			digit = digit || text[stop] >= '0' && text[stop] <= '9'
			small = small || text[stop] >= 'a' && text[stop] <= 'z'
			s.joined, s.at = append(s.joined, text[stop]), append(s.at, int32(stop))
			stop++
			continue
		}
		next := breakEnd(text, stop)
		if next == stop || next == len(text) || !tokenByte(text[next]) {
			break
		}
		s.breaks = append(s.breaks, len(s.joined))
		stop = next
	}
	if !digit && small || len(s.joined) < leastJoined {
		return stop
	}
	s.passes.joined(v, s.joined, s.at, s.breaks)
	return stop
}

// breakStart returns where the line break that ends at i begins, with the sign of a soft break.
func breakStart(text []byte, i int) int {
	i--
	if i > 0 && text[i-1] == '\r' {
		i--
	}
	if i > 0 && (text[i-1] == '=' || text[i-1] == '\\') {
		i--
	}
	return i
}

// breakEnd returns the end of the line break at i, i when there is none.
func breakEnd(text []byte, i int) int {
	j := i
	if j < len(text) && (text[j] == '=' || text[j] == '\\') {
		j++
	}
	if j < len(text) && text[j] == '\r' {
		j++
	}
	if j < len(text) && text[j] == '\n' {
		return j + 1
	}
	return i
}

func tokenByte(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_' || c == '-' || c == '.'
}

// merge sorts the hits and joins those that overlap.
func (s *Scanner) merge() []Hit {
	if len(s.hits) < 2 {
		return s.hits
	}
	slices.SortStableFunc(s.hits, func(a, b Hit) int { return cmp.Or(cmp.Compare(a.Start, b.Start), cmp.Compare(b.End, a.End)) })
	merged := s.hits[:1]
	for _, h := range s.hits[1:] {
		last := &merged[len(merged)-1]
		if h.Start >= last.End {
			merged = append(merged, h)
			continue
		}
		start, end := last.Start, max(last.End, h.End)
		if h.Class > last.Class || h.Class == last.Class && last.loose && !h.loose {
			*last = h
		}
		last.Start, last.End = start, end
	}
	return merged
}

// Apply appends a text to dst with what stands for each hit.
func Apply(dst, text []byte, hits []Hit, with func(h *Hit, hidden []byte) string) []byte {
	at := 0
	for i := range hits {
		h := &hits[i]
		dst = append(dst, text[at:h.Start]...)
		switch {
		case h.With != "":
			dst = append(dst, h.With...)
		case with != nil:
			dst = append(dst, with(h, text[h.Start:h.End])...)
		default:
			dst = append(dst, Stars...)
		}
		at = h.End
	}
	return append(dst, text[at:]...)
}

// maskedRound is how far round a place values are masked, in bytes.
const maskedRound = 4096

// Masked returns a text for an excerpt round the place i: the ASCII letters of what gives access are stars there,
// so that every byte keeps its place. It is the text itself when there is nothing to mask.
func Masked(text []byte, i int) []byte {
	set, err := Credentials()
	if err != nil {
		return nil
	}
	low, high := max(0, min(i, len(text))-maskedRound), min(len(text), max(i, 0)+maskedRound)
	hits := NewScanner(set).Scan(text[low:high])
	if len(hits) == 0 {
		return text
	}
	masked := bytes.Clone(text)
	for _, h := range hits {
		for j := low + h.Start; j < low+h.End; j++ {
			if c := masked[j]; c > ' ' && c < 0x7f && c != '"' {
				masked[j] = '*'
			}
		}
	}
	return masked
}

// Personal returns the kinds of personal data that the set looks for.
func (s *Set) Personal() personal.Kind { return s.options.Personal }
