package trace_test

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/cupel-dev/cupel/trace"
)

// summarized returns the summary of one range of a log.
func summarized(t *testing.T, log string, r trace.Range, opt trace.Options) *trace.Summary {
	t.Helper()
	p, err := trace.Open(strings.NewReader(log), opt)
	if err != nil {
		t.Fatal(err)
	}
	s, err := trace.Summarize(t.Context(), strings.NewReader(log), r, p, opt)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// twelve is a log of no family: six lines of six bytes, and two at its end that are blank.
const twelve = "{\"a\":1}\n{}\n{\n\n{\"b\":2}\n\n \n"

// TestRefusedReports checks the reasons for refused reports.
func TestRefusedReports(t *testing.T) {
	var opt trace.Options
	part := func(log string, start, end int64) *trace.Summary {
		return summarized(t, log, trace.Range{Start: start, End: end}, opt)
	}
	size := int64(len(twelve))
	for name, c := range map[string]struct {
		log  string
		list []*trace.Summary
		want string
	}{
		"nothing but a log":     {twelve, nil, "no summary covers bytes 0 to 25 of the log"},
		"the beginning":         {twelve, []*trace.Summary{part(twelve, 8, size)}, "no summary covers bytes 0 to 8 of the log"},
		"the middle":            {twelve, []*trace.Summary{part(twelve, 14, size), part(twelve, 0, 8)}, "no summary covers bytes 8 to 14 of the log"},
		"the end":               {twelve, []*trace.Summary{part(twelve, 0, 14)}, "no summary covers bytes 14 to 25 of the log"},
		"a log that has grown":  {twelve + "{}", []*trace.Summary{part(twelve, 0, size)}, "no summary covers bytes 25 to 27 of the log"},
		"a log that was cut":    {twelve[:20], []*trace.Summary{part(twelve, 0, size)}, "the log has 20 bytes, the summaries cover 25: it was cut since they were made"},
		"ranges that overlap":   {twelve, []*trace.Summary{part(twelve, 0, 12), part(twelve, 8, size)}, "summaries of bytes 0 to 13 and of bytes 8 to 25 overlap: cut the log into ranges once"},
		"a range in another":    {twelve, []*trace.Summary{part(twelve, 0, size), part(twelve, 8, 11)}, "summaries of bytes 0 to 25 and of bytes 8 to 11 overlap: cut the log into ranges once"},
		"two logs, one range":   {twelve, []*trace.Summary{part(twelve, 0, 8), part("{\"a\":2}\n", 0, 8)}, "two summaries of bytes 0 to 8 differ: the log changed between them"},
		"two logs, two records": {twelve, []*trace.Summary{part(twelve, 0, 8), part("\n{}\n{}\n", 4, 7)}, "two summaries are of different logs, or the log's first record or its end changed between them"},
	} {
		var s trace.Summary
		err := error(nil)
		for _, other := range c.list {
			if err = s.Merge(other); err != nil {
				break
			}
		}
		if err == nil {
			_, err = s.Report(t.Context(), strings.NewReader(c.log), opt)
		}
		if err == nil || err.Error() != c.want {
			t.Errorf("%s: %v, want %s", name, err, c.want)
		}
	}
	var gap *trace.GapError
	if _, err := part(twelve, 8, 11).Report(t.Context(), strings.NewReader(twelve), opt); !errors.As(err, &gap) || gap.Missing != (trace.Range{Start: 0, End: 8}) {
		t.Errorf("a gap is the error %v", err)
	}
}

// TestRefusedMergeChangesNothing: after an error a summary is what it was.
func TestRefusedMergeChangesNothing(t *testing.T) {
	s := summarized(t, twelve, trace.Range{Start: 0, End: 12}, trace.Options{})
	before, _ := s.MarshalBinary()
	if err := s.Merge(summarized(t, twelve, trace.Range{Start: 8, End: 99}, trace.Options{})); err == nil {
		t.Fatal("ranges overlap")
	}
	if after, _ := s.MarshalBinary(); !bytes.Equal(before, after) {
		t.Error("the summary is another one")
	}
	if err := s.Merge(s); err != nil || len(s.Ranges()) != 1 {
		t.Errorf("with itself: %v, %v", err, s.Ranges())
	}
}

// TestOtherOptions: a log is read under one set of options.
func TestOtherOptions(t *testing.T) {
	p, err := trace.Open(strings.NewReader(twelve), trace.Options{})
	if err != nil {
		t.Fatal(err)
	}
	strict := trace.Options{Session: trace.SessionOptions{StrictPayload: true}, Limits: trace.Limits{Findings: 7}}
	_, err = trace.Summarize(t.Context(), strings.NewReader(twelve), trace.Range{End: 99}, p, strict)
	if want := "the log was opened under another --max-findings, another --strict-payload"; err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
	s := summarized(t, twelve, trace.Range{End: 8}, trace.Options{})
	err = s.Merge(summarized(t, twelve, trace.Range{Start: 8, End: 99}, strict))
	if want := "two summaries were made under another --max-findings, another --strict-payload"; err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
	for want, opt := range map[string]trace.Options{
		"Anchor, Sum":  {Anchor: &trace.Anchor{}, Sum: true},
		"ExpectSHA256": {ExpectSHA256: strings.Repeat("0", 64)},
		"BySession":    {BySession: true},
		"Growing":      {Growing: true},
		"OnFinding":    {OnFinding: func(trace.Finding) {}},
	} {
		want = "a summary of a part of a log cannot be made with " + want + ": verify the log as a whole"
		if _, err := trace.Open(strings.NewReader(twelve), opt); err == nil || err.Error() != want {
			t.Errorf("%v, want %s", err, want)
		}
		if _, err := s.Report(t.Context(), strings.NewReader(twelve[:8]), opt); err == nil || err.Error() != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

// TestRefusedInputs cannot be cut.
func TestRefusedInputs(t *testing.T) {
	for _, log := range []string{"[{}]", `{"events":[]}`, " \n["} {
		if _, err := trace.Open(strings.NewReader(log), trace.Options{}); !errors.Is(err, trace.ErrArray) {
			t.Errorf("%s: %v", log, err)
		}
	}
	p, _ := trace.Open(strings.NewReader(twelve), trace.Options{})
	for _, r := range []trace.Range{{Start: -1}, {Start: 2, End: 1}} {
		if _, err := trace.Summarize(t.Context(), strings.NewReader(twelve), r, p, trace.Options{}); err == nil || !strings.Contains(err.Error(), "expected two offsets, the lesser first") {
			t.Errorf("%v: %v", r, err)
		}
	}
	_, err := trace.Summarize(t.Context(), struct{ io.ReaderAt }{strings.NewReader(twelve)}, trace.Range{}, p, trace.Options{})
	if err == nil || !strings.Contains(err.Error(), "length of the log is not known") {
		t.Errorf("a log without a length: %v", err)
	}
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _, _ = r.Close(), w.Close() }()
	if _, err := trace.Summarize(t.Context(), r, trace.Range{}, p, trace.Options{}); err == nil || !strings.Contains(err.Error(), "not a regular file") {
		t.Errorf("a pipe: %v", err)
	}
	name := filepath.Join(t.TempDir(), "log")
	if err := os.WriteFile(name, []byte(twelve), 0o600); err != nil {
		t.Fatal(err)
	}
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	if s, err := trace.Summarize(t.Context(), f, trace.Range{End: 1 << 40}, p, trace.Options{}); err != nil || s.Ranges()[0] != (trace.Range{End: int64(len(twelve))}) {
		t.Errorf("a file: %v", err)
	}
}

// TestLineBeginsInRange: a line belongs to the range that its first byte is in, by a plain
// loop over all ranges of a small log.
func TestLineBeginsInRange(t *testing.T) {
	for _, log := range []string{twelve, "{}\r\n{}\r\n", "\n\n\n", "{\"long\":\"line\"}", "{}\n{\"n\":0}"} {
		for start := range len(log) + 1 {
			for end := start; end <= len(log)+1; end++ {
				s := summarized(t, log, trace.Range{Start: int64(start), End: int64(end)}, trace.Options{})
				if got, want := s.Ranges(), linesWithin(log, start, end); len(got) > 1 || len(got) == 0 && want != (trace.Range{}) || len(got) == 1 && got[0] != want {
					t.Fatalf("%q from %d to %d: %v, want %v", log, start, end, got, want)
				}
			}
		}
	}
}

// linesWithin returns the bytes of the lines that begin in a range; the zero Range for none.
func linesWithin(log string, start, end int) (r trace.Range) {
	at := 0
	for _, line := range strings.SplitAfter(log, "\n") {
		if line != "" && start <= at && at < end {
			if r.End == 0 {
				r.Start = int64(at)
			}
			r.End = int64(at + len(line))
		}
		at += len(line)
	}
	return r
}

// TestDamagedSummaries: no byte of a summary can change unnoticed.
func TestDamagedSummaries(t *testing.T) {
	s := summarized(t, twelve, trace.Range{End: 99}, trace.Options{})
	text, err := s.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	var read trace.Summary
	for i := range text {
		for _, change := range []byte{1, 0x80} {
			bad := bytes.Clone(text)
			bad[i] ^= change
			if read.UnmarshalBinary(bad) == nil {
				t.Fatalf("byte %d was changed unnoticed", i)
			}
		}
		if read.UnmarshalBinary(text[:i]) == nil {
			t.Fatalf("%d of %d bytes are a summary", i, len(text))
		}
	}
	other := bytes.Clone(text)
	other[len("cupel.summary")+1]++
	if err := read.UnmarshalBinary(other); err == nil || !strings.Contains(err.Error(), "another version") {
		t.Error(err)
	}
	if err := read.UnmarshalBinary([]byte("{}")); err == nil || !strings.Contains(err.Error(), "not a summary") {
		t.Error(err)
	}
	if len(read.Ranges()) != 0 {
		t.Error("a refused summary left something")
	}
}
