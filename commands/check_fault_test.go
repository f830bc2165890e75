//go:build linux

package commands_test

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/cupel-dev/cupel/commands"
	"github.com/cupel-dev/cupel/internal/door"
	"github.com/cupel-dev/cupel/internal/doortest"
	"github.com/cupel-dev/cupel/internal/racetest"
	"github.com/cupel-dev/cupel/internal/report"
)

// checkedTexts are records of every kind, by their names.
func checkedTexts(t *testing.T) map[string]string {
	return map[string]string{
		"log.jsonl": logText, "run/trace.jsonl": traceText, "event.json": exampleText(t, "evidence/event.json"), "a.yaml": exampleText(t, "oatf/rug-pull.yaml"),
		"alone.json": exampleText(t, "attest/refund.json"), "trace.json": exampleText(t, "attest/refund.json"), "suite.yaml": suiteText,
	}
}

// layChecked goes to a new folder with them, and a suite's pair, in the folder in. It returns its
// path.
func layChecked(t *testing.T, texts map[string]string) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	check(t, err)
	t.Chdir(dir)
	for name, text := range texts {
		writeFile(t, filepath.Join("in", name), []byte(text))
	}
	writeFile(t, "in/cupel.yaml", []byte("attest: {pairs: [{suite: suite.yaml, traces: [trace.json]}]}\n"))
	return dir
}

// TestCheckOnFullDisk: a report in any format that cannot be written is exit code 2, said once.
func TestCheckOnFullDisk(t *testing.T) {
	layChecked(t, checkedTexts(t))
	for _, format := range report.Formats() {
		full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
		check(t, err)
		defer full.Close()
		for _, args := range [][]string{{"--format", format}, {"--format", format + "=/dev/full"}} {
			var stderr strings.Builder
			stdout := io.Writer(full)
			if strings.Contains(args[1], "=") {
				stdout = io.Discard
			}
			env := commands.Env{Context: t.Context(), Stdin: strings.NewReader(""), Stdout: stdout, Stderr: &stderr, Getenv: func(string) string { return "" }}
			code := commands.Main(env, slices.Concat([]string{"cupel", "check"}, args, []string{"in"}))
			if code != 2 || strings.Count(stderr.String(), "no space left") != 1 {
				t.Errorf("%q: exit code %d\n%s", args, code, stderr.String())
			}
		}
	}
}

// TestCheckEndsWithCtrlC interrupts a check at each of its calls to the system: it has ended before
// that mattered, or ends with 130, and each report is whole and says so.
func TestCheckEndsWithCtrlC(t *testing.T) {
	layChecked(t, checkedTexts(t))
	writeFile(t, "out", []byte("old"))
	before := filesHere(t)
	const line = "check --jobs 1 --format json --format html=out in"
	counted := new(doortest.Faults)
	sound := runFaulty(t, line, counted)
	putBack(t, sound.files, before)
	ended := map[int]int{}
	step := max(1, counted.Calls()/40) * racetest.Step(t)
	for at := 1; at <= counted.Calls(); at += step {
		ctx, interrupt := context.WithCancel(t.Context())
		var calls atomic.Int64
		faults := &doortest.Faults{Before: func(string, string) {
			if calls.Add(1) == int64(at) {
				interrupt()
			}
		}}
		restore := door.Use(faults.Disk(door.System()))
		got := runWithin(t, ctx, strings.NewReader(""), strings.Fields(line)...)
		restore()
		interrupt()
		files := filesHere(t)
		putBack(t, files, before)
		ended[got.code]++
		var doc struct{ Errors []string }
		names := slices.Sorted(maps.Keys(files))
		switch {
		case !slices.Equal(names, slices.Sorted(maps.Keys(sound.files))):
			t.Errorf("call %d: it leaves %v", at, names)
		case got.code == sound.code && settled(got.stdout) == sound.stdout && alike(files["out"], sound.files["out"]):
		case got.code != 130:
			t.Errorf("call %d: exit code %d\n%s", at, got.code, got.stderr)
		case got.stdout == "" && files["out"] == "old": // before the reports began
		case json.Unmarshal([]byte(got.stdout), &doc) != nil || !slices.Contains(doc.Errors, "interrupted"):
			t.Errorf("call %d: no whole report that says so: %s", at, got.stdout)
		case files["out"] != "old" && !(strings.Contains(files["out"], "interrupted") && strings.HasSuffix(files["out"], "</html>\n")):
			t.Errorf("call %d: the page is %s", at, cutTo(files["out"]))
		}
	}
	if ended[130] < 2 {
		t.Errorf("exit codes %v", ended)
	}
	t.Logf("%d calls, exit codes %v", counted.Calls(), ended)
}

// checkOpening runs a check, and calls do before it opens a file of that name for the nth time. opened is the number
// of times it was opened.
func checkOpening(t *testing.T, name string, n int, do func()) (got ran, opened int) {
	t.Helper()
	faults := &doortest.Faults{Before: func(op, at string) {
		if !strings.HasPrefix(op, "open") || !strings.HasSuffix(at, filepath.Base(name)) {
			return
		}
		if opened++; opened == n {
			do()
		}
	}}
	defer door.Use(faults.Disk(door.System()))()
	got = runWithin(t, t.Context(), strings.NewReader(""), "check", "--jobs=1", "in")
	return got, opened
}

// TestCheckedFilesSwapped replaces each file after its format was detected and before it is checked: by an entry that
// is not a file of the folder, which is named and not read, or by a record of another kind, which is not valid as the
// first kind.
func TestCheckedFilesSwapped(t *testing.T) {
	texts := checkedTexts(t)
	swaps := append(entries(), entry{"gone", func(string, string) error { return nil }, "no such file"}, entry{name: "another kind"})
	swaps = slices.DeleteFunc(swaps, func(e entry) bool {
		return !slices.Contains([]string{"link out", "link to a device", "named pipe", "gone", "another kind"}, e.name)
	})
	cases := 0
	for _, name := range racetest.Some(t, slices.Sorted(maps.Keys(texts))) {
		layChecked(t, texts)
		sound, last := checkOpening(t, name, 0, nil)
		if sound.code != 0 || last == 0 {
			t.Fatalf("%s is opened %d times, exit code %d\n%s%s", name, last, sound.code, sound.stdout, sound.stderr)
		}
		other := texts["a.yaml"]
		if name == "a.yaml" {
			other = logText
		}
		for _, e := range swaps {
			cases++
			dir := layChecked(t, texts)
			path := filepath.Join(dir, "in", name)
			writeFile(t, "outside/file", []byte(texts[name]))
			got, _ := checkOpening(t, name, last, func() {
				err := os.Remove(path)
				if e.put == nil {
					err = errors.Join(err, os.WriteFile(path, []byte(other), 0o644))
				} else {
					err = errors.Join(err, e.put(path, filepath.Join(dir, "outside", "file")))
				}
				check(t, err)
			})
			if e.put != nil {
				place{file: "in/" + name}.judge(t, e, path, sound, got)
			} else if got.code == 0 {
				t.Errorf("%s becomes another kind: exit code 0\n%s", name, got.stdout)
			}
		}
	}
	t.Logf("%d cases", cases)
}
