package check

import (
	"cmp"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/cupel-dev/cupel/attest/internal/drift"
)

// TestThresholdReads checks that the words and the numbers agree with the outcome for a score, however close it is to
// the threshold.
func TestThresholdReads(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		earlier := rapid.SliceOfN(rapid.Float64Range(0, 1), 10, 50).Draw(t, "earlier scores")
		limit := threshold{value: 0.7, dynamic: true}.against(drift.Of(earlier))
		nearby := rapid.Map(rapid.Float64Range(-1e-3, 1e-3), func(d float64) float64 { return max(0, min(limit.value+d*d*d, 1)) })
		score := rapid.OneOf(nearby, rapid.Float64Range(0, 1), rapid.Just(limit.value)).Draw(t, "score")
		r := limit.judge(score)
		word, rest, _ := strings.Cut(r.sentence, " threshold ")
		shown, _, _ := strings.Cut(rest, " ")
		written, err := strconv.ParseFloat(shown, 64)
		if err != nil {
			t.Fatal(err)
		}
		said := map[string]int{"exceeds": 1, "meets": 0, "is below": -1}[word]
		printed, _ := strconv.ParseFloat(rounded(score, limit.value), 64)
		if (said >= 0) != (r.outcome == held) || cmp.Compare(score, written) != said || cmp.Compare(printed, written) != said || r.source != fromPast {
			t.Fatalf("score %v, written %v: %+v", score, printed, r)
		}
	})
}
