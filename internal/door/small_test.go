//go:build linux

package door_test

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"sync"
	"testing"

	"github.com/cupel-dev/cupel/internal/door"
	"github.com/cupel-dev/cupel/internal/doortest"
)

// TestSmall reads each kind of thing that a folder can hold: a plain file below it is read as
// Open reads it, and everything else is left to that.
func TestSmall(t *testing.T) {
	long := strings.Repeat("0123456789", 1<<10)
	folder := open(t, map[string]string{
		"top": "text", "a/plain": "text", "a/b/deep": "more text", "a/empty": "", "a/long": long, "a/pipe": "pipe",
		"a/inside": "->plain", "a/outside": "->/etc/passwd", "a/nowhere": "->none", "linked": "->a",
	})
	for name, want := range map[string]bool{
		"a/plain": true, "a/b/deep": true, "a/empty": true, "linked/plain": true,
		"top": false, "a/long": false, "a/pipe": false, "a/inside": false, "a/outside": false, "a/nowhere": false,
		"a/none": false, "none/plain": false, "a/b": false, "a": false, ".": false, "": false, "a/..": false, "..": false,
		"a/../a/plain": false, "a/b/..": false, "../x": false, "/etc/passwd": false, "a//plain": false, "a/./plain": false, "a/plain\x00": false,
	} {
		asked := int64(-1)
		data, ok := folder.Small(name, func(size int64) []byte {
			if asked = size; size > 100 {
				return nil
			}
			return make([]byte, size+1)
		})
		if ok != want {
			t.Errorf("%q: %q, %v", name, data, ok)
		}
		if !ok {
			continue
		}
		if text, err := read(folder, name); err != nil || text != string(data) || asked != int64(len(text)) {
			t.Errorf("%q: %q of %d bytes, Open has %q, %v", name, data, asked, text, err)
		}
	}
}

// TestSmallOfAnotherSize leaves a file to Open that has more or less than its size says.
func TestSmallOfAnotherSize(t *testing.T) {
	folder, err := door.Open("/proc")
	if err != nil {
		t.Skipf("no folder whose files have a size that is not theirs: %v", err)
	}
	defer func() { _ = folder.Close() }()
	if data, ok := folder.Small("self/stat", func(size int64) []byte { return make([]byte, size+1) }); ok {
		t.Errorf("%q is all that a file of the system says", data)
	}
}

// TestSmallAfterClose opens nothing below a folder that is closed.
func TestSmallAfterClose(t *testing.T) {
	room := func(size int64) []byte { return make([]byte, size+1) }
	for _, before := range []bool{true, false} {
		dir := t.TempDir()
		if err := errors.Join(os.Mkdir(dir+"/a", 0o777), os.WriteFile(dir+"/a/plain", []byte("text"), 0o666)); err != nil {
			t.Fatal(err)
		}
		folder, err := door.Open(dir)
		if err != nil {
			t.Fatal(err)
		}
		if before {
			if data, ok := folder.Small("a/plain", room); !ok || string(data) != "text" {
				t.Errorf("%q, %v", data, ok)
			}
		}
		if err := folder.Close(); err != nil {
			t.Error(err)
		}
		if data, ok := folder.Small("a/plain", room); ok {
			t.Errorf("%q is read when all is closed", data)
		}
	}
}

// TestSmallUnderFaults checks that Small leaves reading to Open if a test intercepts the disk.
func TestSmallUnderFaults(t *testing.T) {
	defer door.Use((&doortest.Faults{}).Disk(door.System()))()
	folder := open(t, map[string]string{"a/plain": "text"})
	if _, ok := folder.Small("a/plain", func(size int64) []byte { return make([]byte, size+1) }); ok {
		t.Error("the faults are passed by")
	}
}

// TestSmallBesideOthers reads below more folders than stay open, from several goroutines, and compares the content.
func TestSmallBesideOthers(t *testing.T) {
	files := map[string]string{}
	for i := range 40 {
		name := fmt.Sprintf("f%d/file", i)
		files[name] = name
	}
	folder := open(t, files)
	var group sync.WaitGroup
	for range 4 {
		group.Go(func() {
			for range 20 {
				for name := range files {
					if data, ok := folder.Small(name, func(size int64) []byte { return make([]byte, size+1) }); ok && string(data) != name {
						t.Errorf("%s: %q", name, data)
					}
				}
			}
		})
	}
	group.Wait()
}
