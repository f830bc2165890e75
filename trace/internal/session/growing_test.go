package session_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/cupel-dev/cupel/internal/sessiontest"
	"github.com/cupel-dev/cupel/trace"
)

// inParts verifies a log in several runs, each going on where the last one stopped.
// The states between the runs are written and read. It returns the last report and
// the errors of all runs.
func inParts(t *testing.T, log string, ends []int) (last *trace.Report, errors []string) {
	t.Helper()
	var state *trace.State
	for _, end := range ends {
		start := int64(0)
		if state != nil {
			start = state.Start()
		}
		r, err := trace.Verify(context.Background(), strings.NewReader(log[start:end]), trace.Options{Growing: true, Resume: state})
		if err != nil {
			t.Fatal(err)
		}
		text, err := json.Marshal(r.State)
		if err != nil {
			t.Fatal(err)
		}
		state = nil
		if r.State != nil {
			state = &trace.State{}
			if err := json.Unmarshal(text, state); err != nil {
				t.Fatal(err)
			}
			if err := state.Check(); err != nil {
				t.Fatal(err)
			}
		}
		errors = append(errors, errorsOf(r)...)
		last = r
	}
	return last, errors
}

// TestGrowing cuts each damaged log of the case file in two at every byte of interest:
// two runs come to the same errors, damage and verdict as one.
func TestGrowing(t *testing.T) {
	runs := 0
	for _, c := range damageCases(t) {
		if c.Cut > 0 || c.Verdict == "rejected" {
			continue // an unfinished line is not a fault here; of a rejected log each run reports its own part
		}
		log := c.log(t)
		whole, want := inParts(t, log, []int{len(log)})
		for cut := strings.Index(log, "\n") + 1; cut < len(log); cut += 1 + cut%397 {
			got, errors := inParts(t, log, []int{cut, len(log)})
			runs++
			if diff := cmp.Diff([]any{want, whole.Verdict, whole.Damage, whole.EvidenceClass, whole.Events, whole.Head}, []any{errors, got.Verdict, got.Damage, got.EvidenceClass, got.Events, got.Head}); diff != "" {
				t.Fatalf("%s, cut at byte %d (-one run +two):\n%s", c.Name, cut, diff)
			}
		}
	}
	if runs == 0 {
		t.Fatal("no runs")
	}
	t.Logf("%d logs in two runs", runs)
}

// TestStateGrowsByIDs: a state of many events is that of few except for the ids of tool
// calls and events, 16 and 8 bytes each before encoding.
func TestStateGrowsByIDs(t *testing.T) {
	size := func(events int) int {
		var log bytes.Buffer
		if err := sessiontest.WorkingDay(&log, events); err != nil {
			t.Fatal(err)
		}
		r, err := trace.Verify(context.Background(), &log, trace.Options{Growing: true})
		if err != nil {
			t.Fatal(err)
		}
		text, err := json.Marshal(r.State)
		if err != nil {
			t.Fatal(err)
		}
		return len(text)
	}
	few, many := size(1100), size(6100)
	events := 6100 - 1100
	calls := events / 5
	if more := many - few; more > calls*22+events*11+200 {
		t.Errorf("%d more bytes of state for %d more events and %d more calls", more, events, calls)
	}
}

// TestParallel: the report does not depend on how many workers there are, nor on where
// blocks end.
func TestParallel(t *testing.T) {
	var log bytes.Buffer
	if err := sessiontest.WorkingDay(&log, 4000); err != nil {
		t.Fatal(err)
	}
	lines := bytes.SplitAfter(log.Bytes(), []byte("\n"))
	random := rand.New(rand.NewPCG(1, 2))
	for range 60 {
		i, j := random.IntN(len(lines)-1), random.IntN(len(lines)-1)
		switch random.IntN(4) {
		case 3:
			lines[i] = bytes.Replace(lines[i], []byte(`"payload":{`), []byte(`"extra":1,"payload":{"more":null,`), 1)
		case 0:
			lines[i], lines[j] = lines[j], lines[i]
		case 1:
			lines[i] = lines[j]
		default:
			lines[i] = bytes.Replace(lines[i], []byte(`"model":"m-4"`), []byte(`"model":"m-5"`), 1)
		}
	}
	damaged := bytes.Join(lines, nil)
	var want []byte
	for _, jobs := range []int{1, 2, 7} {
		for _, chunk := range []int{1 << 30, 100_000, 3001} {
			r, err := trace.Verify(context.Background(), &chunked{bytes.NewReader(damaged), chunk}, trace.Options{Jobs: jobs})
			if err != nil {
				t.Fatal(err)
			}
			got, err := json.Marshal(r)
			if err != nil {
				t.Fatal(err)
			}
			if want == nil {
				want = got
				t.Logf("%d events, %d errors, %d damages", r.Events, r.Errors, len(r.Damage))
			}
			if !bytes.Equal(got, want) {
				t.Errorf("%d workers, reads of %d bytes: another report (%s)", jobs, chunk, firstDifference(got, want))
			}
		}
	}
}

// chunked reads at most n bytes at a time.
type chunked struct {
	r io.Reader
	n int
}

func (c *chunked) Read(p []byte) (int, error) { return c.r.Read(p[:min(len(p), c.n)]) }

func firstDifference(a, b []byte) string {
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			return fmt.Sprintf("at byte %d: %.80q, %.80q", i, a[max(0, i-20):], b[max(0, i-20):])
		}
	}
	return "one is longer"
}

// FuzzVerify: whatever the bytes are, there is a report, it accounts for every line,
// and both engines come to the same one.
func FuzzVerify(f *testing.F) {
	for _, family := range []string{"session-v0", "session-v1"} {
		f.Add([]byte(strings.Join(goodLog(family), "\n")))
	}
	f.Add([]byte(`{"event_type":"ERROR","payload":{"error_type":"t","message":"m","fatal":false}}` + "\n\n{"))
	f.Add([]byte(`[{"event_type":"ERROR","payload":{}},{"event_id":1,"prev_hash":"0"}]`))
	f.Add([]byte(`{"events":[{"seq":1,"prev_hash":null,"event_hash":"","payload":{"merkle_root":1}}]}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		verify := func(engine trace.Engine) *trace.Report {
			r, err := trace.Verify(context.Background(), bytes.NewReader(text), trace.Options{Engine: engine, Jobs: 1})
			if err != nil {
				t.Fatalf("%q: %v", text, err)
			}
			return r
		}
		r := verify(trace.Fast)
		lines := int64(bytes.Count(text, []byte("\n")))
		if len(text) > 0 && text[len(text)-1] != '\n' {
			lines++
		}
		array := bytes.HasPrefix(bytes.TrimLeft(text, " \t\r\n"), []byte("[")) || bytes.Contains(text, []byte(`"events"`))
		if counted := r.Events + r.Header + r.Blank + r.Unreadable; counted != lines && !array && r.Family != trace.Unknown {
			t.Errorf("%q: %d lines, %d accounted for", text, lines, counted)
		}
		if one, two := reportOf(t, r), reportOf(t, verify(trace.Both)); !bytes.Equal(one, two) {
			t.Errorf("%q: the engines differ\n%s\n%s", text, one, two)
		}
	})
}
