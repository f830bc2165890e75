//go:build unix

package commands_test

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/cupel-dev/cupel/internal/door"
	"github.com/cupel-dev/cupel/internal/doortest"
	"github.com/cupel-dev/cupel/internal/racetest"
)

// TestCrashConsistency cuts the power after each change that a run makes to the disk, with
// all that was not synced lost, or there, or a part of it: each file of the user is the old
// or the new one, whole; a state is not newer than the report that led to it; and the next
// run works and writes what it would have written without the cut.
func TestCrashConsistency(t *testing.T) {
	layFaulty(t)
	before := filesHere(t)
	total, step := 0, racetest.Step(t)
	for _, line := range racetest.Some(t, faultyRuns()) {
		sound, journal := noted(t, line)
		if journal.Changes() == 0 || sound.code == 2 {
			putBack(t, sound.files, before)
			continue
		}
		again := runFaulty(t, line, nil)
		c := &crashTrial{line, before, sound, again}
		now, seen := again.files, map[string]bool{}
		for left := range journal.Crashes(here(t), before) {
			if total++; total%step != 0 {
				continue
			}
			c.judge(t, left)
			if key := fmt.Sprint(left); !seen[key] {
				seen[key] = true
				putBack(t, now, left)
				now = c.goOn(t)
			}
		}
		putBack(t, now, before)
		t.Logf("%3d changes, %3d kinds of remains: cupel %s", journal.Changes(), len(seen), line)
	}
	if total == 0 {
		t.Fatal("no run changes anything")
	}
	t.Logf("%d crashes", total)
}

func here(t *testing.T) string {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

// noted runs cupel and notes what it changes.
func noted(t *testing.T, line string) (outcome, *doortest.Journal) {
	t.Helper()
	journal := new(doortest.Journal)
	defer door.Use(journal.Disk(door.System()))()
	args, stdin := words(t, line)
	return runOnDisk(t, new(doortest.Faults), stdin, args), journal
}

// crashTrial is a command line whose run may be cut off.
type crashTrial struct {
	line   string
	before map[string]string
	sound  outcome // of a run that is not cut off
	again  outcome // of another one after it
}

// judge looks at what a crash has left.
func (c *crashTrial) judge(t *testing.T, left map[string]string) {
	t.Helper()
	for _, name := range slices.Sorted(maps.Keys(left)) {
		old, was := c.before[name]
		text, sound := left[name], c.sound.files[name]
		if !isTemporary(name) && (!was || text != old) && text != sound {
			t.Fatalf("cupel %s: a crash leaves %q in %q", c.line, cutTo(text), name)
		}
	}
	for name := range c.before {
		if _, there := left[name]; !there {
			t.Fatalf("cupel %s: a crash takes %q away", c.line, name)
		}
	}
	const state, report = "state", "out"
	if strings.Contains(c.line, "--state "+state) && strings.Contains(c.line, "="+report) && left[state] != c.before[state] && left[report] == c.before[report] {
		t.Fatalf("cupel %s: a crash leaves a state without its report", c.line)
	}
}

// goOn returns the next run, on what a crash has left.
func (c *crashTrial) goOn(t *testing.T) (now map[string]string) {
	t.Helper()
	got := runFaulty(t, c.line, nil)
	if got.code != c.sound.code && got.code != c.again.code {
		t.Fatalf("cupel %s: after a crash the exit code is %d, and not %d\n%s%s", c.line, got.code, c.sound.code, got.stdout, got.stderr)
	}
	for name, text := range got.files {
		if !isTemporary(name) && !alike(text, c.sound.files[name]) && !alike(text, c.again.files[name]) {
			t.Fatalf("cupel %s: after a crash %q holds %q", c.line, name, cutTo(text))
		}
	}
	return got.files
}

func isTemporary(name string) bool { return strings.HasPrefix(filepath.Base(name), ".cupel-") }
