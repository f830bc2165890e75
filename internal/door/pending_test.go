//go:build unix

package door_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/cupel-dev/cupel/internal/door"
	"github.com/cupel-dev/cupel/internal/doortest"
)

// TestMain is the tests, or a process that is writing a file when a signal comes.
func TestMain(m *testing.M) {
	switch name := os.Getenv("DOOR_TEST_WRITES"); {
	case name == "":
	case os.Getenv("DOOR_TEST_LOOP") != "":
		writeInALoop(name)
	case os.Getenv("DOOR_TEST_WAY") != "":
		writeSignalled(name)
	default:
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

// ways are the ways to write a file; its old text is there unless it must be new.
var ways = map[string]struct {
	fresh bool
	disk  func(door.Disk) door.Disk
	write func(name string) error
}{
	"replace": {false, sameDisk, func(name string) error {
		return door.ReplaceFile(context.Background(), name, []byte(newText), 0o666)
	}},
	"create": {true, sameDisk, func(name string) error {
		return door.ReplaceFile(context.Background(), name, []byte(newText), 0o666)
	}},
	"new":               {true, sameDisk, writeNew},
	"new without links": {true, func(d door.Disk) door.Disk { return noLinks{d} }, writeNew},
	"temporary":         {false, sameDisk, func(string) error { return useTemp() }},
	"temporary whose name stays": {false, func(d door.Disk) door.Disk { return openNamesStay{d} }, func(string) error {
		return useTemp()
	}},
}

func sameDisk(d door.Disk) door.Disk { return d }

func writeNew(name string) error { return door.WriteNew(name, []byte(newText), 0o666) }

// openNamesStay is a disk on which NewTemp cannot take the name of an open file away. What
// removes it after a signal can, whichever of the two comes first.
type openNamesStay struct{ door.Disk }

func (d openNamesStay) Remove(name string) error {
	callers := make([]uintptr, 16)
	frames := runtime.CallersFrames(callers[:runtime.Callers(2, callers)])
	for caller, more := frames.Next(); more; caller, more = frames.Next() {
		if strings.HasSuffix(caller.Function, ".NewTemp") {
			return syscall.EACCES
		}
	}
	return d.Disk.Remove(name)
}

// writeSignalled writes a file in a process that gets a signal at one moment and at each that
// follows: of interrupts the second ends it. Then it waits.
func writeSignalled(name string) {
	moment, _ := strconv.Atoi(os.Getenv("DOOR_TEST_MOMENT"))
	number, _ := strconv.Atoi(os.Getenv("DOOR_TEST_SIGNAL"))
	if syscall.Signal(number) == harmless {
		signal.Ignore(syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP)
	}
	way, now := ways[os.Getenv("DOOR_TEST_WAY")], 0
	door.Use(way.disk(doortest.Around(door.System(), func() {
		if now++; now >= moment {
			_ = syscall.Kill(syscall.Getpid(), syscall.Signal(number)) // the parent sees whether it came
		}
	})))
	err := way.write(name)
	fmt.Println("written", now >= moment, err)
	select {}
}

// TestSignalAtN sends a signal right before and right after every change of the disk in turn:
// it ends the process, no temporary file is left, and the file holds the old text or the new
// one, whole.
func TestSignalAtN(t *testing.T) {
	for title, way := range ways {
		for _, s := range []syscall.Signal{syscall.SIGTERM, syscall.SIGINT} {
			if s != syscall.SIGTERM && signal.Ignored(s) {
				continue
			}
			t.Run(title+" "+s.String(), func(t *testing.T) {
				for moment := 1; signalledAt(t, title, way.fresh, s, moment); moment++ {
				}
			})
		}
	}
}

// harmless is a signal that ends no process.
const harmless = syscall.SIGWINCH

// TestIgnoredSignals: in a process that ignores all deadly signals no other one takes their part.
func TestIgnoredSignals(t *testing.T) {
	name := t.TempDir() + "/out"
	cmd := signalled(t, "create", name, harmless, 1)
	out, err := cmd.StdoutPipe()
	check(t, err)
	check(t, cmd.Start())
	timeout := time.AfterFunc(time.Minute, func() { _ = cmd.Process.Kill() })
	line, err := bufio.NewReader(out).ReadString('\n')
	timeout.Stop()
	check(t, cmd.Process.Kill())
	_ = cmd.Wait() // it was killed
	if line != "written true <nil>\n" {
		t.Errorf("%q, %v", line, err)
	}
	holds(t, name, newText)
}

// signalled returns a process that writes a file and gets a signal from a moment on.
func signalled(t *testing.T, way, name string, s syscall.Signal, moment int) *exec.Cmd {
	t.Helper()
	self, err := os.Executable()
	check(t, err)
	cmd := exec.Command(self)
	cmd.Env = append(os.Environ(), "TMPDIR="+filepath.Dir(name), "DOOR_TEST_WRITES="+name, "DOOR_TEST_WAY="+way,
		fmt.Sprint("DOOR_TEST_SIGNAL=", int(s)), fmt.Sprint("DOOR_TEST_MOMENT=", moment))
	return cmd
}

// signalledAt reports whether a run had a moment.
func signalledAt(t *testing.T, way string, fresh bool, s syscall.Signal, moment int) bool {
	t.Helper()
	dir := t.TempDir()
	name := dir + "/out"
	if !fresh {
		check(t, os.WriteFile(name, []byte(oldText), 0o666))
	}
	cmd := signalled(t, way, name, s, moment)
	out, err := cmd.StdoutPipe()
	check(t, err)
	check(t, cmd.Start())
	defer func() { _ = cmd.Process.Kill() }()        // it may be gone
	line, _ := bufio.NewReader(out).ReadString('\n') // nothing, when it is dead
	killUntilDead(t, cmd, s)
	text, err := os.ReadFile(name)
	switch {
	case errors.Is(err, fs.ErrNotExist) && fresh:
		onlyNames(t, dir)
	case err == nil && (string(text) == newText || string(text) == oldText && !fresh):
		onlyNames(t, dir, "out")
	default:
		t.Errorf("moment %d: the file holds %q, %v", moment, text, err)
	}
	if t.Failed() {
		t.Fatalf("at moment %d the process said %q", moment, line)
	}
	return line != "written false <nil>\n"
}
