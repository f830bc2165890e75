package reasoning

import (
	"bytes"
	"encoding/json"
	"io/fs"
	"strings"
	"sync"
	"testing"

	"github.com/cupel-dev/cupel/internal/reasoningtest"
	"github.com/cupel-dev/cupel/internal/strictjson"
	"github.com/cupel-dev/cupel/trace/internal/stream"
)

// TestTwoRunsAreOne holds the law of snapshots: a run over the first lines of a trace, its
// snapshot written and read again, and a run over the rest report together what one run
// over all of it reports, wherever the trace is cut.
func TestTwoRunsAreOne(t *testing.T) {
	cuts := 0
	for name, r := range examples(t) {
		for _, limits := range []stream.Limits{{}, {Findings: 2}} {
			whole := r.verify(t, limits)
			all := bytes.SplitAfter(bytes.TrimSuffix(r.trace, []byte{'\n'}), []byte{'\n'})
			for k := range len(all) + 1 {
				if limits.Findings > 0 && k%4 != 0 {
					continue // a few cuts show how much is kept
				}
				two, ok := inTwo(t, r, bytes.Join(all[:k], nil), bytes.Join(all[k:], nil), k, limits)
				if !ok {
					continue
				}
				cuts++
				if two.counts != whole.counts {
					t.Errorf("%s, cut after %d lines: %v, at once %v", name, k, two.counts, whole.counts)
				}
				if got, want := two.text(t), whole.text(t); limits.Findings == 0 && got != want {
					t.Fatalf("%s, cut after %d lines:\n%s\nat once:\n%s", name, k, got, want)
				}
			}
		}
	}
	if cuts < 500 {
		t.Errorf("%d cuts", cuts)
	}
	t.Logf("%d cuts", cuts)
}

// inTwo reads a trace in two runs; ok is false when the first one has no record.
func inTwo(t *testing.T, r testRun, first, rest []byte, k int, limits stream.Limits) (both report, ok bool) {
	t.Helper()
	before, checker := lines(t, first, stream.Place{}, limits, true, func(f *stream.Findings, node strictjson.Node) *Checker {
		return New(t.Context(), r.options(), limits.WithDefaults(), f, node)
	})
	if checker == nil {
		return both, false
	}
	snapshot, err := checker.Snapshot()
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(snapshot)
	if err != nil {
		t.Fatal(err)
	}
	restored := &Snapshot{}
	if err := json.Unmarshal(text, restored); err != nil {
		t.Fatal(err)
	}
	after, _ := lines(t, rest, stream.Place{Offset: int64(len(first)), Line: k + 1}, limits, false, func(f *stream.Findings, _ strictjson.Node) *Checker {
		return Resume(t.Context(), r.options(), limits.WithDefaults(), f, restored)
	})
	both = after
	if before.rejected || !after.rejected {
		both.findings = append(before.findings, after.findings...)
		for i := range both.counts {
			both.counts[i] += before.counts[i]
		}
	}
	return both, true
}

// TestMetFilesAreNotReadAgain counts how often the evidence of a run is opened, by one run
// and by two.
func TestMetFilesAreNotReadAgain(t *testing.T) {
	r := newRun(reasoningtest.Incident(reasoningtest.Wrapped).Files())
	counted := &counting{Files: r.files, opened: map[string]int{}}
	r.opt.Evidence, r.opt.Run = counted, counted
	all := bytes.SplitAfter(r.trace, []byte{'\n'})
	k := len(all) - 2
	if both, ok := inTwo(t, r, bytes.Join(all[:k], nil), bytes.Join(all[k:], nil), k, stream.Limits{}); !ok || both.counts[2] > 0 {
		t.Fatalf("%v", both.rules())
	}
	for name, n := range counted.opened {
		if strings.HasPrefix(name, "evidence/") && n != 1 {
			t.Errorf("%s was opened %d times", name, n)
		}
	}
	if len(counted.opened) < 4 {
		t.Errorf("%d files were opened", len(counted.opened))
	}
}

// counting counts how often each file is opened.
type counting struct {
	Files
	mutex  sync.Mutex
	opened map[string]int
}

func (c *counting) Open(name string) (fs.File, error) {
	c.mutex.Lock()
	c.opened[name]++
	c.mutex.Unlock()
	return c.Files.Open(name)
}

// TestBrokenSnapshot refuses a state that no run has written.
func TestBrokenSnapshot(t *testing.T) {
	s := &Snapshot{TraceID: traceIDState{Hash: []byte("no state of a hash")}}
	c := Resume(t.Context(), Options{}, stream.Limits{}.WithDefaults(), stream.NewFindings(1), s)
	if _, err := c.Finish(); err == nil {
		t.Error("a broken state was taken")
	}
	var sum metSum
	if err := sum.UnmarshalText([]byte("0a")); err == nil {
		t.Error("a short digest was taken")
	}
}
