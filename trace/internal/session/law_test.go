package session_test

import (
	"bytes"
	"context"
	"encoding/json"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/cupel-dev/cupel/internal/racetest"
	"github.com/cupel-dev/cupel/trace"
	"github.com/cupel-dev/cupel/trace/internal/session"
	"github.com/cupel-dev/cupel/trace/internal/stream"
)

// conclusion is what must not depend on how many runs a log was read in.
type conclusion struct {
	Outcome stream.Outcome
	Errors  []string
	Warned  []string // of lines
	State   string   // as JSON, all that a later run gets of it
}

// inSteps reads a log in runs that end after the given numbers of lines.
func inSteps(t *testing.T, s sample, ends []int) (c conclusion) {
	t.Helper()
	opt := session.Options{Growing: true, Keys: fixedKeys}
	start := 0
	for _, end := range ends {
		a := check(t, s.family, s.lines[start:end], start, opt)
		c.Outcome, start, opt.Resume = a.Outcome, end, a.state
		c.Errors = append(c.Errors, a.errors()...)
		c.Warned = append(c.Warned, a.warnings()...)
	}
	if opt.Resume.Rejected {
		c.Errors, c.Warned = nil, nil // each run says what it sees, and a rejection hides the rest
	}
	opt.Resume.ToolIDs = sortedIDs(opt.Resume.ToolIDs)
	text, err := json.Marshal(opt.Resume)
	if err != nil {
		t.Fatal(err)
	}
	c.State = string(text)
	return c
}

// sortedIDs puts the 16 bytes of each tool call in order: their own order depends on
// how the set has grown.
func sortedIDs(list []byte) []byte {
	return bytes.Join(slices.SortedFunc(slices.Chunk(list, 16), bytes.Compare), nil)
}

// TestStepsEqualOneRun: a log that is read in steps, each going on from the state that
// the one before has left, comes to the same conclusion and to the same state as one
// that is read at once. It is cut after each of its lines in turn, then after every
// line, then anywhere.
func TestStepsEqualOneRun(t *testing.T) {
	ways, rejected, logs := 0, 0, 150/racetest.Step(t)
	samples(logs, func(s sample) {
		n := len(s.lines)
		want := inSteps(t, s, []int{n})
		if want.Outcome.Integrity == stream.IntegrityRejected {
			rejected++
		}
		check := func(ends []int) {
			ways++
			if diff := cmp.Diff(want, inSteps(t, s, ends)); diff != "" {
				t.Fatalf("%s, in runs up to the lines %d (-at once +in steps):\n%s\n%s", s.name, ends, diff, strings.Join(s.lines, "\n"))
			}
		}
		all := []int{}
		for i := firstRecord(s.lines) + 1; i <= n; i++ {
			all = append(all, i)
			check([]int{i, n})
		}
		if len(all) == 0 {
			return
		}
		check(all)
		random := rand.New(rand.NewPCG(uint64(n), 3))
		for range 5 {
			cuts := []int{all[random.IntN(len(all))], all[random.IntN(len(all))], n}
			slices.Sort(cuts)
			check(cuts)
		}
	})
	t.Logf("%d logs, %d of them rejected, read in %d ways", logs, rejected, ways)
}

// reportOf returns a report as JSON, without the sentence that a second engine adds when it
// could not check the rules again.
func reportOf(t *testing.T, r *trace.Report) []byte {
	t.Helper()
	r.NotCovered = slices.DeleteFunc(r.NotCovered, func(sentence string) bool { return strings.HasPrefix(sentence, "the rules a second time: ") })
	text, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// TestEnginesAgree: both engines come to the same report.
func TestEnginesAgree(t *testing.T) {
	samples(200/racetest.Step(t), func(s sample) {
		var want []byte
		for _, engine := range []trace.Engine{trace.Fast, trace.Reference, trace.Both} {
			r, err := trace.Verify(context.Background(), strings.NewReader(strings.Join(s.lines, "\n")), trace.Options{Engine: engine, Jobs: 1})
			if err != nil {
				t.Fatalf("%s, %s: %v", s.name, engine, err)
			}
			got := reportOf(t, r)
			if engine == trace.Fast {
				want = got
			} else if !bytes.Equal(got, want) {
				t.Errorf("%s: another report by the engine %s (%s)", s.name, engine, firstDifference(want, got))
			}
		}
	})
}
