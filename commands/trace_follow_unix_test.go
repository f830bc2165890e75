//go:build unix

package commands_test

import (
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// TestFollowOutOfFolder: in a folder that is walked, a link out of it that takes the log's
// name is not followed; one that the user names is.
func TestFollowOutOfFolder(t *testing.T) {
	lines := exampleLines(t, "refund.jsonl")
	for operand, reports := range map[string]int{"": 1, "trace.jsonl": 2} {
		dir, outside := t.TempDir(), filepath.Join(t.TempDir(), "secret.jsonl")
		writeFile(t, filepath.Join(dir, "trace.jsonl"), []byte(lines[0]))
		writeFile(t, outside, []byte(lines[0]+lines[1]))
		f := followOperand(t, dir, filepath.Join(dir, operand), "--format", "short")
		defer f.stop()
		f.do("rename trace.jsonl earlier")
		symlink(t, outside, filepath.Join(dir, "trace.jsonl"))
		f.look()
		if code := f.end(); code != 0 || strings.Count(f.out.String(), ": valid\n") != reports {
			t.Errorf("operand %q: exit code %d\n%s%s", operand, code, f.out.String(), f.errors.String())
		}
		if said := strings.Contains(f.errors.String(), "the path leads out of"); said != (reports == 1) {
			t.Errorf("operand %q: %s", operand, f.errors.String())
		}
	}
}

// TestFollowPipe checks that a named pipe that takes a log's name is not opened, even if the first look takes it for
// a file, and that the log is read on.
func TestFollowPipe(t *testing.T) {
	lines := exampleLines(t, "refund.jsonl")
	dir := t.TempDir()
	writeFile(t, filepath.Join(dir, "log.jsonl"), []byte(lines[0]))
	f := follow(t, dir, "--format", "short")
	defer f.stop()
	f.do("rename log.jsonl log.1")
	f.must(syscall.Mkfifo(f.path("log.jsonl"), 0o600))
	f.look()
	f.add("log.1", lines[1])
	f.look()
	if code := f.end(); code != 0 || !strings.Contains(f.errors.String(), "the path is no longer a regular file; waiting for a file of that name") {
		t.Errorf("exit code %d\n%s", code, f.errors.String())
	}
	if got := f.out.String(); !strings.HasSuffix(got, ": valid\npassed: 1 file\n") {
		t.Error(got)
	}
}
