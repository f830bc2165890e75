//go:build unix

package commands_test

import (
	"os"
	"runtime"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/cupel-dev/cupel/internal/racetest"
)

// lawRuns is how often a process of a law runs each command line: CUPEL_LAWS, which `make laws` sets, or twice.
func lawRuns(t *testing.T) int {
	t.Helper()
	n, err := strconv.Atoi(os.Getenv("CUPEL_LAWS"))
	if err != nil || n < 1 {
		return 2
	}
	return n
}

// oversubscribe runs do on eight threads for each processor, which as many busy goroutines want too. With CUPEL_LAWS
// other processes keep the processors busy.
func oversubscribe(do func()) {
	if os.Getenv("CUPEL_LAWS") != "" {
		do()
		return
	}
	threads := 8 * runtime.NumCPU()
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(threads))
	var stop atomic.Bool
	var busy sync.WaitGroup
	for range threads {
		busy.Go(func() {
			for n := 0; !stop.Load(); n++ {
				if n%1024 == 0 {
					runtime.Gosched()
				}
			}
		})
	}
	defer busy.Wait()
	defer stop.Store(true)
	do()
}

// TestNoClockDecides: a run on processors that are oversubscribed eight times prints what a run on idle ones
// prints, and leaves the same files and exit code.
func TestNoClockDecides(t *testing.T) {
	layFaulty(t)
	before := filesHere(t)
	runs := lawRuns(t)
	for _, line := range racetest.Large(t, 10, faultyRuns()) {
		sound := runFaulty(t, line, nil)
		putBack(t, sound.files, before)
		oversubscribe(func() {
			for range runs - 1 {
				got := runFaulty(t, line, nil)
				putBack(t, got.files, before)
				if diff := cmp.Diff(sound.ran, got.ran, cmp.AllowUnexported(ran{})); diff != "" || !sameFiles(sound.files, got.files) {
					t.Errorf("cupel %s: two runs differ (-idle +busy):\n%s\n%s", line, diff, cmp.Diff(sound.files, got.files))
					return
				}
			}
		})
		t.Logf("%d runs: cupel %s", runs, line)
	}
}
