// Package racetest shortens long test loops: under the race detector, and large ones in every run but `make laws`.
package racetest

import (
	"flag"
	"iter"
	"os"
	"strconv"
	"testing"
)

// Step returns the stride for a loop that is single-threaded or repeats the same work thousands of
// times: 1, or 11 under the race detector, which is logged.
func Step(t testing.TB) int {
	t.Helper()
	if step > 1 {
		t.Logf("1 case in %d, under the race detector", step)
	}
	return step
}

// Some yields every Step-th element of a list with its index, at least one. RAPID_SEED selects the first one, so
// that the selection varies between commits.
func Some[T any](t testing.TB, list []T) iter.Seq2[int, T] {
	t.Helper()
	step, seed := Step(t), seed()
	return func(yield func(int, T) bool) {
		for i := first(seed, step, len(list)); i < len(list) && yield(i, list[i]); i += step {
		}
	}
}

// Large yields one element in share of a list, or one in share times Step under the race detector. With CUPEL_LAWS,
// which `make laws` sets, it yields all. It is for lists that take more than half a minute. RAPID_SEED varies the
// selection.
func Large[T any](t testing.TB, share int, list []T) iter.Seq2[int, T] {
	t.Helper()
	share = Share(t, share)
	stride, seed := share*Step(t), seed()
	return func(yield func(int, T) bool) {
		for i := first(seed, stride, len(list)); i < len(list) && yield(i, list[i]); i += stride {
		}
	}
}

// Share returns 1 with CUPEL_LAWS, which `make laws` sets, otherwise share: only one part in share of the work is
// done, and that is logged.
func Share(t testing.TB, share int) int {
	t.Helper()
	if os.Getenv("CUPEL_LAWS") != "" {
		return 1
	}
	t.Logf("1 part in %d, all with `make laws`", share)
	return share
}

func first(seed uint64, step, elements int) int {
	if elements == 0 {
		return 0
	}
	return int(seed % uint64(min(step, elements)))
}

// laws is the number of cases per property test under the race detector, instead of 100.
const laws = "12"

// FewerLaws reduces the cases in a package's property tests under the race detector, unless a flag or the
// environment sets the number. Call it from TestMain.
func FewerLaws() {
	const name = "rapid.checks"
	if step > 1 && os.Getenv("RAPID_CHECKS") == "" && flag.Lookup(name) != nil {
		if err := flag.Set(name, laws); err != nil {
			panic(err) // a bug: it is a number
		}
	}
}

// Met fails a property test that had no case of a kind, because it proves nothing about that kind. Under the race
// detector it only logs that.
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

func seed() uint64 {
	n, err := strconv.ParseUint(os.Getenv("RAPID_SEED"), 0, 64)
	if err != nil {
		return 0
	}
	return n
}
