//go:build unix

package door_test

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/cupel-dev/cupel/internal/door"
)

// open opens a folder of files and links; a value that begins with "->" is a link.
func open(t *testing.T, files map[string]string) *door.Folder {
	t.Helper()
	dir := t.TempDir()
	for name, content := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		var err error
		switch {
		case content == "pipe":
			err = syscall.Mkfifo(path, 0o666)
		case len(content) > 2 && content[:2] == "->":
			err = os.Symlink(content[2:], path)
		default:
			err = os.WriteFile(path, []byte(content), 0o666)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	folder, err := door.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := folder.Close(); err != nil {
			t.Error(err)
		}
	})
	return folder
}

func read(folder *door.Folder, name string) (string, error) {
	f, err := folder.Open(name)
	if err != nil {
		return "", err
	}
	defer func() { _ = f.Close() }() // opened for reading: nothing can be lost
	text, err := io.ReadAll(f)
	return string(text), err
}

// TestOpen opens what lies in a folder, over links inside it, and nothing outside.
func TestOpen(t *testing.T) {
	outside := filepath.Join(t.TempDir(), "secret")
	if err := os.WriteFile(outside, []byte("secret"), 0o666); err != nil {
		t.Fatal(err)
	}
	folder := open(t, map[string]string{
		"plan.json": "plan", "evidence/e1.txt": "one", "evidence/deep/e2.txt": "two", "notes/n.txt": "note",
		"evidence/sideways": "->../notes/n.txt", "evidence/up": "->../../plan.json", "evidence/out": "->" + outside,
		"evidence/inside": "->" + "e1.txt", "whole": "->" + filepath.Dir(outside),
	})
	for name, want := range map[string]string{
		"plan.json": "plan", "evidence/e1.txt": "one", "evidence/deep/e2.txt": "two",
		"evidence/sideways": "note", "evidence/inside": "one",
	} {
		for range 2 { // the second time through the folder that is open
			if got, err := read(folder, name); got != want || err != nil {
				t.Errorf("%s: %q, %v", name, got, err)
			}
		}
	}
	for _, name := range []string{"evidence/up", "evidence/out", "whole/secret", "../plan.json", outside, "evidence/../../x"} {
		if got, err := read(folder, name); err == nil || errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s: %q, %v; expected a refusal", name, got, err)
		}
	}
	for _, name := range []string{"nothing", "no/such", "evidence/nothing"} {
		if _, err := read(folder, name); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s: %v", name, err)
		}
	}
	info, err := folder.Lstat("evidence/out")
	if err != nil || info.Mode()&fs.ModeSymlink == 0 {
		t.Errorf("a link is described as %v, %v", info, err)
	}
}

// TestPipe opens a named pipe without a writer.
func TestPipe(t *testing.T) {
	folder := open(t, map[string]string{"evidence/pipe": "pipe"})
	f, err := folder.Open("evidence/pipe")
	if err != nil {
		t.Fatal(err)
	}
	info, err := f.Stat()
	if err != nil || info.Mode()&fs.ModeNamedPipe == 0 {
		t.Errorf("%v, %v", info, err)
	}
	if err := f.Close(); err != nil {
		t.Error(err)
	}
}

// TestManyFolders opens files in more folders than are kept open.
func TestManyFolders(t *testing.T) {
	files := map[string]string{}
	for i := range 40 {
		files[fmt.Sprintf("e%d/f", i)] = fmt.Sprint(i)
	}
	folder := open(t, files)
	for name, want := range files {
		if got, err := read(folder, name); got != want || err != nil {
			t.Errorf("%s: %q, %v", name, got, err)
		}
	}
}

func TestNoFolder(t *testing.T) {
	if _, err := door.Open(filepath.Join(t.TempDir(), "nothing")); !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
}

// TestWords: an error of the system about a name below a folder speaks of it as of any other name.
func TestWords(t *testing.T) {
	folder := open(t, nil)
	name := strings.Repeat("a", 300)
	_, stat := folder.Lstat(name)
	_, opened := folder.Open(name)
	for op, err := range map[string]error{"stat": stat, "open": opened} {
		var at *fs.PathError
		if !errors.As(err, &at) || at.Op != op || !errors.Is(err, syscall.ENAMETOOLONG) {
			t.Errorf("%s: %v", op, err)
		}
	}
}
