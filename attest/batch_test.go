package attest

import (
	"context"
	"testing"

	"github.com/cupel-dev/cupel/internal/strictjson"
)

// paidCheck stands for a check that calls a provider.
type paidCheck struct{ calls *int }

func (j paidCheck) evaluate(context.Context, *trace) verdict {
	*j.calls++
	return passed(strictjson.Node{}, "The judge is content.")
}

// TestShortCircuit: a hard failure in layers 1 to 4 saves the calls of later layers,
// and every assertion still has its result.
func TestShortCircuit(t *testing.T) {
	for _, c := range []struct {
		name   string
		off    bool // NoShortCircuit
		first  outcome
		soft   bool
		status string
		calls  int
	}{
		{"a hard failure skips", false, violated, false, SoftFail, 0},
		{"a soft failure does not", false, violated, true, Pass, 1},
		{"nor does a pass", false, held, false, Pass, 1},
		{"switched off", true, violated, false, Pass, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			e := NewEngine(Options{NoShortCircuit: c.off})
			calls := 0
			first := compiledSpec{soft: c.soft, check: traceCheck(func(*trace) verdict { return verdict{outcome: c.first} })}
			results, err := e.evaluateAll(context.Background(), e.workspace(), []assertion{
				{id: "judge", layer: 6, compiledSpec: compiledSpec{check: paidCheck{&calls}}},
				{id: "order", layer: 3, compiledSpec: first},
			})
			if err != nil {
				t.Fatal(err)
			}
			judge := results[0]
			if judge.AssertionID != "judge" || judge.Status != c.status || calls != c.calls || judge.Skipped != (calls == 0) {
				t.Errorf("got %+v after %d calls", judge, calls)
			}
			if judge.Skipped && judge.Explanation != "Skipped: assertion 'order' failed in an earlier layer." {
				t.Error(judge.Explanation)
			}
		})
	}
}
