//go:build unix

package door_test

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"syscall"
	"testing"
	"time"

	"github.com/cupel-dev/cupel/internal/door"
)

// TestMain is the tests, or a process that is writing a file when a signal comes.
func TestMain(m *testing.M) {
	if name := os.Getenv("DOOR_TEST_WRITES"); name != "" {
		writeForEver(name)
	}
	os.Exit(m.Run())
}

func writeForEver(name string) {
	o, err := door.Create(context.Background(), name, 0o666)
	if err == nil {
		_, err = o.Write([]byte(newText))
	}
	fmt.Println("writing", err)
	select {}
}

// TestSignals: a signal that ends the process takes the temporary file with it and leaves
// the user's file as it was. Of interrupts that is the second. A signal that is ignored
// around the tests, as under nohup, ends no process of theirs.
func TestSignals(t *testing.T) {
	for _, s := range []syscall.Signal{syscall.SIGTERM, syscall.SIGHUP, syscall.SIGINT} {
		if s != syscall.SIGTERM && signal.Ignored(s) {
			continue
		}
		t.Run(s.String(), func(t *testing.T) {
			dir := t.TempDir()
			name := dir + "/out"
			check(t, os.WriteFile(name, []byte(oldText), 0o666))
			self, err := os.Executable()
			check(t, err)
			cmd := exec.Command(self)
			cmd.Env = append(os.Environ(), "DOOR_TEST_WRITES="+name)
			out, err := cmd.StdoutPipe()
			check(t, err)
			check(t, cmd.Start())
			defer func() { _ = cmd.Process.Kill() }() // it may be gone
			line, err := bufio.NewReader(out).ReadString('\n')
			if line != "writing <nil>\n" {
				t.Fatalf("%q, %v", line, err)
			}
			if list, err := os.ReadDir(dir); len(list) != 2 || err != nil {
				t.Fatalf("%v, %v: no temporary file is there", list, err)
			}
			killUntilDead(t, cmd, s)
			holds(t, name, oldText)
			onlyNames(t, dir, "out")
		})
	}
}

// killUntilDead sends a signal until the process ends by it.
func killUntilDead(t *testing.T, cmd *exec.Cmd, s syscall.Signal) {
	t.Helper()
	dead := make(chan struct{})
	go func() { _ = cmd.Wait(); close(dead) }() // its state says more
	again, deadline := time.NewTicker(10*time.Millisecond), time.After(time.Minute)
	defer again.Stop()
	for {
		_ = cmd.Process.Signal(s) // it may be gone
		select {
		case <-dead:
			if status, ok := cmd.ProcessState.Sys().(syscall.WaitStatus); !ok || status.Signal() != s {
				t.Errorf("ended with %v", cmd.ProcessState)
			}
			return
		case <-again.C:
		case <-deadline:
			t.Fatal("still there after a minute")
		}
	}
}
