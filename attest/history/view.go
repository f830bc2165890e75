package history

import (
	"strings"

	"github.com/cupel-dev/cupel/internal/journal"
	"github.com/cupel-dev/cupel/internal/strictjson"
)

// view is the content of a file, with linked lists of scores per assertion. It implements journal.Reader.
type view struct {
	journal.View
	scanner *strictjson.Scanner
	latest  map[string]int32
	entries []entry
}

type entry struct {
	score  float64
	before int32 // previous entry of the same assertion, or -1
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

func (v *view) Reset() { v.latest, v.entries = map[string]int32{}, nil }

func (v *view) Take(line []byte, _ int64) (ok bool) {
	key, score, ok := decode(v.scanner, line)
	if ok {
		v.add(key, score)
	}
	return ok
}

// refresh reads the lines added since the last call.
func (s *Store) refresh() error {
	s.view.scanner = newScanner()
	damaged, err := s.file.Refresh(&s.view.View, &s.view)
	s.view.scanner = nil // release its memory
	if damaged > 0 {
		s.log.Warn("lines of the history that are not scores are skipped", "history", s.name, "count", damaged)
	}
	return err
}
