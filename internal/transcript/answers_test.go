package transcript

import (
	"maps"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// copies draws copies of a few calls.
func copies(t *rapid.T) (list []ModelCall) {
	for range rapid.IntRange(0, 12).Draw(t, "copies") {
		c := ModelCall{
			Key: rapid.Uint64Range(0, 3).Draw(t, "key"), Request: rapid.Uint64Range(0, 2).Draw(t, "request") << 33,
			Side: rapid.Bool().Draw(t, "side"), Model: rapid.SampledFrom([]string{"", "a", "b"}).Draw(t, "model"),
			Usage: Usage{Known: true, Input: rapid.Int64Range(0, 3).Draw(t, "input"), Output: rapid.SampledFrom([]int64{0, 1, 2, 1 << 40}).Draw(t, "output")},
		}
		c.Usage.Total = c.Usage.Input + c.Usage.Output
		if rapid.Bool().Draw(t, "reasons") {
			c.Usage.Reasoning = c.Usage.Output
		}
		list = append(list, c)
	}
	return list
}

// naive counts calls with all copies held: of equal keys and requests the largest, and of a key no
// subagent's where the main thread has one.
func naive(list []ModelCall) (total int64) {
	type id struct{ key, request uint64 }
	largest, main, thread := map[id]int64{}, map[id]bool{}, map[uint64]bool{}
	for _, c := range list {
		if c.Key == 0 {
			total += c.Usage.Total
			continue
		}
		at := id{c.Key, c.Request}
		largest[at] = max(largest[at], c.Usage.Total)
		main[at] = main[at] || !c.Side
		thread[c.Key] = thread[c.Key] || !c.Side
	}
	for at, n := range largest {
		if main[at] || !thread[at.key] {
			total += n
		}
	}
	return total
}

// TestAnswersHaveNoOrder holds that calls count once, in whatever order their copies come.
func TestAnswersHaveNoOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		list := copies(t)
		count := func(list []ModelCall) (total int64, models map[string]int64) {
			var a Answers
			models = map[string]int64{}
			for i := range list {
				a.Add(&list[i])
			}
			for c := range a.All() {
				total += c.Usage.Total
				models[c.Model] += c.Usage.Total
			}
			return total, models
		}
		total, models := count(list)
		if want := naive(list); total != want {
			t.Fatalf("%d tokens, want %d", total, want)
		}
		again, byModel := count(rapid.Permutation(slices.Clone(list)).Draw(t, "order"))
		if again != total || !maps.Equal(byModel, models) {
			t.Fatalf("%d %v, in another order %d %v", total, models, again, byModel)
		}
	})
}
