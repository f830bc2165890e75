package commands_test

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// includedExample is a block of a document that shows an Example: its first line names the file and the function.
var includedExample = regexp.MustCompile("(?ms)^```go (\\S+) (\\S+)\n(.*?)^```$")

// TestGeneratedDocumentsExamples checks that the guide to the packages shows their Examples, which go test runs.
// `make docs` rewrites it.
func TestGeneratedDocumentsExamples(t *testing.T) {
	const path = "../docs/library.md"
	have, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	shown := 0
	want := includedExample.ReplaceAllStringFunc(string(have), func(block string) string {
		shown++
		words := includedExample.FindStringSubmatch(block)
		return "```go " + words[1] + " " + words[2] + "\n" + bodyOfExample(t, "../"+words[1], words[2]) + "```"
	})
	if *update {
		if err := os.WriteFile(path, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	} else if diff := cmp.Diff(string(have), want); diff != "" {
		t.Errorf("%s is not current; `make docs` writes it (-have +want):\n%s", path, diff)
	}
	if shown == 0 {
		t.Fatal("no examples")
	}
	t.Logf("%d examples", shown)
}

// bodyOfExample returns the body of an Example, moved to the left, with the output that go test compares.
func bodyOfExample(t *testing.T, path, name string) string {
	t.Helper()
	source, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, path, source, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	for _, decl := range file.Decls {
		f, ok := decl.(*ast.FuncDecl)
		if !ok || f.Name.Name != name {
			continue
		}
		body := source[fset.Position(f.Body.Lbrace).Offset+1 : fset.Position(f.Body.Rbrace).Offset]
		if !bytes.Contains(body, []byte("// Output:")) {
			t.Errorf("%s: %s has no output that is compared", path, name)
		}
		return strings.ReplaceAll(strings.TrimPrefix(string(body), "\n"), "\n\t", "\n")[1:]
	}
	t.Fatalf("%s: no %s", path, name)
	return ""
}
