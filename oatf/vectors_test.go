package oatf

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"go.yaml.in/yaml/v4"
)

// TestValidateVectors asks more of the public suite's validation cases than its rules
// do, by which refusing to parse is enough: the expected errors must be among those of
// Validate also where Parse has refused the document.
func TestValidateVectors(t *testing.T) {
	root := os.Getenv("CUPEL_VECTORS")
	if root == "" {
		t.Log("CUPEL_VECTORS is not set: only the project's own cases ran")
		return
	}
	text, err := os.ReadFile(filepath.Join(root, "oatf", "suite", "validate", "suite.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	var list []struct {
		ID, Input string
		Expected  struct{ Errors []struct{ Rule, Path string } }
	}
	if err := yaml.Load(text, &list); err != nil {
		t.Fatal(err)
	}
	expected := 0
	for _, v := range list {
		doc, err := Parse([]byte(v.Input))
		if doc == nil {
			t.Errorf("%s: no document: %v", v.ID, err)
			continue
		}
		result := Validate(doc)
		for _, want := range v.Expected.Errors {
			expected++
			if !slices.ContainsFunc(result.Errors, func(e *ValidationError) bool {
				return e.Rule == want.Rule && (want.Path == "" || e.Path == want.Path)
			}) {
				t.Errorf("%s: no %v in %v", v.ID, want, result.Errors)
			}
		}
	}
	if expected == 0 {
		t.Fatal("no errors are expected of any case")
	}
	t.Logf("%d cases, %d expected errors", len(list), expected)
}
