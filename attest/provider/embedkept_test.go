package provider

import (
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"testing"

	"pgregory.net/rapid"

	"github.com/cupel-dev/cupel/internal/door"
	"github.com/cupel-dev/cupel/internal/journal"
)

// filesOf returns the names of the files in a folder, with their contents.
func filesOf(t *rapid.T, dir string) map[string]string {
	files := map[string]string{}
	list, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	for _, entry := range list {
		text, err := os.ReadFile(filepath.Join(dir, entry.Name()))
		if err != nil {
			t.Fatal(err)
		}
		files[entry.Name()] = string(text)
	}
	return files
}

// TestKept: as many vectors are counted as were asked for, in as many bytes as the file has;
// clearing takes that file and no other, and what was kept is asked for again.
func TestKept(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		dir := filepath.Join(t.TempDir(), rapid.StringMatching(`[a-z]{8}`).Draw(rt, "dir"))
		asked := map[string]bool{}
		for _, list := range rapid.SliceOfN(rapid.SliceOfN(rapid.StringMatching(`[a-d]{1,2}`), 1, 4), 0, 4).Draw(rt, "requests") {
			c := inFolder(t, &embedder{}, dir)
			if _, err := c.Embed(t.Context(), texts(list...)); err != nil {
				rt.Fatal(err)
			}
			c.Close()
			for _, text := range list {
				asked[text] = true
			}
		}
		if len(asked) > 0 && rapid.Bool().Draw(rt, "others") {
			if err := os.WriteFile(filepath.Join(dir, "notes.jsonl"), []byte("mine"), 0o600); err != nil {
				rt.Fatal(err)
			}
		}
		before := filesOf(rt, dir)
		want := Kept{len(asked), int64(len(before[vectorsFile]))}
		if kept, err := KeptIn(t.Context(), dir); err != nil || kept != want {
			rt.Fatalf("%+v, %v, want %+v", kept, err, want)
		}
		if after := filesOf(rt, dir); !maps.Equal(after, before) {
			rt.Fatalf("counting has left %v of %v", after, before)
		}
		if kept, err := ClearKept(t.Context(), dir); err != nil || kept != want {
			rt.Fatalf("%+v, %v, want %+v", kept, err, want)
		}
		delete(before, vectorsFile)
		if after := filesOf(rt, dir); !maps.Equal(after, before) {
			rt.Fatalf("clearing has left %v, want %v", after, before)
		}
		if kept, err := ClearKept(t.Context(), dir); err != nil || kept != (Kept{}) {
			rt.Fatalf("%+v, %v after clearing", kept, err)
		}
	})
}

// TestKeptWhileInUse: a cache whose file is cleared goes on, and keeps what comes then.
func TestKeptWhileInUse(t *testing.T) {
	dir := t.TempDir()
	c := inFolder(t, &embedder{}, dir)
	defer c.Close()
	for range 2 {
		for _, text := range []string{"a", "b"} {
			if _, err := c.Embed(t.Context(), texts(text)); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := ClearKept(t.Context(), dir); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := c.Embed(t.Context(), texts("c")); err != nil {
		t.Fatal(err)
	}
	if kept, err := KeptIn(t.Context(), dir); err != nil || kept.Vectors != 1 {
		t.Errorf("%+v, %v", kept, err)
	}
}

// TestKeptIsTheCachesOwn checks that other files, links, and files in the place of folders are not changed.
func TestKeptIsTheCachesOwn(t *testing.T) {
	elsewhere := t.TempDir()
	c := inFolder(t, &embedder{}, elsewhere)
	if _, err := c.Embed(t.Context(), texts("a")); err != nil {
		t.Fatal(err)
	}
	c.Close()
	kept := filepath.Join(elsewhere, vectorsFile)
	for title, put := range map[string]func(name string) error{
		"a file of somebody else": func(name string) error { return os.WriteFile(name, []byte("notes\n"), 0o600) },
		"a link":                  func(name string) error { return os.Symlink(kept, name) },
		"a link to nothing":       func(name string) error { return os.Symlink("nothing", name) },
		"a folder":                func(name string) error { return os.Mkdir(name, 0o700) },
	} {
		dir := t.TempDir()
		name := filepath.Join(dir, vectorsFile)
		if err := put(name); err != nil {
			t.Fatal(err)
		}
		_, errCount := KeptIn(t.Context(), dir)
		_, errClear := ClearKept(t.Context(), dir)
		for _, err := range []error{errCount, errClear} {
			_, refused := errors.AsType[*door.RefusedError](err)
			if at, ok := errors.AsType[*fs.PathError](err); !ok || at.Path != name || !refused && !errors.Is(err, journal.ErrForeign) {
				t.Errorf("%s: %v", title, err)
			}
		}
		if _, err := os.Lstat(name); err != nil {
			t.Errorf("%s: %v", title, err)
		}
	}
	if _, err := ClearKept(t.Context(), kept); err == nil {
		t.Error("a file is taken for a folder")
	}
	if kept, err := KeptIn(t.Context(), elsewhere); err != nil || kept.Vectors != 1 {
		t.Errorf("%+v, %v", kept, err)
	}
}
