//go:build unix

package door_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/cupel-dev/cupel/internal/door"
)

func appending(text string) func(door.Held) error {
	return func(h door.Held) error { return h.Append([]byte(text)) }
}

// TestLedger writes to a file in each way that it can lie under its name.
func TestLedger(t *testing.T) {
	for title, c := range map[string]struct {
		put    func(dir string) error // what is there
		target string                 // what is written to
	}{
		"new":                   {func(string) error { return nil }, "file"},
		"old":                   {func(dir string) error { return os.WriteFile(dir+"/file", []byte(oldText), 0o600) }, "file"},
		"link":                  {func(dir string) error { return linked(dir, "target") }, "target"},
		"link that is replaced": {func(dir string) error { return linked(dir, dir+"/target") }, "target"},
	} {
		t.Run(title, func(t *testing.T) {
			dir := t.TempDir()
			check(t, c.put(dir))
			l, err := door.OpenLedger(dir+"/file", 0o640)
			check(t, err)
			before, _ := os.ReadFile(dir + "/" + c.target)
			check(t, l.Write(t.Context(), appending("one\n")))
			check(t, l.Write(t.Context(), appending("two\n")))
			want := string(before) + "one\ntwo\n"
			holds(t, dir+"/"+c.target, want)
			f, err := l.Read(nil)
			check(t, err)
			if again, err := l.Read(f); again != f || err != nil {
				t.Errorf("%v, %v", again, err)
			}
			check(t, l.Write(t.Context(), func(h door.Held) error {
				return h.Replace(t.Context(), func(w io.Writer) error {
					_, err := io.WriteString(w, newText)
					return err
				})
			}))
			holds(t, dir+"/file", newText)
			if got, err := io.ReadAll(f); string(got) != want {
				t.Errorf("who reads the old file finds %q (%v)", got, err)
			}
			f, err = l.Read(f)
			check(t, err)
			if got, err := io.ReadAll(f); string(got) != newText {
				t.Errorf("who reads the new file finds %q (%v)", got, err)
			}
			check(t, f.Close())
			check(t, l.Write(t.Context(), appending("three\n")))
			holds(t, dir+"/"+c.target, newText+"three\n")
			nothingPending(t)
		})
	}
}

// linked puts a file and a link to it into a folder.
func linked(dir, to string) error {
	return errors.Join(os.WriteFile(dir+"/target", []byte(oldText), 0o600), os.Symlink(to, dir+"/file"))
}

// TestLedgerRefuses files that are not regular, when they are opened or later.
func TestLedgerRefuses(t *testing.T) {
	dir := t.TempDir()
	check(t, syscall.Mkfifo(dir+"/pipe", 0o600))
	check(t, os.Mkdir(dir+"/folder", 0o700))
	check(t, os.Symlink("circle", dir+"/circle"))
	check(t, os.Symlink("nothing", dir+"/dangling"))
	check(t, os.Symlink("dangling", dir+"/through"))
	var refused *door.RefusedError
	for _, name := range []string{dir + "/pipe", dir + "/folder", dir + "/dangling", dir + "/through", "/dev/null", "/dev/zero", "/dev/stdout", "/proc/self/fd/1"} {
		if _, err := door.OpenLedger(name, 0o600); !errors.As(err, &refused) || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := os.Lstat(dir + "/nothing"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("what a link to nothing names: %v", err)
	}
	for name, want := range map[string]error{dir + "/circle": syscall.ELOOP, dir + "/no/such": fs.ErrNotExist, dir + "/pipe/file": syscall.ENOTDIR} {
		if _, err := door.OpenLedger(name, 0o600); !errors.Is(err, want) {
			t.Errorf("%s: %v", name, err)
		}
	}
	l, err := door.OpenLedger(dir+"/file", 0o600)
	check(t, err)
	if _, err := l.Read(nil); !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
	check(t, os.Symlink("pipe", dir+"/file"))
	if err := l.Write(t.Context(), appending("x")); !errors.As(err, &refused) {
		t.Error(err)
	}
	if _, err := l.Read(nil); !errors.As(err, &refused) {
		t.Error(err)
	}
}

// TestLedgerIsHeldAlone: what one writes is never divided by another, also while the file is
// replaced again and again.
func TestLedgerIsHeldAlone(t *testing.T) {
	name := filepath.Join(t.TempDir(), "file")
	const writers, each = 8, 20
	var wait sync.WaitGroup
	for w := range writers {
		wait.Go(func() {
			l, err := door.OpenLedger(name, 0o600)
			for i := 0; i < each && err == nil; i++ {
				err = l.Write(context.Background(), func(h door.Held) error { return inTwoSteps(h, w, i) })
			}
			if err != nil {
				t.Error(err)
			}
		})
	}
	wait.Wait()
	text, err := os.ReadFile(name)
	check(t, err)
	lines := strings.SplitAfter(string(text), "\n")
	seen := map[string]bool{}
	for _, line := range lines {
		var w, i int
		if n, _ := fmt.Sscanf(line, "%d writes %d\n", &w, &i); n == 2 {
			seen[line] = true
		}
	}
	if len(lines) != writers*each+1 || len(seen) != writers*each {
		t.Errorf("%d lines, %d as they were written", len(lines), len(seen))
	}
	nothingPending(t)
}

// inTwoSteps writes a line at the end of the file, or of a new one in its place.
func inTwoSteps(h door.Held, w, i int) error {
	if i%5 != 0 {
		return errors.Join(h.Append(fmt.Appendf(nil, "%d writes", w)), h.Append(fmt.Appendf(nil, " %d\n", i)))
	}
	size, err := h.Size()
	if err != nil {
		return err
	}
	old := make([]byte, size)
	if _, err := h.ReadAt(old, 0); err != nil && !(size == 0 && errors.Is(err, io.EOF)) {
		return err
	}
	return h.Replace(context.Background(), func(to io.Writer) error {
		_, err := io.Copy(to, io.MultiReader(bytes.NewReader(old), strings.NewReader(fmt.Sprintf("%d writes %d\n", w, i))))
		return err
	})
}

// TestLedgerWaits checks that a ledger waits for the holder of the file, but not longer than the context lasts.
func TestLedgerWaits(t *testing.T) {
	name := filepath.Join(t.TempDir(), "file")
	l, err := door.OpenLedger(name, 0o600)
	check(t, err)
	check(t, l.Write(t.Context(), func(door.Held) error {
		ended, end := context.WithCancel(context.Background())
		end()
		err := l.Write(ended, appending("never"))
		var at *fs.PathError
		if !errors.Is(err, context.Canceled) || !errors.As(err, &at) || at.Path != name {
			t.Error(err)
		}
		return nil
	}))
	check(t, l.Write(t.Context(), appending("now")))
	holds(t, name, "now")
}
