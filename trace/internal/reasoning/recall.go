package reasoning

import (
	"fmt"
	"sort"
	"sync"

	"github.com/cupel-dev/cupel/trace/internal/reasoning/format"
	"github.com/cupel-dev/cupel/trace/internal/stream"
)

// recaller rereads lines for findings of a replay. It caches the last one, because a line often has several
// findings.
type recaller struct {
	read  func(offset int64, size int) ([]byte, error)
	block *format.Block // whose lines are asked for

	mu   sync.Mutex
	last stream.Line
	err  error // the first of reading
}

// line returns a line of the block with its bytes, or without after an error.
func (r *recaller) line(l stream.Line) stream.Line {
	if l.Bytes != nil {
		return l
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.last.Number == l.Number {
		return r.last
	}
	if r.err != nil {
		return l
	}
	text, err := r.read(l.Offset, int(l.Size))
	if err == nil && !r.known(l.Number, text) {
		err = changed(l.Number)
	}
	if err != nil {
		r.err = err
		return l
	}
	l.Bytes = text
	r.last = l.Indexed()
	return r.last
}

// all rereads the block's lines, adjacent ones together.
func (r *recaller) all() error {
	for rest := r.block.Records; len(rest) > 0; {
		first := rest[0].Line.Offset
		end, n := first, 0
		for ; n < len(rest) && rest[n].Line.Offset-end <= nearby && end-first < linesBlock; n++ {
			end = rest[n].Line.Offset + rest[n].Line.Size
		}
		text, err := r.read(first, int(end-first))
		if err != nil {
			return err
		}
		for i := range rest[:n] {
			l := rest[i].Line
			at := l.Offset - first
			if !r.block.Again(&rest[i], text[at:at+l.Size:at+l.Size]) {
				return changed(l.Number)
			}
		}
		rest = rest[n:]
	}
	return nil
}

// nearby is how many unneeded bytes are read to save a call.
const nearby = 4 << 10

func changed(number int) error {
	return fmt.Errorf("line %d has changed since the log was summarized", number)
}

// known reports whether a line of the block already has its bytes.
func (r *recaller) known(number int, text []byte) bool {
	list := r.block.Records
	i := sort.Search(len(list), func(i int) bool { return list[i].Line.Number >= number })
	return i < len(list) && list[i].Line.Number == number && list[i].Check == format.CheckOf(text)
}
