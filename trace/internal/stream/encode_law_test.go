package stream_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/cupel-dev/cupel/finding"
	"github.com/cupel-dev/cupel/trace/internal/stream"
	"github.com/cupel-dev/cupel/trace/internal/wire"
)

// drawnFinding draws a finding about a range of lines, with any content that a reader of lines can produce. No other
// has its rule: two at one place would have no order.
func drawnFinding(t *rapid.T, rule string, lines int) finding.Finding {
	text := func(name string) string { return rapid.SampledFrom([]string{"", "a", "é", "b@3"}).Draw(t, name) }
	number := func(name string) int { return rapid.IntRange(0, 300).Draw(t, name) }
	f := finding.Finding{
		Rule: rule, Severity: rapid.SampledFrom([]finding.Severity{finding.Info, finding.Warning, finding.Error}).Draw(t, "severity"), Message: text("message"),
		Line: rapid.IntRange(0, lines).Draw(t, "line"), Column: number("column"), EndLine: rapid.IntRange(0, lines).Draw(t, "end line"), EndColumn: number("end column"),
		Path: text("path"), Expected: text("expected"), Found: text("found"), Help: text("help"), CausedBy: text("cause"),
		Notes:  rapid.SampledFrom([][]string{nil, {"n"}, {"n", ""}}).Draw(t, "notes"),
		Source: finding.Snippet{Text: text("source"), Caret: number("caret"), Width: number("width"), Astral: [2]int{number("astral before"), number("astral within")}},
	}
	if rapid.Bool().Draw(t, "numbered") {
		f.Index = new(rapid.Int64().Draw(t, "number"))
	}
	return f
}

// TestFindingsOfRanges checks that findings written per range and joined with shifted lines are those of one
// collector for the whole log.
func TestFindingsOfRanges(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		most := rapid.IntRange(0, 5).Draw(t, "most")
		whole, merged, before := stream.NewFindings(most), stream.NewFindings(most), 0
		for which := range rapid.IntRange(1, 4).Draw(t, "ranges") {
			lines := rapid.IntRange(1, 5).Draw(t, "lines")
			part := stream.NewFindings(most)
			for i := range rapid.IntRange(0, 8).Draw(t, "findings") {
				f := drawnFinding(t, fmt.Sprint(i, " of ", which), lines)
				moved := f
				if f.Line > 0 {
					moved.Line += before
				}
				if f.EndLine > 0 {
					moved.EndLine += before
				}
				if rapid.IntRange(0, 9).Draw(t, "structural") == 0 {
					part.Reject(f)
					whole.Reject(moved)
				} else {
					part.Add(f)
					whole.Add(moved)
				}
			}
			var w wire.Writer
			part.Encode(&w)
			r := wire.NewReader(w.Bytes)
			if merged.MergeEncoded(r, before); r.Done() != nil {
				t.Fatal(r.Done())
			}
			before += lines
		}
		type closing struct {
			List   []finding.Finding
			Counts [3]int
			All    [2][3]int
		}
		of := func(c *stream.Findings) (is closing) {
			is.List, is.Counts[0], is.Counts[1], is.Counts[2] = c.Close()
			is.All = c.Counts()
			return is
		}
		if diff := cmp.Diff(of(whole), of(merged)); diff != "" {
			t.Fatalf("(-whole +merged):\n%s", diff)
		}
	})
}

// TestEncodedFindingsThatNobodyWrote checks that more findings than were counted and unknown severities are refused.
func TestEncodedFindingsThatNobodyWrote(t *testing.T) {
	c := stream.NewFindings(9)
	c.Add(at(1, finding.Error))
	c.Add(at(2, finding.Error))
	var w wire.Writer
	c.Encode(&w)
	merge := func(text []byte) error {
		r := wire.NewReader(text)
		stream.NewFindings(9).MergeEncoded(r, 0)
		return r.Done()
	}
	const counted, severity = 3 + 1 + 2, 3 + 1 + 3 + 1 + 2 // bytes before: the counts of a stage and of its list; the rule
	for name, c := range map[string]struct {
		at      int
		by      byte
		refused bool
	}{
		"as it was written":     {counted, 2, false},
		"more than were made":   {counted, 3, false},
		"fewer than were made":  {counted, 1, true},
		"of another severity":   {severity, byte(finding.Warning), true},
		"of no severity":        {severity, byte(finding.Error) + 1, true},
		"of the severity it is": {severity, byte(finding.Error), false},
	} {
		text := slices.Clone(w.Bytes)
		text[c.at] = c.by
		if err := merge(text); (err != nil) != c.refused {
			t.Errorf("%s: %v", name, err)
		}
	}
	least := stream.NewFindings(9)
	least.Add(finding.Finding{})
	var short wire.Writer
	least.Encode(&short)
	if err := merge(short.Bytes); err != nil {
		t.Errorf("a finding that says nothing: %v", err)
	}
	for n := range w.Bytes {
		if merge(w.Bytes[:n]) == nil {
			t.Errorf("cut after %d bytes: no error", n)
		}
	}
}
