package drift_test

import (
	"math"
	"math/big"
	"testing"

	"pgregory.net/rapid"

	"github.com/cupel-dev/cupel/attest/internal/drift"
)

// rounding is what separates the arithmetic of floats from that of fractions.
const rounding = 1e-12

// TestAgainstFractions compares the statistics with those of exact arithmetic: the mean, and
// the variance as the mean of the squares without the square of the mean.
func TestAgainstFractions(t *testing.T) {
	anyScore := rapid.Float64Range(0, 1)
	rapid.Check(t, func(t *rapid.T) {
		few := rapid.SliceOfN(anyScore, 1, 3).Draw(t, "few different scores")
		scores := rapid.SliceOfN(rapid.OneOf(anyScore, rapid.SampledFrom(few)), 1, 120).Draw(t, "scores")
		got := drift.Of(scores)

		mean, squares, n := new(big.Rat), new(big.Rat), new(big.Rat).SetInt64(int64(len(scores)))
		for _, x := range scores {
			exact := new(big.Rat).SetFloat64(x)
			mean.Add(mean, exact)
			squares.Add(squares, exact.Mul(exact, exact))
		}
		mean.Quo(mean, n)
		variance := squares.Quo(squares, n)
		variance.Sub(variance, new(big.Rat).Mul(mean, mean))

		wantMean, _ := mean.Float64()
		wantVariance, _ := variance.Float64()
		near(t, "mean", got.Mean, wantMean)
		near(t, "variance", got.StdDev*got.StdDev, wantVariance)
		latest := scores[len(scores)-1]
		if got.Count != len(scores) || got.Latest != latest {
			t.Fatalf("%d scores, latest %v", got.Count, got.Latest)
		}
		near(t, "deviation in scores", got.Deviation()*got.StdDev, latest-wantMean)
		threshold, ok := got.Threshold()
		near(t, "threshold", threshold, max(0, wantMean-2*math.Sqrt(wantVariance)))
		if ok != (len(scores) >= 10) || !ok && got.Drifted() {
			t.Fatalf("%d scores: threshold %v, drifted %v", len(scores), ok, got.Drifted())
		}
		if away := math.Abs(latest-wantMean) - 2*math.Sqrt(wantVariance); ok && math.Abs(away) > rounding && got.Drifted() != (away > 0) {
			t.Fatalf("drifted %v, %v beyond the bounds", got.Drifted(), away)
		}
	})
}

func near(t *rapid.T, what string, got, want float64) {
	t.Helper()
	if math.Abs(got-want) > rounding {
		t.Fatalf("%s %v, want %v", what, got, want)
	}
}

// TestEqualScores have no deviation, and pass a threshold that is made of them: a score is
// never judged by what rounding has left.
func TestEqualScores(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		score := rapid.Float64Range(0, 1).Draw(t, "score")
		scores := make([]float64, rapid.IntRange(1, 200).Draw(t, "number"))
		for i := range scores {
			scores[i] = score
		}
		s := drift.Of(scores)
		if threshold, _ := s.Threshold(); s.Mean != score || s.StdDev != 0 || s.Deviation() != 0 || s.Drifted() || threshold > score || threshold < score-rounding {
			t.Fatalf("%+v", s)
		}
	})
}

func TestNoScores(t *testing.T) {
	s := drift.Of(nil)
	if _, ok := s.Threshold(); s != (drift.Stats{}) || s.Deviation() != 0 || s.Drifted() || ok {
		t.Errorf("%+v", s)
	}
}
