// Package drift describes the distribution of an assertion's scores and how far the latest score deviates.
package drift

import "math"

const (
	// Window is the default number of scores.
	Window = 50

	// Least is the minimum number of scores for judging the latest.
	Least = 10

	// Bounds is the number of standard deviations from the mean that count as normal.
	Bounds = 2
)

// Stats are the statistics of scores. The zero value has no scores.
type Stats struct {
	Count        int
	Mean, StdDev float64 // StdDev is that of the scores themselves, not an estimate from a sample
	Latest       float64
}

// Of returns the statistics of scores, latest last.
func Of(scores []float64) Stats {
	n := float64(len(scores))
	if n == 0 {
		return Stats{}
	}
	// Scores are relative to the first, so that equal scores have an exact mean and no deviation.
	first, sum := scores[0], 0.0
	for _, x := range scores {
		sum += x - first
	}
	s := Stats{Count: len(scores), Mean: first + sum/n, Latest: scores[len(scores)-1]}
	squares := 0.0
	for _, x := range scores {
		squares += (x - s.Mean) * (x - s.Mean)
	}
	s.StdDev = math.Sqrt(squares / n)
	return s
}

// Deviation returns the signed distance of the latest score from the mean in standard deviations, 0 for equal scores.
func (s Stats) Deviation() float64 {
	if s.StdDev == 0 {
		return 0
	}
	return (s.Latest - s.Mean) / s.StdDev
}

// Drifted reports whether the latest score deviates too much.
func (s Stats) Drifted() bool { return s.Count >= Least && math.Abs(s.Deviation()) > Bounds }

// Threshold returns the lowest normal score; ok is false with too few scores. It is rounded to twelve decimals, so
// that float errors do not matter at the boundary.
func (s Stats) Threshold() (value float64, ok bool) {
	value = math.Round((s.Mean-Bounds*s.StdDev)*1e12) / 1e12
	return max(0, min(value, s.Mean)), s.Count >= Least
}
