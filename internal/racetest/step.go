// Package racetest shortens, under the race detector, loops over so many cases that few of
// them tell it all.
package racetest

import (
	"iter"
	"testing"
)

// Step is by how much a loop goes on that has one goroutine only, or does the same with
// several thousands of times: 1, and 7 under the race detector, which makes such a loop
// several times slower and sees nothing new in most of it. Then it is logged, in the caller's
// name. A test without the detector always has all cases.
func Step(t testing.TB) int {
	t.Helper()
	if step > 1 {
		t.Logf("1 case in %d, under the race detector", step)
	}
	return step
}

// Some yields the elements of a list, with their indexes, a Step from one to the next.
func Some[T any](t testing.TB, list []T) iter.Seq2[int, T] {
	t.Helper()
	step := Step(t)
	return func(yield func(int, T) bool) {
		for i := 0; i < len(list) && yield(i, list[i]); i += step {
		}
	}
}
