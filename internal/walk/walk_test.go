package walk

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"github.com/cupel-dev/cupel/internal/door"
	"github.com/cupel-dev/cupel/internal/doortest"
)

// marker is the file that ends the descent in the cases.
const marker = "trace.jsonl"

// TestExpand runs the cases of testdata/*.txtar. Each archive is a folder tree; the
// files "case N" hold the operands on the first line and the inputs below it:
//
//	passed|file|run|stdin|error NAME-or-message
//
// Operands after "changed:" are changed files; a file that holds "other" is of another kind
// for them.
func TestExpand(t *testing.T) {
	archives, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(archives) == 0 {
		t.Fatal("no archives", err)
	}
	cases := 0
	for _, path := range archives {
		archive, err := txtar.ParseFile(path)
		if err != nil {
			t.Fatal(err)
		}
		t.Run(filepath.Base(path), func(t *testing.T) {
			t.Chdir(t.TempDir())
			for _, f := range archive.Files {
				if !strings.HasPrefix(f.Name, "case ") {
					place(t, f)
				}
			}
			for _, f := range archive.Files {
				if strings.HasPrefix(f.Name, "case ") {
					cases++
					expand(t, f)
				}
			}
		})
	}
	if cases == 0 {
		t.Fatal("no cases")
	}
	t.Logf("%d cases", cases)
}

// place writes one file of an archive; "NAME -> TARGET" is a symbolic link.
func place(t *testing.T, f txtar.File) {
	t.Helper()
	name, target, link := strings.Cut(f.Name, " -> ")
	err := os.MkdirAll(filepath.Dir(name), 0o755)
	if err == nil && link {
		err = os.Symlink(target, name)
	} else if err == nil {
		err = os.WriteFile(name, f.Data, 0o644)
	}
	if err != nil {
		t.Fatal(err)
	}
}

func expand(t *testing.T, f txtar.File) {
	t.Helper()
	operands, want, _ := strings.Cut(string(f.Data), "\n")
	opt := Options{Patterns: []string{"*.jsonl"}, Stdin: strings.NewReader("in"), Marker: marker}
	words := strings.Fields(operands)
	if len(words) > 0 && words[0] == "yaml:" {
		words = words[1:]
		opt = Options{Patterns: []string{"*.yaml", "*.yml"}, Probe: Passing(func(r io.Reader) bool {
			line, _ := bufio.NewReader(r).ReadString('\n')
			return strings.HasPrefix(line, "oatf:")
		})}
	}
	var got strings.Builder
	if len(words) > 0 && words[0] == "changed:" {
		words = words[1:]
		opt.Changed, opt.Probe = true, Passing(probeOther)
		opt.PassedOver = func(name, _ string) { fmt.Fprintln(&got, "passed", name) }
	}
	list, err := Expand(t.Context(), words, opt)
	if err != nil {
		t.Fatalf("%s: %v", f.Name, err)
	}
	for _, in := range list {
		fmt.Fprintln(&got, line(in))
	}
	if diff := cmp.Diff(want, got.String()); diff != "" {
		t.Errorf("%s: %s (-want +got):\n%s", f.Name, operands, diff)
	}
}

// probeOther returns a probe that a file with the text "other" does not pass.
func probeOther(r io.Reader) bool {
	text, err := io.ReadAll(r)
	return err != nil || !strings.HasPrefix(string(text), "other")
}

func line(in Input) string {
	r, err := in.Open()
	if err != nil {
		return "error " + err.Error()
	}
	defer r.Close()
	kind := "file"
	switch {
	case in.Path == "":
		kind = "stdin"
	case filepath.Base(in.Path) == marker && !in.Explicit:
		kind = "run"
	}
	if in.Explicit {
		kind += "!"
	}
	return kind + " " + in.Name
}

func TestStdinTwice(t *testing.T) {
	if _, err := Expand(t.Context(), []string{"-", "x", "-"}, Options{}); !errors.Is(err, ErrStdinTwice) {
		t.Error(err)
	}
}

func TestInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Expand(ctx, []string{"."}, Options{}); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// TestIgnoreLines tries single .gitignore patterns on single paths.
func TestIgnoreLines(t *testing.T) {
	for _, c := range []struct {
		line, path string
		dir, want  bool
	}{
		{"*.log", "a/b.log", false, true},
		{"b.log", "a/b.log", false, true},
		{"/b.log", "a/b.log", false, false},
		{"/b.log", "b.log", false, true},
		{"a/b.log", "a/b.log", false, true},
		{"a/b.log", "c/a/b.log", false, false},
		{"build/", "build", false, false},
		{"build/", "x/build", true, true},
		{"a/**", "a", true, false},
		{"a/**", "a/b/c", false, true},
		{"**/c", "a/b/c", false, true},
		{"a/**/c", "a/c", false, true},
		{"a/**/c", "a/b/b/c", false, true},
		{"a/*", "a/b/c", false, false},
		{"a?c", "abc", false, true},
		{"a[b-d]c", "acc", false, true},
		{`\#x`, "#x", false, true},
		{"#x", "#x", false, false},
		{"x   ", "x", false, true},
		{".env", ".env", false, true},
		{"[", "[", false, false},
	} {
		rule, ok := parseIgnore(c.line)
		if got := ok && rule.Matches(strings.Split(c.path, "/"), c.dir); got != c.want {
			t.Errorf("%q on %q = %v", c.line, c.path, got)
		}
	}
}

// TestRunsAbove: a run around the current folder counts up to the repository's root;
// outside a repository only those up to the current folder do.
func TestRunsAbove(t *testing.T) {
	top := t.TempDir()
	for _, name := range []string{"trace.jsonl", "repo/.git/HEAD", "repo/trace.jsonl", "repo/a/trace.jsonl", "repo/a/evidence/deep/e.jsonl", "plain/run/trace.jsonl", "plain/run/e.jsonl", "plain/e.jsonl"} {
		place(t, txtar.File{Name: filepath.Join(top, name)})
	}
	for _, c := range []struct{ folder, file, want string }{
		{"repo", "a/evidence/deep/e.jsonl", "a/trace.jsonl trace.jsonl"},
		{"repo/a/evidence", "deep/e.jsonl", "../trace.jsonl ../../trace.jsonl"},
		{"repo/a/evidence/deep", "e.jsonl", "../../trace.jsonl ../../../trace.jsonl"},
		{"plain", "run/e.jsonl", "run/trace.jsonl"},
		{"plain", "e.jsonl", "e.jsonl"},
	} {
		if c.folder == "plain" && repository(top) != "" {
			t.Logf("%s lies in a repository: 1 case is another one", top)
			continue
		}
		t.Chdir(filepath.Join(top, c.folder))
		list, err := Expand(t.Context(), []string{c.file}, Options{Patterns: []string{"*.jsonl"}, Marker: marker, Changed: true})
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, in := range list {
			got = append(got, in.Name)
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%s in %s: %q, expected %s", c.file, c.folder, got, c.want)
		}
	}
}

// TestUnreadProbe checks that a file of a folder that cannot be read is not skipped, whatever its probe returned.
func TestUnreadProbe(t *testing.T) {
	t.Chdir(t.TempDir())
	place(t, txtar.File{Name: "in/a.yaml", Data: []byte("kind: other\n")})
	for n := 1; ; n++ {
		faults := &doortest.Faults{At: n, Err: syscall.EIO}
		restore := door.Use(faults.Disk(door.System()))
		list, err := Expand(t.Context(), []string{"in"}, Options{
			Patterns: []string{"*.yaml"}, PassedOver: func(name, _ string) { t.Logf("passed over %s, %q failed", name, faults.Failed()) },
			Probe: Passing(func(r io.Reader) bool { _, _ = io.ReadAll(r); return false }),
		})
		restore()
		if faults.Failed() == "" {
			break
		}
		if err != nil || len(list) != 1 || list[0].Failed() == nil && !list[0].Empty() {
			t.Errorf("%q failed: %v, %v", faults.Failed(), list, err)
		}
	}
}
