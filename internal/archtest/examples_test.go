package archtest

import (
	"go/ast"
	"go/doc"
	"go/parser"
	"go/token"
	"strings"
	"testing"
)

// mainJobs are the Examples that show what each package is there for.
var mainJobs = []struct{ file, name string }{
	{"trace/example_test.go", "Verify"},
	{"trace/example_test.go", "VerifyRun"},
	{"oatf/example_test.go", "Check"},
	{"oatf/lint/example_test.go", "Document"},
	{"evidence/example_test.go", ""},
	{"attest/example_test.go", "Engine_Evaluate"},
	{"attest/suite/example_test.go", "Parse"},
	{"attest/importer/example_test.go", "Traces"},
}

// TestMainJobsAreShown keeps the first Example that a newcomer reads short, run, and
// written as a caller writes it: at most 15 lines, with its output, in a package outside.
func TestMainJobsAreShown(t *testing.T) {
	const most = 15
	for _, job := range mainJobs {
		fset := token.NewFileSet()
		file, err := parser.ParseFile(fset, job.file, nil, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.HasSuffix(file.Name.Name, "_test") {
			t.Errorf("%s: package %s is no external test package", job.file, file.Name.Name)
		}
		example := exampleOf(file, job.name)
		if example == nil || example.Output == "" {
			t.Errorf("%s: no Example%s with its output", job.file, job.name)
			continue
		}
		body := example.Code.(*ast.BlockStmt)
		if lines := fset.Position(body.Rbrace).Line - fset.Position(body.Lbrace).Line - 1; lines > most {
			t.Errorf("%s: Example%s has %d lines, the limit is %d", job.file, job.name, lines, most)
		}
	}
}

func exampleOf(file *ast.File, name string) *doc.Example {
	for _, example := range doc.Examples(file) {
		if example.Name == name {
			return example
		}
	}
	return nil
}
