//go:build unix

package door_test

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/cupel-dev/cupel/internal/door"
)

// TestWalk visits what filepath.WalkDir visits, in its order, whatever the visitor skips.
func TestWalk(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"a/b/c", "a/b/d", "a/e", "a.b/x", "f", "z/y/x/w", "empty/gone"} {
		put(t, filepath.Join(dir, name), "text")
	}
	if err := errors.Join(os.Remove(filepath.Join(dir, "empty/gone")), os.Symlink("a", filepath.Join(dir, "link")), os.Symlink("..", filepath.Join(dir, "z/up"))); err != nil {
		t.Fatal(err)
	}
	folder, err := door.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = folder.Close() }()
	var all []string
	if err := visited(func(visit fs.WalkDirFunc) error { return folder.Walk(".", visit) }, &all, "", nil); err != nil {
		t.Fatal(err)
	}
	if len(all) != 16 {
		t.Fatalf("%d visits: %q", len(all), all)
	}
	for _, start := range []string{".", "a", "a/b", "f", "link", "empty"} {
		for _, at := range append(all, "nowhere") {
			for _, answer := range []error{nil, fs.SkipDir, fs.SkipAll, errStop} {
				var got, want []string
				gotErr := visited(func(visit fs.WalkDirFunc) error { return folder.Walk(start, visit) }, &got, at, answer)
				wantErr := visited(func(visit fs.WalkDirFunc) error {
					return filepath.WalkDir(filepath.Join(dir, start), func(path string, d fs.DirEntry, err error) error {
						name, _ := filepath.Rel(dir, path)
						return visit(name, d, err)
					})
				}, &want, at, answer)
				if !slices.Equal(got, want) || !errors.Is(gotErr, wantErr) {
					t.Errorf("from %s, %v at %s: %q, %v\nexpected %q, %v", start, answer, at, got, gotErr, want, wantErr)
				}
			}
		}
	}
	err = folder.Walk("nowhere", func(_ string, _ fs.DirEntry, err error) error { return err })
	if !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
}

var errStop = errors.New("stop")

// visited walks, notes the names, and gives one answer at one of them.
func visited(walk func(fs.WalkDirFunc) error, names *[]string, at string, answer error) error {
	return walk(func(name string, d fs.DirEntry, err error) error {
		*names = append(*names, fmt.Sprint(name, d.IsDir(), err)[:len(name)])
		if name == at {
			return answer
		}
		return err
	})
}

func put(t *testing.T, path, text string) {
	t.Helper()
	if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(text), 0o644)); err != nil {
		t.Fatal(err)
	}
}

// TestFS holds the folder to what code expects of a file system.
func TestFS(t *testing.T) {
	folder := open(t, map[string]string{"a/b/c.txt": "c", "d.txt": "d", "e/f": "f"})
	if err := fstest.TestFS(folder.FS(), "a/b/c.txt", "d.txt", "e/f"); err != nil {
		t.Error(err)
	}
}

// TestFile opens regular files, over links inside the folder, and says of all else what
// it is and where.
func TestFile(t *testing.T) {
	folder := open(t, map[string]string{
		"a/text": "text", "a/in": "->text", "in": "->a/text", "a/round": "->round", "a/dead": "->nothing", "a/out": "->../../x",
		"a/null": "->/dev/null", "a/pipe": "pipe", "a/far": "->pipe", "packed": "BZh91AY&SY",
	})
	for name, says := range map[string]string{
		"a/text": "", "a/in": "", "in": "", "packed": "",
		"a": "the path is a directory", "a/round": "the symbolic link leads to itself", "a/dead": "the symbolic link points to a file that does not exist", "a/out": "the path leads out of",
		"a/null": "the path leads out of", "a/pipe": "the path is a named pipe", "a/far": "the path is a named pipe", "no": "no such file", "no/no": "no such file",
		"a/text/x": "not a directory",
	} {
		f, err := folder.File(name)
		switch {
		case says == "" && err != nil, says != "" && (err == nil || !strings.Contains(err.Error(), says) || !strings.Contains(err.Error(), filepath.FromSlash("/"+name))):
			t.Errorf("%s: %v, expected %q", name, err, says)
		case err == nil:
			_ = f.Close()
		case door.Absent(err) != strings.HasPrefix(name, "no"):
			t.Errorf("%s: absent is %v for %v", name, door.Absent(err), err)
		}
	}
	if _, err := folder.Text("packed"); err == nil || !strings.Contains(err.Error(), "compressed with bzip2") {
		t.Error(err)
	}
}

// TestShare closes a folder with its last user.
func TestShare(t *testing.T) {
	dir := t.TempDir()
	put(t, filepath.Join(dir, "a", "f"), "text")
	folder, err := door.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	for range 3 {
		folder.Share()
	}
	for users := 4; users >= 0; users-- {
		_, err := folder.File("a/f")
		if (err == nil) != (users > 0) {
			t.Errorf("%d users: %v", users, err)
		}
		if err := folder.Close(); err != nil {
			t.Error(err)
		}
	}
}

// TestSomeNames lists all names of a folder that has no more than are wanted, and of another one as
// many as are.
func TestSomeNames(t *testing.T) {
	dir := t.TempDir()
	all := []string{"a", "b", "c", "d", "e"}
	for _, name := range all {
		put(t, filepath.Join(dir, name), "text")
	}
	folder, err := door.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = folder.Close() }()
	for most := range len(all) + 2 {
		got, err := folder.SomeNames(most)
		stray := slices.ContainsFunc(got, func(name string) bool { return !slices.Contains(all, name) })
		if err != nil || len(got) != min(most, len(all)) || !slices.IsSorted(got) || len(slices.Compact(slices.Clone(got))) != len(got) || stray {
			t.Errorf("%d: %q, %v", most, got, err)
		}
	}
}
