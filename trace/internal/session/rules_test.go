package session

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"strings"
	"testing"
)

// TestRuleTable: each row is whole, no id occurs twice, and each rule is used.
func TestRuleTable(t *testing.T) {
	seen := map[string]bool{}
	for i, r := range rules {
		switch {
		case r.ID == "", i < int(ownRules) && (r.Title == "" || r.Clause == "" || r.Rationale == ""):
			t.Errorf("row %d is not whole: %+v", i, r)
		case seen[r.ID]:
			t.Errorf("two rows are called %s", r.ID)
		}
		seen[r.ID] = true
	}
	used := handlesUsed(t)
	for handle, declared := range used {
		if !declared {
			t.Errorf("%s is used by nothing", handle)
		}
	}
	if len(used) != len(rules) {
		t.Errorf("%d handles, %d rules", len(used), len(rules))
	}
}

// handlesUsed returns the rules' handles and whether a file other than rules.go names them.
func handlesUsed(t *testing.T) map[string]bool {
	t.Helper()
	used := map[string]bool{}
	files, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		if !strings.HasSuffix(f.Name(), ".go") || strings.HasSuffix(f.Name(), "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), f.Name(), nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok && len(id.Name) > 4 && strings.HasPrefix(id.Name, "rule") && strings.ToLower(id.Name[4:5]) != id.Name[4:5] {
				used[id.Name] = used[id.Name] || f.Name() != "rules.go"
			}
			return true
		})
	}
	return used
}
