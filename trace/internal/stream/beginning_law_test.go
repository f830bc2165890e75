package stream_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/cupel-dev/cupel/finding"
	"github.com/cupel-dev/cupel/internal/source"
	"github.com/cupel-dev/cupel/internal/strictjson"
	"github.com/cupel-dev/cupel/trace/internal/stream"
	"github.com/cupel-dev/cupel/trace/internal/wire"
)

// mute is a family that says nothing of its records.
type mute struct{}

func (mute) Worker() stream.Worker                           { return mute{} }
func (mute) Finish() (stream.Outcome, error)                 { return stream.Outcome{}, nil }
func (mute) Line(stream.Line, *strictjson.Document)          {}
func (mute) Unreadable(stream.Lost)                          {}
func (mute) Flush() func() error                             { return nil }
func detectMute(stream.Line, strictjson.Node) stream.Checker { return mute{} }

// naiveBeginning returns the beginning of a log from its lines; a record is "{}".
func naiveBeginning(lines []string) stream.LogStart {
	b, offset := stream.LogStart{Record: -1, Opens: -1}, int64(0)
	for i, l := range lines {
		content := strings.TrimRight(l, " \t\r\n")
		if b.Opens < 0 && content != "" && content != "\ufeff" {
			b.Opens, b.Foreign = offset, source.Foreign([]byte(strings.TrimSuffix(l, "\n")))
		}
		if content == "{}" {
			b.Record, b.Line = offset, i+1
			return b
		}
		offset += int64(len(l))
	}
	return b
}

// TestRangesOfWhatMayBeNoLog compares the beginning of a log with its lines read one by one, and the faults of its
// ranges, each read by itself, with those of the log, even if it is not a log.
func TestRangesOfWhatMayBeNoLog(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		some := []string{"{}", "", " \t", "\r", "\ufeff", "\ufeff \r", "- a: b", "no json", "7", "[", " {", "\xff\xfe{\x00", "{\x00", "{"}
		lines := rapid.SliceOfN(rapid.SampledFrom(some), 1, 9).Draw(t, "lines")
		for i := range lines[:len(lines)-1] {
			lines[i] += "\n"
		}
		limits := stream.Limits{Findings: rapid.IntRange(1, 4).Draw(t, "findings"), LineBytes: 100}.WithDefaults()
		input := func(text string) stream.Input {
			return stream.Lines(strings.NewReader(text), limits, rapid.IntRange(1, 9).Draw(t, "block"))
		}
		text, records := strings.Join(lines, ""), 0
		begins, err := stream.ReadLogStart(input(text), limits, func(strictjson.Node) { records++ })
		if want := naiveBeginning(lines); err != nil || begins != want || (records == 1) != (want.Record >= 0) {
			t.Fatalf("%q begins as %+v after %d records, want %+v (%v)", text, begins, records, want, err)
		}
		read := func(in stream.Input, checker stream.Checker, begins *stream.LogStart) *stream.Findings {
			runner := &stream.Runner{Findings: stream.NewFindings(limits.Findings), Limits: limits, Inline: true, Detect: detectMute, Checker: checker, Beginning: begins}
			if err := runner.Run(context.Background(), in); err != nil {
				t.Fatal(err)
			}
			return runner.Findings
		}
		whole, merged := read(input(text), nil, nil), stream.NewFindings(limits.Findings)
		for from, i := 0, 0; i < len(lines); {
			n := rapid.IntRange(1, len(lines)-i).Draw(t, "lines of a range")
			part := strings.Join(lines[i:i+n], "")
			var known stream.Checker
			if begins.Record >= 0 {
				known = mute{}
			}
			var w wire.Writer
			read(input(part), known, begins.From(int64(from))).Encode(&w)
			merged.MergeEncoded(wire.NewReader(w.Bytes), i)
			from, i = from+len(part), i+n
		}
		list := func(c *stream.Findings) []finding.Finding {
			all, _, _, _ := c.Close()
			return slices.Clone(all)
		}
		if diff := cmp.Diff(list(whole), list(merged)); diff != "" || whole.Counts() != merged.Counts() {
			t.Fatalf("%q, counted %v and %v (-whole +merged):\n%s", text, whole.Counts(), merged.Counts(), diff)
		}
	})
}

// TestBeginningThatCannotBeRead checks that a read error is not an end.
func TestBeginningThatCannotBeRead(t *testing.T) {
	fails := errors.New("no such disk")
	limits := stream.Limits{}.WithDefaults()
	if _, err := stream.ReadLogStart(stream.Lines(iotest.ErrReader(fails), limits, 0), limits, nil); !errors.Is(err, fails) {
		t.Errorf("%v, want %v", err, fails)
	}
}
