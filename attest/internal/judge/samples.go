package judge

import (
	"fmt"
	"math"
	"runtime/debug"
	"slices"
	"sync"
)

// Grade is the combined result of a judge's samples.
type Grade struct {
	Score        float64 // the median
	Reason       string  // of the first sample that is next to the median
	Model        string  // that gave it
	PromptHash   string
	Scores       []float64 // in the order of the samples
	Mean, Stddev float64   // of the scores; the deviation is that of a population
	Cost         float64   // USD, of all replies
}

// varies is the spread beyond which the samples of a judge do not agree.
const varies = 0.2

// Spread returns the difference between the highest and the lowest score.
func (g Grade) Spread() float64 {
	return exactly(slices.Max(g.Scores) - slices.Min(g.Scores))
}

// HighVariance reports whether the samples disagree.
func (g Grade) HighVariance() bool { return g.Spread() > varies }

// sumUp combines samples. It returns the first sample's error and the cost of all.
func sumUp(samples []sample, promptHash string) (g Grade, err error) {
	g.PromptHash = promptHash
	for _, s := range samples {
		g.Cost += s.cost
		g.Scores = append(g.Scores, s.opinion.Score)
		if err == nil {
			err = s.err
		}
	}
	g.Cost = math.Round(g.Cost*1e12) / 1e12 // three times 0.0001 is 0.0003
	if err != nil {
		return Grade{Cost: g.Cost}, err
	}
	g.Score = median(g.Scores)
	g.Mean, g.Stddev = deviation(g.Scores)
	speaker := samples[0]
	for _, s := range samples[1:] {
		if math.Abs(s.opinion.Score-g.Score) < math.Abs(speaker.opinion.Score-g.Score) {
			speaker = s
		}
	}
	g.Reason, g.Model = speaker.opinion.Reason, speaker.model
	return g, nil
}

func median(scores []float64) float64 {
	sorted := slices.Sorted(slices.Values(scores))
	high := sorted[len(sorted)/2]
	if len(sorted)%2 == 1 {
		return high
	}
	return exactly((sorted[len(sorted)/2-1] + high) / 2)
}

func deviation(scores []float64) (mean, stddev float64) {
	for _, score := range scores {
		mean += score / float64(len(scores))
	}
	for _, score := range scores {
		stddev += (score - mean) * (score - mean) / float64(len(scores))
	}
	return exactly(mean), exactly(math.Sqrt(stddev))
}

// exactly removes binary rounding errors: 0.9 - 0.7 is 0.2.
func exactly(f float64) float64 { return math.Round(f*1e9) / 1e9 }

// together calls f with 0 to n-1 concurrently and waits. A panic is passed on with its stack.
func together(n int, f func(i int)) {
	if n == 1 {
		f(0)
		return
	}
	var all sync.WaitGroup
	panics := make([]any, n)
	for i := range n {
		all.Go(func() {
			defer func() {
				if value := recover(); value != nil {
					panics[i] = fmt.Sprintf("%v\n%s", value, debug.Stack())
				}
			}()
			f(i)
		})
	}
	all.Wait()
	for _, value := range panics {
		if value != nil {
			panic(value)
		}
	}
}
