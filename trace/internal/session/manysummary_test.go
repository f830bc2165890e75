package session

import (
	"errors"
	"strings"
	"testing"

	"github.com/cupel-dev/cupel/internal/sessiontest"
	"github.com/cupel-dev/cupel/internal/source"
	"github.com/cupel-dev/cupel/internal/strictjson"
	"github.com/cupel-dev/cupel/trace/internal/stream"
)

// TestSessionsSummariesAreBounded: the summaries of all sessions of a range may take together what
// that of one may, to the byte.
func TestSessionsSummariesAreBounded(t *testing.T) {
	limits := stream.Limits{}.WithDefaults()
	all := NewSummaries(limits, Options{}, func(strictjson.Node) string { return V0 }, nil)
	a, b := sessiontest.New(), sessiontest.New()
	b.Session = strings.Repeat("b", 36)
	number := 0
	take := func(l *sessiontest.Log) error {
		number++
		line := []byte(l.Event("TOOL_CALL", `{"tool_name":"t","tool_id":"i","args":{}}`))
		doc, err := limits.Scanner().Scan(line)
		if err != nil {
			t.Fatal(err)
		}
		w := all.Worker()
		w.Line(source.Line{Number: number, Bytes: line, Size: int64(len(line)), Terminated: true}, doc)
		return w.Flush()()
	}
	size := func() (n int) {
		for _, one := range all.List() {
			n += one.taker.(*Summarizer).size()
		}
		return n
	}
	both := func() error { return errors.Join(take(a), take(b)) }
	before := 0
	for range 20 {
		before = size()
		if err := both(); err != nil {
			t.Fatal(err)
		}
		if all.remembered != size() || size() == before {
			t.Fatalf("after %d lines %d bytes are remembered, want %d", number, all.remembered, size())
		}
	}
	all.remembered = maxSummary - (size() - before) // as if others took the rest: room for one more of each
	if err := both(); err != nil || all.remembered != maxSummary {
		t.Errorf("%d bytes, %d are allowed: %v", all.remembered, maxSummary, err)
	}
	if err := take(a); !errors.Is(err, errLarge) {
		t.Errorf("%d bytes, %d are allowed: %v", all.remembered, maxSummary, err)
	}
}

// TestSummaryIsBounded checks the size limit of a range's summary, to the byte.
func TestSummaryIsBounded(t *testing.T) {
	limits := stream.Limits{}.WithDefaults()
	s, err := NewSummarizer(stream.NewFindings(limits.Findings), limits, V0, nil, false, Options{})
	if err != nil {
		t.Fatal(err)
	}
	log, number := sessiontest.New(), 0
	take := func() error {
		number++
		line := []byte(log.Event("TOOL_CALL", `{"tool_name":"t","tool_id":"i","args":{}}`))
		doc, err := limits.Scanner().Scan(line)
		if err != nil {
			t.Fatal(err)
		}
		w := s.Worker()
		w.Line(source.Line{Number: number, Bytes: line, Size: int64(len(line)), Terminated: true}, doc)
		return w.Flush()()
	}
	before := 0
	for range 20 {
		if before = s.size(); take() != nil {
			t.Fatal("few events are too many")
		}
	}
	one := s.size() - before
	s.entries.Bytes = append(s.entries.Bytes, make([]byte, maxSummary-s.size()-one)...)
	if err := take(); err != nil || s.size() != maxSummary {
		t.Errorf("%d bytes, %d are allowed: %v", s.size(), maxSummary, err)
	}
	if err := take(); !errors.Is(err, errLarge) {
		t.Errorf("%d bytes, %d are allowed: %v", s.size(), maxSummary, err)
	}
}
