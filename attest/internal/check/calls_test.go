package check

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/cupel-dev/cupel/attest/internal/trace"
)

// TestFindCalls compares the linear search for a sequence with the obvious one.
func TestFindCalls(t *testing.T) {
	name := rapid.Int32Range(0, 2)
	rapid.Check(t, func(t *rapid.T) {
		in := rapid.SliceOfN(name, 0, 20).Draw(t, "in")
		wanted := rapid.SliceOfN(name, 1, 5).Draw(t, "wanted")
		steps := make([]trace.Step, len(in))
		var want []int32
		for i := range in {
			steps[i] = trace.Step{Name: in[i], Call: true}
			if want == nil && i+len(wanted) <= len(in) && slices.Equal(in[i:i+len(wanted)], wanted) {
				for j := range wanted {
					want = append(want, int32(i+j))
				}
			}
		}
		tr := trace.Trace{Steps: steps}
		if got := findCalls(&tr, wanted, make([]bool, 3)); !slices.Equal(got, want) {
			t.Fatalf("got %v, want %v", got, want)
		}
	})
}
