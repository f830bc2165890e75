//go:build linux

package commands_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"syscall"
	"testing"
	"time"
)

// TestSignalWhileWriting sends a signal to a run that waits for its input while its report
// is being written: no temporary file outlives it. After Ctrl-C the report says so; another
// signal leaves the old file.
func TestSignalWhileWriting(t *testing.T) {
	for _, s := range []syscall.Signal{syscall.SIGTERM, syscall.SIGINT} {
		t.Run(s.String(), func(t *testing.T) {
			t.Chdir(t.TempDir())
			check(t, syscall.Mkfifo("fifo", 0o666))
			check(t, os.WriteFile("out", []byte("old"), 0o666))
			cmd := exec.Command("cupel", "trace", "verify", "--format", "json=out", "fifo")
			check(t, cmd.Start())
			defer func() { _ = cmd.Process.Kill() }()        // it may be gone
			pipe, err := os.OpenFile("fifo", os.O_WRONLY, 0) // returns when the run reads
			check(t, err)
			defer pipe.Close()
			check(t, cmd.Process.Signal(s))
			dead := make(chan struct{})
			go func() { _ = cmd.Wait(); close(dead) }() // its state says more
			select {
			case <-dead:
			case <-time.After(time.Minute):
				t.Fatal("still there after a minute")
			}
			judgeSignal(t, s, cmd.ProcessState)
		})
	}
}

func judgeSignal(t *testing.T, s syscall.Signal, state *os.ProcessState) {
	t.Helper()
	text, err := os.ReadFile("out")
	check(t, err)
	var doc struct{ Errors []string }
	switch {
	case s != syscall.SIGINT:
		if status, ok := state.Sys().(syscall.WaitStatus); !ok || status.Signal() != s || string(text) != "old" {
			t.Errorf("ended with %v, and the file holds %s", state, text)
		}
	case state.ExitCode() != 130 || json.Unmarshal(text, &doc) != nil || len(doc.Errors) == 0:
		t.Errorf("ended with %v, and the file holds %s", state, text)
	}
	list, err := os.ReadDir(".")
	check(t, err)
	if len(list) != 2 {
		t.Errorf("left behind: %v", list)
	}
}

// TestSignalWhileSealing sends a signal to a run that waits for more events while those before
// wait in a temporary file: nothing of it is left, and the old file is as it was.
func TestSignalWhileSealing(t *testing.T) {
	event, err := os.ReadFile("../testdata/examples/evidence/run.ndjson")
	check(t, err)
	for _, s := range []syscall.Signal{syscall.SIGTERM, syscall.SIGINT, syscall.SIGKILL} {
		t.Run(s.String(), func(t *testing.T) {
			t.Chdir(t.TempDir())
			check(t, os.Mkdir("tmp", 0o777))
			check(t, syscall.Mkfifo("fifo", 0o666))
			check(t, os.WriteFile("out", []byte("old"), 0o666))
			cmd := exec.Command("cupel", "evidence", "seal", "-o", "out", "fifo")
			cmd.Env = append(os.Environ(), "TMPDIR=tmp")
			check(t, cmd.Start())
			defer func() { _ = cmd.Process.Kill() }()        // it may be gone
			pipe, err := os.OpenFile("fifo", os.O_WRONLY, 0) // returns when the run reads
			check(t, err)
			defer pipe.Close()
			for range 3 { // more than a pipe holds: the run has read some of it
				_, err = pipe.Write(event)
				check(t, err)
			}
			check(t, cmd.Process.Signal(s))
			dead := make(chan struct{})
			go func() { _ = cmd.Wait(); close(dead) }() // its state says more
			select {
			case <-dead:
			case <-time.After(time.Minute):
				t.Fatal("still there after a minute")
			}
			if text, err := os.ReadFile("out"); err != nil || string(text) != "old" {
				t.Errorf("the file holds %q, %v", text, err)
			}
			for dir, names := range map[string]int{".": 3, "tmp": 0} {
				list, err := os.ReadDir(dir)
				check(t, err)
				if s == syscall.SIGKILL && dir == "." {
					names = min(len(list), 4) // the new file next to the old one cannot be removed
				}
				if len(list) != names {
					t.Errorf("%s: left behind: %v", dir, list)
				}
			}
		})
	}
}
