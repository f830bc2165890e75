package archtest

import (
	"go/ast"
	"go/doc"
	"go/parser"
	"go/token"
	"os"
	"strings"
	"testing"
)

// TestFindingFields holds that the documentation of Finding in each library lists the
// fields of the type, one a line, as `go doc PKG.Finding` shows them.
func TestFindingFields(t *testing.T) {
	source, err := os.ReadFile("finding/finding.go")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(source), "type Finding struct {\n")
	fields, _, ok := strings.Cut(rest, "\n}")
	if !ok || strings.Count(fields, "\n") < 10 {
		t.Fatalf("the fields of finding.Finding were not found: %q", fields)
	}
	for _, pkg := range libraries {
		if text := docOf(t, pkg, "Finding"); !strings.Contains(text, "Its fields:\n\n"+fields) {
			t.Errorf("%s.Finding documents other fields:\n%s", pkg, text)
		}
	}
}

// docOf returns the documentation of a type in the package of a folder.
func docOf(t *testing.T, folder, name string) string {
	t.Helper()
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, folder+"/finding.go", nil, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	pkg, err := doc.NewFromFiles(fset, []*ast.File{file}, module+"/"+folder)
	if err != nil {
		t.Fatal(err)
	}
	for _, typ := range pkg.Types {
		if typ.Name == name {
			return typ.Doc
		}
	}
	return ""
}
