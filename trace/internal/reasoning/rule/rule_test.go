package rule

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"strings"
	"testing"
)

// TestTable holds that every handle has its row, and every id one row.
func TestTable(t *testing.T) {
	seen := map[string]bool{}
	for i, r := range All() {
		if r.ID == "" || r.Title == "" || r.Clause == "" || r.Rationale == "" {
			t.Errorf("row %d is not complete: %+v", i, r)
		}
		if seen[r.ID] {
			t.Errorf("%s has two rows", r.ID)
		}
		seen[r.ID] = true
		id := ID(i)
		if f := id.New("text"); f.Rule != id.String() || f.Severity != id.Severity() || f.Message != "text" {
			t.Errorf("%s makes %+v", id, f)
		}
	}
	if len(seen) == 0 || int(ManifestMismatch) != len(seen)-1 {
		t.Errorf("%d rows, the last handle is %d", len(seen), ManifestMismatch)
	}
}

// TestEveryRuleIsUsed looks for each handle in the code of the family.
func TestEveryRuleIsUsed(t *testing.T) {
	used := map[string]bool{}
	family := os.DirFS("..")
	err := fs.WalkDir(family, ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		text, err := fs.ReadFile(family, path)
		if err != nil {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, text, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		ast.Inspect(file, func(n ast.Node) bool {
			if s, ok := n.(*ast.SelectorExpr); ok {
				if x, ok := s.X.(*ast.Ident); ok && x.Name == "rule" {
					used[s.Sel.Name] = true
				}
			}
			return true
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	handles, err := parser.ParseFile(token.NewFileSet(), "rule.go", nil, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, d := range handles.Decls {
		g, ok := d.(*ast.GenDecl)
		if !ok || g.Tok != token.CONST {
			continue
		}
		for _, s := range g.Specs {
			name := s.(*ast.ValueSpec).Names[0].Name
			if n++; !used[name] {
				t.Errorf("no code uses rule.%s", name)
			}
		}
	}
	if n != len(table) {
		t.Errorf("%d handles, %d rows", n, len(table))
	}
}
