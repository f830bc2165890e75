package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// module is a program whose boundary only the tests of another package notice.
var module = map[string]string{
	"go.mod":      "module example.org/m\n\ngo 1.26\n",
	"a/a.go":      "package a\n\nfunc Less(x, y int) bool { return x < y }\n\nfunc Sum(x, y int) int { return x + y }\n\nfunc None(x int) bool { return x >= 3 }\n",
	"a/a_test.go": "package a\n\nimport \"testing\"\n\nfunc TestSum(t *testing.T) {\n\tif Sum(1, 2) != 3 {\n\t\tt.Fail()\n\t}\n}\n",
	"b/b_test.go": "package b\n\nimport (\n\t\"testing\"\n\n\t\"example.org/m/a\"\n)\n\nfunc TestLess(t *testing.T) {\n\tif a.Less(1, 1) {\n\t\tt.Fail()\n\t}\n}\n",
}

// TestSampling tries all mutants of a package, with the tests of another one and without.
func TestSampling(t *testing.T) {
	t.Chdir(t.TempDir())
	for name, text := range module {
		if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for also, want := range map[string][]string{
		"": {
			"a: 5 mutants of 5, 1 killed, 4 survived",
			"survived a/a.go:3:37: < becomes <=", "survived a/a.go:7:34: >= becomes >", "survived a/a.go:7:37: 3 becomes 4", "survived a/a.go:7:37: 3 becomes 2",
		},
		"./b": {
			"a: 5 mutants of 5, 1 killed, 1 killed by b alone, 3 survived", "killed by b alone a/a.go:3:37: < becomes <=",
			"survived a/a.go:7:34: >= becomes >", "survived a/a.go:7:37: 3 becomes 4", "survived a/a.go:7:37: 3 becomes 2",
		},
	} {
		var out strings.Builder
		s := sampling{out: &out}
		if err := s.all(also, []string{"./a"}); err != nil {
			t.Fatal(err)
		}
		for _, line := range want {
			if !strings.Contains(out.String(), line+"\n") {
				t.Errorf("also %q: %q is not in\n%s", also, line, out.String())
			}
		}
	}
}
