package archtest

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"
)

// TestNobodySleeps: no code waits for a time to pass, in the hope that something has happened
// by then. Within synctest.Test a sleep takes no time, and begins when nothing else goes on.
func TestNobodySleeps(t *testing.T) {
	fset, bubbles := token.NewFileSet(), 0
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() && path != "." && strings.HasPrefix(d.Name(), ".") {
			return skipOr(err)
		}
		if d.IsDir() || !strings.HasSuffix(path, ".go") {
			return nil
		}
		file, err := parser.ParseFile(fset, path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		ast.Inspect(file, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			switch {
			case ok && isCall(call, "synctest", "Test"):
				bubbles++
				return false
			case ok && isCall(call, "time", "Sleep"):
				t.Errorf("%s: a sleep outside synctest.Test: wait for what shall happen, with a deadline", fset.Position(n.Pos()))
			}
			return true
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if bubbles == 0 {
		t.Error("no bubble found")
	}
}

// isCall reports whether a call is that of a package's function.
func isCall(call *ast.CallExpr, pkg, name string) bool {
	f, ok := call.Fun.(*ast.SelectorExpr)
	if !ok || f.Sel.Name != name {
		return false
	}
	from, ok := f.X.(*ast.Ident)
	return ok && from.Name == pkg
}
