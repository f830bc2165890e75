package archtest

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// openers are the functions that open, describe, write or remove a file, or follow names
// below a folder. Only internal/door calls them, so that every file is met under its rules,
// and a test can make each call fail.
var openers = map[string][]string{
	"os": {
		"Open", "OpenFile", "ReadFile", "ReadDir", "OpenRoot", "OpenInRoot", "DirFS", "Stat", "Lstat", "Readlink",
		"Create", "CreateTemp", "WriteFile", "Remove", "RemoveAll", "Rename", "Truncate", "Chmod", "Mkdir", "MkdirAll", "MkdirTemp", "Link", "Symlink",
	},
	"filepath": {"WalkDir", "Walk", "Glob", "EvalSymlinks"},
}

// TestOneDoor finds no other way to a file's content in the program.
func TestOneDoor(t *testing.T) {
	calls := 0
	fset := token.NewFileSet()
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() && (d.Name() == "testdata" || path != "." && (strings.HasPrefix(d.Name(), ".") || isModule(path))) {
			return skipOr(err)
		}
		if d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return nil
		}
		file, err := parser.ParseFile(fset, path, nil, 0)
		if err != nil {
			return err
		}
		ast.Inspect(file, func(n ast.Node) bool {
			called, ok := n.(*ast.SelectorExpr)
			if !ok {
				return true
			}
			from, _ := called.X.(*ast.Ident)
			if from == nil || !slices.Contains(openers[from.Name], called.Sel.Name) {
				return true
			}
			calls++
			if filepath.ToSlash(filepath.Dir(path)) != "internal/door" {
				t.Errorf("%s: %s.%s outside internal/door", fset.Position(n.Pos()), from.Name, called.Sel.Name)
			}
			return true
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if calls == 0 {
		t.Fatal("not even internal/door opens a file")
	}
	t.Logf("%d calls", calls)
}

// isModule reports whether a folder is a separate module, outside of the program.
func isModule(folder string) bool {
	_, err := os.Stat(filepath.Join(folder, "go.mod"))
	return err == nil
}
