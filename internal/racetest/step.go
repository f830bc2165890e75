// Package racetest shortens, under the race detector, loops over so many cases that few of
// them tell it all.
package racetest

import (
	"flag"
	"iter"
	"os"
	"strconv"
	"testing"
)

// Step is by how much a loop goes on that has one goroutine only, or does the same with
// several thousands of times: 1, and 11 under the race detector, which makes such a loop
// several times slower and sees nothing new in most of it. Then it is logged, in the caller's
// name. A test without the detector always has all cases.
func Step(t testing.TB) int {
	t.Helper()
	if step > 1 {
		t.Logf("1 case in %d, under the race detector", step)
	}
	return step
}

// Some yields the elements of a list, with their indexes, a Step from one to the next: of a
// list with elements at least one. The first is drawn by the seed of the laws, RAPID_SEED,
// so that each commit has others where the seed is drawn from its tree.
func Some[T any](t testing.TB, list []T) iter.Seq2[int, T] {
	t.Helper()
	step, seed := Step(t), seed()
	return func(yield func(int, T) bool) {
		for i := first(seed, step, len(list)); i < len(list) && yield(i, list[i]); i += step {
		}
	}
}

// first is the place of the first element, of so many.
func first(seed uint64, step, elements int) int {
	if elements == 0 {
		return 0
	}
	return int(seed % uint64(min(step, elements)))
}

// laws is how many cases of each law are drawn under the detector, of the 100 that there are
// else.
const laws = "12"

// FewerLaws has the laws of a package draw fewer cases under the detector, unless the
// command line or the environment says how many. It is for a TestMain.
func FewerLaws() {
	const name = "rapid.checks"
	if step > 1 && os.Getenv("RAPID_CHECKS") == "" && flag.Lookup(name) != nil {
		if err := flag.Set(name, laws); err != nil {
			panic(err) // a bug: it is a number
		}
	}
}

// Met fails a test whose law met no case of a kind, for it proves nothing of it. Where the law drew
// fewer cases than it does without the detector, a rare kind may be missed by chance: then that is logged
// alone, in the caller's name.
func Met(t testing.TB, kind string, cases int) {
	t.Helper()
	switch {
	case cases > 0:
	case step > 1:
		t.Logf("no case of %s, of the few that are drawn under the race detector", kind)
	default:
		t.Errorf("no case of %s", kind)
	}
}

// seed is the seed of the laws; 0 where there is none.
func seed() uint64 {
	n, err := strconv.ParseUint(os.Getenv("RAPID_SEED"), 0, 64)
	if err != nil {
		return 0
	}
	return n
}
