package trace_test

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/cupel-dev/cupel/trace"
)

// plainLines are lines that are recognized at a look, by their kind.
var plainLines = [][]string{
	{"", " ", "\t", "\r", " \t \r"},
	{"{", "[1]", "x", "null", `{"a":1}{"b":2}`, `{"a":1,"a":2}`, "\xff"},
	{`{"idx":1,"kind":"step_started","step_id":"s"}`, `{"idx":2}`, ` {"a":[1,2]} `, "{}\r"},
}

// TestFactsOfARange counts the lines of ranges in a plain loop.
func TestFactsOfARange(t *testing.T) {
	random := rand.New(rand.NewPCG(18, 7))
	for range 300 {
		log := plainLines[2][0] + "\n"
		kinds := []int{2}
		for range random.IntN(20) {
			kind := random.IntN(len(plainLines))
			log += plainLines[kind][random.IntN(len(plainLines[kind]))] + "\n"
			kinds = append(kinds, kind)
		}
		if last := strings.TrimSuffix(log, "\n"); random.IntN(2) == 0 && !strings.HasSuffix(last, "\n") {
			log = last
		}
		start := random.IntN(len(log) + 2)
		end := start + random.IntN(len(log)+2-start)
		var want [4]int64 // line feeds, blank, unreadable and readable lines
		at, from, to := 0, -1, -1
		for i, line := range strings.SplitAfter(log, "\n") {
			if start <= at && at < end && line != "" {
				if from < 0 {
					from = at
				}
				to = at + len(line)
				want[0] += int64(strings.Count(line, "\n"))
				want[1+kinds[i]]++
			}
			at += len(line)
		}
		opt := trace.Options{Jobs: 1 + random.IntN(3), Inline: random.IntN(2) == 0}
		p, err := trace.Open(strings.NewReader(log), opt)
		if err != nil {
			t.Fatal(err)
		}
		s, err := trace.Summarize(t.Context(), strings.NewReader(log), trace.Range{Start: int64(start), End: int64(end)}, p, opt)
		if err != nil {
			t.Fatal(err)
		}
		ranges, facts := []trace.Range(nil), [][4]int64(nil)
		if from >= 0 {
			ranges, facts = []trace.Range{{Start: int64(from), End: int64(to)}}, [][4]int64{want}
		}
		if got := s.Ranges(); !slices.Equal(got, ranges) {
			t.Fatalf("bytes %d to %d are %v, want %v: %q", start, end, got, ranges, log)
		}
		if got := s.Facts(); !slices.Equal(got, facts) {
			t.Fatalf("bytes %d to %d hold %v, want %v: %q", start, end, got, facts, log)
		}
	}
}
