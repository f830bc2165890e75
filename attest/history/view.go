package history

import (
	"errors"
	"io"
	"io/fs"
	"strings"

	"github.com/cupel-dev/cupel/internal/door"
	"github.com/cupel-dev/cupel/internal/source"
)

// view is what has been read of a file: of each assertion its scores, each of which leads to
// the one before.
type view struct {
	file    door.File // nil: nothing has been read
	from    int64     // the first byte that was read
	next    int64     // the first one that was not
	latest  map[string]int32
	entries []entry
}

type entry struct {
	score  float64
	before int32 // index of the entry before of the same assertion, -1 for none
}

// last returns the last scores of an assertion, the oldest first.
func (v *view) last(key string, n int) []float64 {
	at, known := v.latest[key]
	if !known {
		return nil
	}
	count := 0
	for i := at; i >= 0 && count < n; i = v.entries[i].before {
		count++
	}
	scores := make([]float64, count)
	for i := at; count > 0; i = v.entries[i].before {
		count--
		scores[count] = v.entries[i].score
	}
	return scores
}

func (v *view) add(key string, score float64) {
	before, known := v.latest[key]
	if !known {
		before, key = -1, strings.Clone(key)
	}
	v.latest[key] = int32(len(v.entries))
	v.entries = append(v.entries, entry{score, before})
}

// reset forgets what was read; the reading begins anew at a place.
func (v *view) reset(file door.File, from int64) {
	*v = view{file: file, from: from, next: from, latest: map[string]int32{}}
}

// refresh reads what has been added to the file since the last time: of another file in its
// place all, but no more than the newest bytes that a file keeps.
func (s *Store) refresh() error {
	v := &s.view
	file, err := s.ledger.Read(v.file)
	if err != nil {
		v.reset(nil, 0)
		if errors.Is(err, fs.ErrNotExist) {
			return nil // somebody has removed it
		}
		return err
	}
	info, err := file.Stat()
	if err != nil {
		return err
	}
	size := info.Size()
	if file != v.file || size < v.next || v.next-v.from > 2*s.max {
		v.reset(file, max(0, size-s.max))
		if err := s.check(file, size); err != nil {
			return err
		}
	}
	if size == v.next {
		return nil
	}
	damaged, err := v.read(size)
	if damaged > 0 {
		s.log.Warn("the history has lines that are no scores; they are passed over", "history", s.name, "count", damaged)
	}
	return err
}

// read takes over the lines up to a size. The last one is left for another time unless it has
// ended, and the first one is passed over when it may have begun earlier.
func (v *view) read(size int64) (damaged int, err error) {
	base, scanner := v.next, newScanner()
	cut := base > 0 && base == v.from
	for line, err := range source.NewReader(io.NewSectionReader(v.file, base, size-base), maxLine).All() {
		if err != nil {
			return damaged, err
		}
		if !line.Terminated {
			break
		}
		v.next = base + line.Offset + line.Size + 1
		if line.CR {
			v.next++
		}
		if cut || line.Blank() || string(line.Bytes) == schema {
			cut = false
			continue
		}
		key, score, ok := decode(scanner, line.Bytes)
		if !ok || line.Long {
			damaged++
			continue
		}
		v.add(key, score)
	}
	return damaged, nil
}
