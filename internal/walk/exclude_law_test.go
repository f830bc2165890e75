package walk

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// TestExcludeLaw checks that exclusion of a walked file depends on its path alone. A named file is read, unless
// exclude is forced. Each exclusion is reported once, for the file or a folder around it. Shards together exclude the
// same as one run.
func TestExcludeLaw(t *testing.T) {
	top := t.TempDir()
	t.Chdir(top) // and back, after the last tree
	rapid.Check(t, func(t *rapid.T) {
		dir, err := os.MkdirTemp(top, "")
		if err == nil {
			err = os.Chdir(dir)
		}
		if err != nil {
			t.Fatal(err)
		}
		files := rapid.SliceOfNDistinct(rapid.StringMatching(`([ab]/){0,2}[xyz]\.jsonl`), 1, 8, rapid.ID).Draw(t, "files")
		slices.Sort(files)
		for _, name := range files {
			if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(name, []byte("{}\n"), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		out := rapid.SliceOfN(rapid.StringMatching(`[ab](/[ab])?|([ab]/)?[xyz]\.jsonl`), 0, 3).Draw(t, "out")
		leftOut := func(path string) bool {
			name, err := filepath.Rel(dir, absolute(path))
			if err != nil {
				t.Fatal(err)
			}
			return slices.ContainsFunc(out, func(o string) bool { return name == o || strings.HasPrefix(name, o+"/") })
		}
		opt := Options{Patterns: []string{"*.jsonl"}, Exclude: func(path string, _ bool) string {
			if leftOut(path) {
				return "left out"
			}
			return ""
		}}
		expand := func(opt Options, operands ...string) (read, told []string) {
			opt.Excluded = func(name, _ string) { told = append(told, name) }
			list, err := Expand(t.Context(), operands, opt)
			if err != nil {
				t.Fatal(err)
			}
			for _, in := range list {
				if !in.Empty() {
					read = append(read, filepath.Clean(in.Name))
				}
			}
			return slices.Compact(slices.Sorted(slices.Values(read))), told
		}
		kept := slices.DeleteFunc(slices.Clone(files), leftOut)

		operands := []string{".", "./"}
		for _, name := range files {
			operands = append(operands, filepath.Dir(name))
		}
		read, told := expand(opt, rapid.Permutation(operands).Draw(t, "operands")...)
		if !slices.Equal(read, kept) {
			t.Fatalf("without %q a walk of %q reads %q", out, files, read)
		}
		if tidy := slices.Compact(slices.Sorted(slices.Values(told))); len(tidy) != len(told) {
			t.Fatalf("told twice: %q", told)
		}
		for _, name := range files {
			if leftOut(name) != slices.ContainsFunc(told, func(o string) bool { return name == o || strings.HasPrefix(name, o+"/") }) {
				t.Fatalf("%s: told of %q", name, told)
			}
		}
		if read, told := expand(opt, files...); !slices.Equal(read, files) || told != nil {
			t.Fatalf("of the named %q, %q are read and %q left out", files, read, told)
		}
		changed := opt
		changed.Changed = true
		for _, opt := range []Options{changed, {Patterns: opt.Patterns, Exclude: opt.Exclude, ForceExclude: true}} {
			if read, told := expand(opt, files...); !slices.Equal(read, kept) || len(told) != len(files)-len(kept) {
				t.Fatalf("of the files %q, %q are read and %q left out", files, read, told)
			}
		}
		_, whole := expand(opt, ".")
		shards := map[string]int{}
		for i := range 3 {
			opt.Shard = Shard{i + 1, 3}
			_, told := expand(opt, ".")
			for _, name := range told {
				shards[name]++
			}
		}
		for _, name := range whole {
			shards[name]--
		}
		if maps.DeleteFunc(shards, func(_ string, n int) bool { return n == 0 }); len(shards) > 0 {
			t.Fatalf("shards tell of others: %v", shards)
		}
	})
}
