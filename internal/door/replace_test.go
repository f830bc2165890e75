//go:build unix

package door_test

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/cupel-dev/cupel/internal/door"
	"github.com/cupel-dev/cupel/internal/doortest"
)

// oldText is the content of a file before it is replaced, newText the content afterwards.
const (
	oldText = "what the user had"
	newText = "what a run writes"
)

func check(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// holds wants a file to hold a text.
func holds(t *testing.T, name, want string) {
	t.Helper()
	if got, err := os.ReadFile(name); err != nil || string(got) != want {
		t.Errorf("%s holds %q (%v), want %q", name, got, err, want)
	}
}

// onlyNames wants a folder to hold these names and nothing else, such as a temporary file.
func onlyNames(t *testing.T, dir string, want ...string) {
	t.Helper()
	list, err := os.ReadDir(dir)
	check(t, err)
	var got []string
	for _, e := range list {
		got = append(got, e.Name())
	}
	if strings.Join(got, " ") != strings.Join(want, " ") {
		t.Errorf("the folder holds %q, want %q", got, want)
	}
}

// TestReplace replaces a file in each way that it can lie under its name.
func TestReplace(t *testing.T) {
	for title, c := range map[string]struct {
		put    func(dir string) error // what is there
		target string                 // what is replaced
		mode   fs.FileMode
		names  []string
	}{
		"a file": {func(d string) error {
			return errors.Join(os.WriteFile(d+"/out", []byte(oldText), 0o600), os.Chmod(d+"/out", 0o640)) // whatever the umask
		}, "out", 0o640, []string{"out"}},
		"nothing":       {func(string) error { return nil }, "out", 0o644 &^ umask(), []string{"out"}},
		"a closed file": {func(d string) error { return os.WriteFile(d+"/out", []byte(oldText), 0o400) }, "out", 0o400, []string{"out"}},
		"a link": {func(d string) error {
			return errors.Join(os.WriteFile(d+"/to", []byte(oldText), 0o600), os.Symlink("to", d+"/out"))
		}, "to", 0o600, []string{"out", "to"}},
		"a link to a link": {func(d string) error {
			return errors.Join(os.WriteFile(d+"/to", []byte(oldText), 0o600), os.Symlink(d+"/to", d+"/on"), os.Symlink("on", d+"/out"))
		}, "to", 0o600, []string{"on", "out", "to"}},
		"the symbolic link points to a file that does not exist": {func(d string) error { return os.Symlink("to", d+"/out") }, "to", 0o644 &^ umask(), []string{"out", "to"}},
		"a link through a linked folder": {func(d string) error {
			return errors.Join(os.MkdirAll(d+"/a/b", 0o777), os.Symlink("a/b", d+"/in"), os.WriteFile(d+"/a/to", []byte(oldText), 0o600), os.Symlink("in/../to", d+"/out"))
		}, "a/to", 0o600, []string{"a", "in", "out"}},
	} {
		t.Run(title, func(t *testing.T) {
			dir := t.TempDir()
			check(t, c.put(dir))
			link, _ := os.Readlink(dir + "/out")
			check(t, door.ReplaceFile(t.Context(), dir+"/out", []byte(newText), 0o644))
			holds(t, dir+"/out", newText)
			holds(t, filepath.Join(dir, c.target), newText)
			onlyNames(t, dir, c.names...)
			info, err := os.Stat(dir + "/out")
			check(t, err)
			if info.Mode() != c.mode {
				t.Errorf("mode %v, want %v", info.Mode(), c.mode)
			}
			if after, _ := os.Readlink(dir + "/out"); after != link {
				t.Errorf("the link leads to %q, and led to %q", after, link)
			}
			nothingPending(t)
		})
	}
}

// umask returns the process's own.
func umask() fs.FileMode {
	mask := syscall.Umask(0)
	syscall.Umask(mask)
	return fs.FileMode(mask)
}

// TestReplaceIsHidden checks that the name has the old content until Commit, and that Discard keeps it.
func TestReplaceIsHidden(t *testing.T) {
	dir := t.TempDir()
	name := dir + "/out"
	check(t, os.WriteFile(name, []byte(oldText), 0o666))
	o, err := door.Create(t.Context(), name, 0o666)
	check(t, err)
	_, err = io.WriteString(o, newText)
	check(t, errors.Join(err, o.Sync()))
	holds(t, name, oldText)
	o.Discard()
	holds(t, name, oldText)
	onlyNames(t, dir, "out")
}

// TestCannotReplace: what cannot be replaced says so with its own name.
func TestCannotReplace(t *testing.T) {
	dir := t.TempDir()
	check(t, errors.Join(os.Symlink("loop", dir+"/loop"), os.Mkdir(dir+"/folder", 0o777)))
	for name, want := range map[string]error{
		dir + "/none/out": fs.ErrNotExist, dir + "/loop": syscall.ELOOP, dir + "/folder": syscall.EISDIR, dir + "/folder/": syscall.EISDIR,
	} {
		err := door.ReplaceFile(t.Context(), name, nil, 0o666)
		var at *fs.PathError
		if !errors.Is(err, want) || !errors.As(err, &at) || at.Path != name {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestDirect writes into a pipe, which keeps its place, and stops waiting for its reader
// when the context ends.
func TestDirect(t *testing.T) {
	// Whoever gives up waiting for a reader may still open the pipe when one comes, and close
	// it at once, which ends what that reads: it has a pipe of its own.
	dir := t.TempDir()
	name, left := dir+"/pipe", dir+"/left"
	check(t, errors.Join(syscall.Mkfifo(name, 0o666), syscall.Mkfifo(left, 0o666)))
	ctx, stop := context.WithCancel(t.Context())
	waited := make(chan error, 1)
	go func() { waited <- door.ReplaceFile(ctx, left, nil, 0o666) }()
	stop()
	select {
	case err := <-waited:
		if !errors.Is(err, context.Canceled) {
			t.Errorf("%v, want the end of the context", err)
		}
	case <-time.After(time.Minute):
		t.Fatal("still waiting for a reader after a minute")
	}
	read := make(chan string, 1)
	go func() {
		text, _ := os.ReadFile(name)
		read <- string(text)
	}()
	check(t, door.ReplaceFile(t.Context(), name, []byte(newText), 0o666))
	select {
	case got := <-read:
		if got != newText {
			t.Errorf("the reader got %q", got)
		}
	case <-time.After(time.Minute):
		t.Fatal("the reader still waits after a minute")
	}
	check(t, door.ReplaceFile(t.Context(), os.DevNull, []byte(newText), 0o666))
}

// TestCutIsNotCommitted: what could not be written whole takes no place.
func TestCutIsNotCommitted(t *testing.T) {
	dir := t.TempDir()
	name := dir + "/out"
	check(t, os.WriteFile(name, []byte(oldText), 0o666))
	faults := &doortest.Faults{At: 2, Err: errDisk, Writes: true, Short: true} // after opening
	defer door.Use(faults.Disk(door.System()))()
	o, err := door.Create(t.Context(), name, 0o666)
	check(t, err)
	if _, err = o.Write([]byte(newText)); !errors.Is(err, errDisk) {
		t.Fatalf("the write was to fail: %v", err)
	}
	_, err = o.Write([]byte(newText))
	check(t, err)
	if err := o.Commit(); !errors.Is(err, errDisk) {
		t.Errorf("committed: %v", err)
	}
	holds(t, name, oldText)
	o.Discard()
	holds(t, name, oldText)
}

// nothingPending wants no temporary file to be remembered.
func nothingPending(t *testing.T) {
	t.Helper()
	if names, watched := door.Pending(); len(names) > 0 || watched {
		t.Errorf("still pending: %q, and signals are watched: %v", names, watched)
	}
}

var errDisk = syscall.ENOSPC

// TestFaultAtN makes every call of the system fail in turn, for a file that is there and
// one that is not: the user's file is as it was, or new and whole once it was renamed, no
// temporary file is left, and the error names the file. A disk that dies leaves old or new.
func TestFaultAtN(t *testing.T) {
	tried := 0
	for _, there := range []bool{true, false} {
		for _, kind := range []struct{ short, dead bool }{{}, {short: true}, {dead: true}} {
			for n := 1; ; n++ {
				faults := &doortest.Faults{At: n, Err: errDisk, Short: kind.short, Dead: kind.dead}
				dir := t.TempDir()
				name := dir + "/out"
				if there {
					check(t, os.WriteFile(name, []byte(oldText), 0o600))
				}
				restore := door.Use(faults.Disk(door.System()))
				err := door.ReplaceFile(t.Context(), name, []byte(newText), 0o600)
				restore()
				judgeFault(t, name, there, faults, err)
				check(t, door.ReplaceFile(t.Context(), name, []byte(newText), 0o600)) // the next run works
				holds(t, name, newText)
				if faults.Failed() == "" {
					check(t, err)
					break
				}
				tried++
			}
		}
	}
	if tried == 0 {
		t.Fatal("no call failed")
	}
	t.Logf("%d failing calls", tried)
}

// judgeFault looks at what a run with a failing disk left.
func judgeFault(t *testing.T, name string, there bool, faults *doortest.Faults, err error) {
	t.Helper()
	var at *fs.PathError
	if dir := filepath.Dir(name); slices.Contains([]string{"open " + dir, "readdir " + dir}, faults.Failed()) {
		if err != nil && !faults.Dead { // what dead processes left does not matter
			t.Errorf("%q failed, and so does the file: %v", faults.Failed(), err)
		}
	} else if faults.Failed() != "" && (!errors.Is(err, errDisk) || !errors.As(err, &at) || at.Path != name) {
		t.Errorf("%q failed, and the error is %v", faults.Failed(), err)
	}
	got, missing := os.ReadFile(name)
	isOld := there && string(got) == oldText || !there && errors.Is(missing, fs.ErrNotExist)
	if !isOld && string(got) != newText {
		t.Errorf("%q failed, and the file holds %q (%v)", faults.Failed(), got, missing)
	}
	switch {
	case faults.Dead:
	case missing == nil:
		onlyNames(t, filepath.Dir(name), "out")
	default:
		onlyNames(t, filepath.Dir(name))
	}
	nothingPending(t)
}
