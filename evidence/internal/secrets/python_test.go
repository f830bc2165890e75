package secrets

import (
	"bufio"
	_ "embed"
	"encoding/json"
	"reflect"
	"strings"
	"testing"
	"unicode"
)

//go:embed testdata/python.jsonl
var pythonText string

// TestPython compares what is found with what Python's re found by the same table; see
// testdata/python.py. The one known difference is that there \b and \s know all letters and
// blanks: a secret right behind a letter outside ASCII is found here and not there.
func TestPython(t *testing.T) {
	var s Scanner
	lines, differ := 0, 0
	for in := bufio.NewScanner(strings.NewReader(pythonText)); in.Scan(); lines++ {
		var line struct {
			In            string
			Python, ASCII map[string][][2]int
		}
		if err := json.Unmarshal(in.Bytes(), &line); err != nil {
			t.Fatal(err)
		}
		for rule, got := range shapesOf(&s, line.In) {
			name := rows[rule].Name
			want := line.Python[name]
			if len(got) == 0 && len(want) == 0 || reflect.DeepEqual(got, want) {
				continue
			}
			differ++
			want, known := line.ASCII[name]
			if !known || strings.IndexFunc(line.In, func(r rune) bool { return r > unicode.MaxASCII }) < 0 || len(got)+len(want) > 0 && !reflect.DeepEqual(got, want) {
				t.Errorf("%s in %q: %v, want %v", name, line.In, got, line.Python[name])
			}
		}
	}
	if lines < 200 || differ == 0 || differ > lines/4 {
		t.Errorf("%d of %d texts differ", differ, lines)
	}
	t.Logf("%d of %d texts differ", differ, lines)
}

// shapesOf are the matches of each rule in a text that do not overlap, as the table has them.
func shapesOf(s *Scanner, in string) (all [shapes][][2]int) {
	s.find([]byte(in), true)
	var ends [shapes]int
	for _, m := range s.matches {
		if rule := m.hidden.rule; int(m.start) >= ends[rule] {
			ends[rule] = naiveEnd(int(rule), in, m)
			all[rule] = append(all[rule], [2]int{int(m.start), ends[rule]})
		}
	}
	return all
}
