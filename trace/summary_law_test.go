package trace_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/cupel-dev/cupel/internal/racetest"
	"github.com/cupel-dev/cupel/trace"
)

// cuts are ranges that cover a log, cut anywhere, some of them twice, in any order.
func cuts(random *rand.Rand, size int) (list []trace.Range) {
	at := []int64{0, int64(size + random.IntN(3))}
	for range random.IntN(8) {
		at = append(at, random.Int64N(int64(size)+1))
	}
	slices.Sort(at)
	for i := range at[1:] {
		list = append(list, trace.Range{Start: at[i], End: at[i+1]})
	}
	for range random.IntN(3) {
		list = append(list, list[random.IntN(len(list))])
	}
	random.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
	return list
}

// merged summarizes ranges of a log and merges the summaries as a tree of any form; any of
// them goes from one process to another in between.
func merged(tb testing.TB, random *rand.Rand, s *subject, opt trace.Options, ranges []trace.Range) (*trace.Summary, error) {
	tb.Helper()
	p, err := trace.Open(strings.NewReader(s.log), opt)
	if err != nil {
		return nil, err
	}
	p = carried(tb, p)
	store := map[[32]byte][]byte{}
	var list []*trace.Summary
	for _, r := range ranges {
		opt.Jobs, opt.Inline = 1+random.IntN(3), random.IntN(2) == 0
		one, err := trace.Summarize(tb.Context(), strings.NewReader(s.log), r, p, opt)
		if err != nil {
			return nil, err
		}
		list = append(list, sent(tb, random, store, one))
	}
	for len(list) > 1 {
		i, j := random.IntN(len(list)), random.IntN(len(list)-1)
		if j >= i {
			j++
		}
		if err := list[i].Merge(list[j]); err != nil {
			return nil, err
		}
		list[i] = sent(tb, random, store, list[i])
		list = slices.Delete(list, j, j+1)
	}
	return list[0], nil
}

// carried returns a prologue after its way to another process.
func carried(tb testing.TB, p trace.Prologue) (q trace.Prologue) {
	tb.Helper()
	text, err := json.Marshal(p)
	if err == nil {
		err = json.Unmarshal(text, &q)
	}
	if err != nil {
		tb.Fatal(err)
	}
	return q
}

// sent returns a summary that went to another process, its columns into a store that all reach,
// or that did not.
func sent(tb testing.TB, random *rand.Rand, store map[[32]byte][]byte, s *trace.Summary) *trace.Summary {
	tb.Helper()
	if random.IntN(2) == 0 {
		return s
	}
	text, err := s.MarshalBinary()
	if err != nil {
		tb.Fatal(err)
	}
	other := &trace.Summary{OpenColumn: stored(store)}
	if err := other.UnmarshalBinary(text); err != nil {
		tb.Fatal(err)
	}
	for digest, column := range s.Columns() {
		if random.IntN(2) == 0 {
			store[digest] = column
		} else {
			other.Attach(column)
		}
	}
	if again, err := other.MarshalBinary(); err != nil || !bytes.Equal(again, text) {
		tb.Fatalf("a summary is written as other bytes after it was read: %v", err)
	}
	return other
}

// stored opens the columns of a store.
func stored(store map[[32]byte][]byte) func(digest [32]byte) (io.ReadCloser, error) {
	return func(digest [32]byte) (io.ReadCloser, error) {
		if column, ok := store[digest]; ok {
			return io.NopCloser(bytes.NewReader(column)), nil
		}
		return nil, errors.New("no such column")
	}
}

// inParts returns the answer on a subject that was summarized in ranges.
func (s *subject) inParts(tb testing.TB, random *rand.Rand, ranges []trace.Range) string {
	tb.Helper()
	opt := s.opt
	opt.Name = "x"
	if s.files != nil {
		opt.Reasoning.Run = s.files
	}
	sum, err := merged(tb, random, s, opt, ranges)
	if err != nil {
		return err.Error()
	}
	report, err := sum.Report(tb.Context(), strings.NewReader(s.log), opt)
	if err != nil {
		return err.Error()
	}
	text, err := json.Marshal(report)
	if err != nil {
		tb.Fatal(err)
	}
	return string(text)
}

// sameInParts holds that a log cut anywhere gives the report of the log in one piece.
func sameInParts(tb testing.TB, random *rand.Rand, s subject, times int) {
	tb.Helper()
	want := s.answer(tb, way{jobs: 1, log: atOnce, files: inMemoryAt})
	for range times {
		ranges := cuts(random, len(s.log))
		got := s.inParts(tb, random, ranges)
		if got == trace.ErrArray.Error() || strings.HasSuffix(got, "cannot be summarized in parts") {
			return
		}
		if got != want {
			at := 0
			for at < min(len(got), len(want)) && got[at] == want[at] {
				at++
			}
			tb.Fatalf("%s, in ranges %v: another report from byte %d on\n%.800s\n%.800s\nlimits %+v, the log:\n%.3000q",
				s.name, ranges, at, got[max(0, at-200):], want[max(0, at-200):], s.opt.Limits, s.log)
		}
	}
}

// noRecords are inputs of which no line, or none of a known family, is a record.
var noRecords = []string{
	"", "\n", " \n\t\n\n", "x", "{\n{\n\n{", "\ufeff", "\ufeff\n", "\ufeff\n{\n", "a: 1\nb: 2\n\nc: 3", "\ufeffa: 1\nb: 2\n", "[1]\n", "1\n2\n",
	"{}\n{}\n", "\n{\n{\"a\":1}\n{\n", "a: 1\n{\"a\":1}\nb: 1\n", "\ufeff\na: 1\nb: 2\n{\"a\":1}\r\n\r\n{\r\n", "\xff\xfea\x00\n\x00\n{}", strings.Repeat("{\n", 30) + "{}",
}

// TestSummaryOfNoLog cuts inputs without a record of a known family.
func TestSummaryOfNoLog(t *testing.T) {
	random := rand.New(rand.NewPCG(18, 1))
	for i, log := range noRecords {
		for _, most := range []int{0, 1, 3} {
			sameInParts(t, random, subject{name: fmt.Sprint(i), log: log, opt: trace.Options{Limits: trace.Limits{Findings: most}}}, 20)
		}
	}
}

// TestSummaryLaw cuts logs of both families.
func TestSummaryLaw(t *testing.T) {
	random := rand.New(rand.NewPCG(18, 2))
	for _, s := range racetest.Some(t, wholeLogs(t)) {
		sameInParts(t, random, s, 4)
	}
	for name, log := range manyFindings(20) {
		for _, most := range []int{1, 2, 9, 10, 11, 19, 20, 21, 39, 40, 41} {
			sameInParts(t, random, subject{name: name, log: log, opt: trace.Options{Limits: trace.Limits{Findings: most}}}, 1)
		}
	}
}
