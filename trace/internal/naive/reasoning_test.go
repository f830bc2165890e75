package naive_test

import (
	"bytes"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/cupel-dev/cupel/internal/door"
	"github.com/cupel-dev/cupel/internal/racetest"
	"github.com/cupel-dev/cupel/trace"
	"github.com/cupel-dev/cupel/trace/internal/naive"
)

// run is a run folder and the trace in it, perhaps a damaged one.
type run struct {
	dir   string
	trace []byte
}

// runsAgree compares both answers on a run; known is false for one that the naive checker
// does not take.
func runsAgree(t testing.TB, r run, strict bool) (difference string, known bool) {
	t.Helper()
	folder, err := door.Open(r.dir)
	if err != nil {
		t.Fatal(err)
	}
	defer folder.Close()
	given := naive.Run{Trace: r.trace, Folder: folder, Evidence: folder, Strict: strict, Contiguous: strict, CheckIDs: strict}
	given.Plan, _ = os.ReadFile(filepath.Join(r.dir, "plan.json")) // nil without a plan
	want, err := naive.Reasoning(t.Context(), given)
	if err != nil || isArray(r.trace) {
		return "", false
	}
	opt := trace.Options{Strict: strict}
	opt.Reasoning = trace.ReasoningOptions{Run: folder, Contiguous: strict, CheckIDs: strict}
	report, got := verified(t, r.trace, naive.ReasoningRules, opt)
	if string(report.Verdict) == want.Integrity && slices.Equal(got, want.Statements) {
		return "", true
	}
	return fmt.Sprintf("checker %s %v\nnaive   %s %v", report.Verdict, got, want.Integrity, want.Statements), true
}

// runs returns the runs that the project ships and those of CUPEL_VECTORS.
func runs(t testing.TB) (list []run) {
	t.Helper()
	for _, root := range []string{"../../../testdata/examples/trace", os.Getenv("CUPEL_VECTORS")} {
		if root == "" {
			t.Log("CUPEL_VECTORS is not set: only the project's own runs")
			continue
		}
		err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.Name() != "trace.jsonl" {
				return err
			}
			text, err := os.ReadFile(path)
			list = append(list, run{filepath.Dir(path), text})
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if len(list) < 10 {
		t.Fatalf("only %d runs were found", len(list))
	}
	return list
}

// TestRuns compares the answers on every run and on damaged copies of its trace.
func TestRuns(t *testing.T) {
	compared, step := 0, racetest.Step(t)
	for i, r := range racetest.Some(t, runs(t)) {
		random := rand.New(rand.NewPCG(uint64(i), 5))
		whole := r.trace
		for round := range 10 {
			if r.trace = whole; round > 0 {
				r.trace = damaged(random, whole)
			}
			if round%5 == 4 {
				r.trace = respelled(random, r.trace)
			}
			if difference, known := runsAgree(t, r, round%3 == 1); difference != "" {
				t.Fatalf("%s, round %d:\n%s\n%.3000s", r.dir, round, difference, r.trace)
			} else if known {
				compared++
			}
		}
	}
	if compared == 0 || step == 1 && compared < 60 {
		t.Fatalf("only %d runs were compared", compared)
	}
	t.Logf("%d runs compared", compared)
}

// FuzzRuns looks for a trace on which the answers differ.
func FuzzRuns(f *testing.F) { // slow: runs several engines
	list := runs(f)[:10] // the project's own
	for i, r := range list {
		f.Add(r.trace, uint8(i), uint64(1))
	}
	f.Fuzz(func(t *testing.T, text []byte, which uint8, seed uint64) {
		if len(text) > 32<<10 || bytes.Count(text, []byte("[")) > 500 {
			return
		}
		random := rand.New(rand.NewPCG(seed, 9))
		for _, text := range [][]byte{text, damaged(random, text), respelled(random, text)} {
			r := run{list[int(which)%len(list)].dir, text}
			if difference, _ := runsAgree(t, r, seed%2 == 0); difference != "" {
				t.Fatalf("%s\n%q", difference, text)
			}
		}
	})
}
