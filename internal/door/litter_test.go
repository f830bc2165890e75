//go:build unix

package door_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/cupel-dev/cupel/internal/door"
	"github.com/cupel-dev/cupel/internal/racetest"
)

// writeInALoop replaces a file, and makes new ones beside it, until the process is killed. It says when it begins.
func writeInALoop(name string) {
	text := []byte(strings.Repeat("x", 100_000))
	for n := 0; ; n++ {
		err := door.ReplaceFile(context.Background(), name, text, 0o644)
		if err == nil {
			err = door.WriteNew(fmt.Sprintf("%s.%d.%d", name, os.Getpid(), n), text, 0o644)
		}
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(2)
		}
		_ = os.Remove(fmt.Sprintf("%s.%d.%d", name, os.Getpid(), n))
		if n == 0 {
			fmt.Println("writing")
		}
	}
}

// TestLitter kills writing processes at random times. Nobody else can read a part that they leave, and the next process
// removes it, but not the file of one that still writes.
func TestLitter(t *testing.T) {
	dir := t.TempDir()
	name := dir + "/out"
	kills := 200 / racetest.Share(t, 25)
	alive := startLoop(t, dir+"/alive")
	defer func() { _ = alive.Process.Kill(); _ = alive.Wait() }()
	left := 0
	for n := range kills {
		cmd := startLoop(t, name)
		signal := []syscall.Signal{syscall.SIGKILL, syscall.SIGQUIT}[n%2]
		time.AfterFunc(time.Duration(rand.IntN(20_000))*time.Microsecond, func() { _ = cmd.Process.Signal(signal) })
		_ = cmd.Wait() // it was killed
		for _, file := range temporaries(t, dir) {
			info, err := os.Lstat(file)
			if err == nil && info.Size() > 0 && info.Size() < 100_000 && info.Mode().Perm()&0o077 != 0 {
				t.Fatalf("%s has the permissions %v while it is written", file, info.Mode())
			}
			left++
		}
		if got, err := os.ReadFile(name); err != nil || len(got) != 100_000 {
			t.Fatalf("%d bytes, %v", len(got), err)
		}
	}
	check(t, alive.Process.Signal(syscall.Signal(0)))
	check(t, alive.Process.Kill())
	_ = alive.Wait()
	door.Clean(dir)
	if still := temporaries(t, dir); len(still) > 0 {
		t.Errorf("%d temporary files are left: %q", len(still), still)
	}
	info, err := os.Stat(name)
	check(t, err)
	umask := syscall.Umask(0)
	syscall.Umask(umask)
	if want := os.FileMode(0o644 &^ umask); info.Mode().Perm() != want {
		t.Errorf("the file has the permissions %v, expected %v", info.Mode().Perm(), want)
	}
	t.Logf("%d kills, %d temporary files seen", kills, left)
}

// startLoop starts a writing process and waits until it writes.
func startLoop(t *testing.T, name string) *exec.Cmd {
	t.Helper()
	self, err := os.Executable()
	check(t, err)
	cmd := exec.Command(self)
	cmd.Env = append(os.Environ(), "DOOR_TEST_WRITES="+name, "DOOR_TEST_LOOP=1")
	out, err := cmd.StdoutPipe()
	check(t, err)
	check(t, cmd.Start())
	said := make([]byte, 8)
	if n, err := out.Read(said); string(said[:n]) != "writing\n" {
		t.Fatalf("%q, %v", said[:n], err)
	}
	return cmd
}

func temporaries(t *testing.T, dir string) []string {
	t.Helper()
	list, err := filepath.Glob(dir + "/.cupel-*")
	check(t, err)
	return list
}
