// Package drift says how the scores of an assertion lie, and how far the latest of them is
// from the others.
package drift

import "math"

const (
	// Window is how many of the last scores count when nobody says how many.
	Window = 50

	// Least is how many scores there have to be before one of them is judged by the others.
	Least = 10

	// Bounds is how many standard deviations from the mean are nothing to speak of.
	Bounds = 2
)

// Stats is what scores say together. The zero value is that of no scores.
type Stats struct {
	Count        int
	Mean, StdDev float64 // StdDev is that of the scores themselves, not an estimate from a sample
	Latest       float64
}

// Of returns the statistics of scores, of which the last is the latest.
func Of(scores []float64) Stats {
	n := float64(len(scores))
	if n == 0 {
		return Stats{}
	}
	// From the first score on, so that equal scores have themselves as their mean, and no deviation.
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

// Deviation is how many standard deviations the latest score lies above the mean; it is
// negative below it, and 0 when all scores are equal.
func (s Stats) Deviation() float64 {
	if s.StdDev == 0 {
		return 0
	}
	return (s.Latest - s.Mean) / s.StdDev
}

// Drifted says whether the latest score lies out of bounds.
func (s Stats) Drifted() bool { return s.Count >= Least && math.Abs(s.Deviation()) > Bounds }

// Threshold is the least score that lies within the bounds, or above; ok is false when there
// are too few scores to say. It has twelve decimals: a score that lies on the bound must not
// be judged by what the arithmetic of floats leaves behind them.
func (s Stats) Threshold() (value float64, ok bool) {
	value = math.Round((s.Mean-Bounds*s.StdDev)*1e12) / 1e12
	return max(0, min(value, s.Mean)), s.Count >= Least
}
