package walk

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// TestChangedLaw: whatever the tree, what is read for changed files is what a simple look at
// each of them says; their order, their spelling and how often they are named do not matter;
// each is either read, stood for by a run or passed over; and all files of a tree are at least
// what a walk of it reads.
func TestChangedLaw(t *testing.T) {
	top, err := filepath.EvalSymlinks(t.TempDir()) // as the system calls the folder that a test is in
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(top) // and back, after the last tree
	trees := 0
	rapid.Check(t, func(t *rapid.T) {
		trees++
		root, err := os.MkdirTemp(top, "tree")
		if err != nil {
			t.Fatal(err)
		}
		if err := os.Mkdir(filepath.Join(root, ".git"), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.Chdir(root); err != nil {
			t.Fatal(err)
		}
		files := plant(t)
		chosen := rapid.SliceOfN(rapid.SampledFrom(files), 1, 2*len(files)).Draw(t, "changed")
		var operands []string
		for _, name := range chosen {
			operands = append(operands, spelled(t, root, name))
		}
		wantRead, wantPassed := simpleLook(chosen)
		gotRead, gotPassed := look(t, operands, true)
		if diff := cmp.Diff(wantRead, gotRead); diff != "" {
			t.Fatalf("%q: read (-want +got):\n%s", operands, diff)
		}
		if diff := cmp.Diff(wantPassed, gotPassed); diff != "" {
			t.Fatalf("%q: passed over (-want +got):\n%s", operands, diff)
		}
		all, _ := look(t, files, true)
		walked, _ := look(t, []string{"."}, false)
		for _, name := range walked {
			if !slices.Contains(all, name) {
				t.Fatalf("a walk reads %q, all files as changed ones do not", name)
			}
		}
	})
	t.Logf("%d trees", trees)
}

// plant makes files of drawn names and returns them.
func plant(t *rapid.T) []string {
	folder := rapid.SampledFrom([]string{"a", "b b", "-c", ".d", "e\ne", "evidence"})
	file := rapid.SampledFrom([]string{"trace.jsonl", "x.jsonl", "-y.jsonl", "--format=json=z.jsonl", "-", "*.jsonl", "plan.json", "e\n.txt", "LOG.JSONL"})
	made := map[string]bool{}
	for range rapid.IntRange(1, 12).Draw(t, "files") {
		name := strings.Join(append(rapid.SliceOfN(folder, 0, 3).Draw(t, "folders"), file.Draw(t, "name")), "/")
		text := rapid.SampledFrom([]string{"", "other"}).Draw(t, "text")
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		made[name] = true
	}
	return slices.Sorted(maps.Keys(made))
}

// spelled returns one of the ways to name a file of the tree.
func spelled(t *rapid.T, root, name string) string {
	switch rapid.IntRange(0, 3).Draw(t, "spelling") {
	case 1:
		return "./" + name
	case 2:
		return root + "/" + name
	case 3:
		return "../" + filepath.Base(root) + "//" + name
	}
	return name
}

// simpleLook classifies each file by itself.
func simpleLook(files []string) (read, passed []string) {
	for _, name := range files {
		runs := 0
		for dir := filepath.Dir(name); ; dir = filepath.Dir(dir) {
			if info, err := os.Stat(filepath.Join(dir, marker)); err == nil && !info.IsDir() {
				read = append(read, filepath.Join(dir, marker))
				runs++
			}
			if dir == "." {
				break
			}
		}
		text, _ := os.ReadFile(name)
		switch {
		case runs > 0:
		case strings.ToLower(filepath.Ext(name)) == ".jsonl" && string(text) != "other":
			read = append(read, name)
		default:
			passed = append(passed, name)
		}
	}
	return set(read), set(passed)
}

// look is what Expand makes of operands, as paths below the current folder.
func look(t *rapid.T, operands []string, changed bool) (read, passed []string) {
	root, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	below := func(path string) string {
		name, err := filepath.Rel(root, absolute(path))
		if err != nil {
			t.Fatal(err)
		}
		return name
	}
	list, err := Expand(t.Context(), operands, Options{
		Patterns: []string{"*.jsonl"}, Marker: marker, Probe: Passing(probeOther), Changed: changed,
		PassedOver: func(name, _ string) { passed = append(passed, below(name)) },
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, in := range list {
		if r, err := in.Open(); err == nil {
			_ = r.Close()
		} else if !in.Empty() {
			t.Fatal(err)
		}
		if !in.Empty() {
			read = append(read, below(in.Path))
		}
	}
	if changed && (len(read) != len(set(read)) || len(passed) != len(set(passed))) {
		t.Fatalf("%q: something is there twice: %q, %q", operands, read, passed)
	}
	return set(read), set(passed)
}

func set(list []string) []string {
	slices.Sort(list)
	return slices.Compact(list)
}
