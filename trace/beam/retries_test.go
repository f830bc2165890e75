package main

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/cupel-dev/cupel/internal/racetest"
)

// mortal is the context of a worker that dies at one of the places where it asks for its end.
type mortal struct {
	context.Context
	left int
}

func (m *mortal) Err() error {
	if m.left--; m.left < 0 {
		return context.Canceled
	}
	return m.Context.Err()
}

// tried does an engine's work as an engine that retries does: some workers die in the middle of
// it, and what they emitted is dropped; what the one that comes to the end emitted is delivered
// once, or again by another one that did the same.
func tried[T any](t *testing.T, random *rand.Rand, died *int, work func(ctx context.Context, emit func(T)) error) (delivered []T) {
	t.Helper()
	done := 0
	for tries := 1; done == 0 || random.IntN(3) == 0; tries++ {
		var emitted []T
		err := work(&mortal{t.Context(), random.IntN(8 * tries)}, func(one T) { emitted = append(emitted, one) })
		switch {
		case err == nil:
			done++
			delivered = append(delivered, emitted...)
		case errors.Is(err, context.Canceled):
			*died++
		default:
			t.Fatal(err)
		}
	}
	return delivered
}

// TestEngineThatRetries: workers die in the middle of a range, of a merge's report and of writing
// columns, others do it again, parts are delivered twice and in any order, and merged as trees of
// any form, through their coders: the report is that of one run, byte for byte, and no worker's
// death is a fault of the log.
func TestEngineThatRetries(t *testing.T) {
	long := longLog(t)
	died, reports := 0, 0
	for seed := range 12 / racetest.Step(t) {
		random := rand.New(rand.NewPCG(uint64(seed), 20))
		name, split := long, int64(200_000+random.IntN(1_000_000))
		if seed%2 == 1 {
			name, split = cutLog(t, long, random), int64(1_000+random.IntN(50_000))
		}
		want := plain(t, name)
		terms := newJob("out").terms
		var tasks []task
		verify := &verifyFn{Terms: terms, Split: split, All: true}
		if err := verify.Setup(); err != nil {
			t.Fatal(err)
		}
		tasks = slices.CompactFunc(slices.SortedFunc(slices.Values(tried(t, random, &died, func(ctx context.Context, emit func(task)) error {
			return verify.ProcessElement(ctx, name, func(r result) { t.Error(r.Failure) }, emit)
		})), func(a, b task) int { return int(a.Start - b.Start) }), func(a, b task) bool { return a.Start == b.Start })
		summarize, report := &summarizeFn{Terms: terms, Output: "out"}, &reportFn{Terms: terms}
		if err := errors.Join(summarize.Setup(), report.Setup()); err != nil {
			t.Fatal(err)
		}
		var parts []part
		for _, one := range tasks {
			parts = append(parts, tried(t, random, &died, func(ctx context.Context, emit func(part)) error {
				return summarize.ProcessElement(ctx, one, func(_ string, p part) { emit(carried(t, p)) })
			})...)
		}
		random.Shuffle(len(parts), func(i, k int) { parts[i], parts[k] = parts[k], parts[i] })
		for len(parts) > 1 {
			i := random.IntN(len(parts) - 1)
			parts[i] = carried(t, (&mergeFn{}).MergeAccumulators(parts[i], parts[len(parts)-1]))
			parts = parts[:len(parts)-1]
		}
		for _, got := range tried(t, random, &died, func(ctx context.Context, emit func(result)) error {
			return report.ProcessElement(ctx, name, parts[0], emit)
		}) {
			if reports++; got.Failure != "" || !bytes.Contains(withoutCauses(want), withoutCauses(got.Report)) {
				t.Errorf("seed %d: %q, another report than one run's", seed, got.Failure)
			}
		}
	}
	if died < reports {
		t.Errorf("%d workers died", died)
	}
	t.Logf("%d workers died, %d reports", died, reports)
}

// cutLog returns a log without some of the bytes of another.
func cutLog(t *testing.T, name string, random *rand.Rand) string {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	text = text[:len(text)/4]
	for range 1 + random.IntN(5) {
		at := random.IntN(len(text) - 1000)
		text = slices.Delete(text, at, at+random.IntN(1000))
	}
	if err := os.WriteFile("cut.jsonl", text, 0o666); err != nil {
		t.Fatal(err)
	}
	return "cut.jsonl"
}

// TestSessionsOnAnEngineThatRetries is TestEngineThatRetries for the sessions of several files.
func TestSessionsOnAnEngineThatRetries(t *testing.T) {
	names := mixed(t)
	want := plainSessions(t, names)
	terms := newJob("out").terms
	died := 0
	for seed := range 6 / min(6, racetest.Step(t)) {
		random := rand.New(rand.NewPCG(uint64(seed), 21))
		split := int64(300 + random.IntN(20_000))
		var lakes []logFacts
		var files []logFile
		list := &listFn{Inputs: names}
		if err := list.ProcessElement(t.Context(), nil, func(f logFile) { files = append(files, f) }, func(l logFacts) { lakes = append(lakes, l) }); err != nil {
			t.Fatal(err)
		}
		parts := map[string][]sessionPart{}
		divide := &divideFn{Terms: terms, Output: "out"}
		type known struct {
			key  string
			part sessionPart
			lake *logFacts
		}
		for _, f := range files {
			ranges := tried(t, random, &died, func(ctx context.Context, emit func(fileRange)) error {
				return (&cutFn{Terms: terms, Split: split}).ProcessElement(ctx, f, emit, func(l logFacts) { t.Error(l.faults) })
			})
			for _, r := range ranges {
				for _, k := range tried(t, random, &died, func(ctx context.Context, emit func(known)) error {
					return divide.ProcessElement(ctx, r, func(key string, p sessionPart) { emit(known{key: key, part: p}) }, func(l logFacts) { emit(known{lake: &l}) })
				}) {
					if k.lake != nil {
						lakes = append(lakes, *k.lake)
						continue
					}
					parts[k.key] = append(parts[k.key], k.part)
				}
			}
		}
		var got []string
		for key, list := range parts {
			one, err := session(t, key, lakes, list)
			if err != nil || one.Failure != "" {
				t.Fatalf("seed %d, %q: %q, %v", seed, key, one.Failure, err)
			}
			got = append(got, string(withoutCauses(one.Report)))
		}
		if slices.Sort(got); !slices.Equal(got, want) {
			t.Errorf("seed %d: %d sessions, want %d, or another report", seed, len(got), len(want))
		}
	}
	if died == 0 {
		t.Error("no worker died")
	}
	t.Logf("%d workers died", died)
}

// TestWorkerThatWasKilled checks that the columns of a killed worker are not a part of the answer, and are removed
// with the others; files of other programs stay.
func TestWorkerThatWasKilled(t *testing.T) {
	name := longLog(t)
	for _, theirs := range []string{"", "theirs.txt"} {
		out := t.TempDir()
		folder := filepath.Join(out, columnsFolder)
		err := errors.Join(os.Mkdir(folder, 0o777), os.WriteFile(filepath.Join(folder, ".cupel-ABC"), []byte("half"), 0o666))
		if theirs != "" {
			err = errors.Join(err, os.WriteFile(filepath.Join(folder, theirs), nil, 0o666))
		}
		if err != nil {
			t.Fatal(err)
		}
		j := newJob(out, name)
		j.mode, j.split = modeRanges, longRange
		if got, err := finish(t, j); err != nil || got.verdict() != nil {
			t.Errorf("%v, %v", got, err)
		}
		left, err := os.ReadDir(folder)
		if theirs == "" && !errors.Is(err, fs.ErrNotExist) || theirs != "" && (err != nil || len(left) != 1) {
			t.Errorf("left of the columns: %v, %v", left, err)
		}
	}
}
