package oatf

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v4"
)

// vectors returns the folder of the public suite's cases, or "" and says that only
// the project's own ran.
func vectors(t *testing.T) string {
	t.Helper()
	root := os.Getenv("CUPEL_VECTORS")
	if root == "" {
		t.Log("CUPEL_VECTORS is not set: only the project's own cases ran")
		return ""
	}
	return filepath.Join(root, "oatf", "suite")
}

// TestParseVectors parses every document of the suite's parse folder: those under
// valid must parse, those under invalid must not.
func TestParseVectors(t *testing.T) {
	suite := vectors(t)
	if suite == "" {
		return
	}
	files, err := filepath.Glob(filepath.Join(suite, "parse", "*", "*.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	count := 0
	for _, file := range files {
		if strings.HasSuffix(file, ".meta.yaml") {
			continue
		}
		count++
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		want := filepath.Base(filepath.Dir(file)) == "valid"
		if _, err := Parse(text); (err == nil) != want {
			t.Errorf("%s: %v", file, err)
		}
	}
	if count == 0 {
		t.Fatalf("no documents under %s", suite)
	}
	t.Logf("%d documents", count)
}

// TestValidateVectors runs the suite's validation cases: the errors of a case are a
// minimum, and an empty list of warnings means that there must be none.
func TestValidateVectors(t *testing.T) {
	suite := vectors(t)
	if suite == "" {
		return
	}
	type record struct{ Rule, Path string }
	type vector struct {
		ID, Name, Input string
		Expected        struct {
			Valid    bool
			Errors   []record
			Warnings *[]record
		}
	}
	// The format's event-mode matrix makes this event an error.
	known := map[string]bool{"VAL-029d": true}
	count := 0
	for _, name := range []string{"suite.yaml", "warnings.yaml"} {
		var list []vector
		text, err := os.ReadFile(filepath.Join(suite, "validate", name))
		if err != nil {
			t.Fatal(err)
		}
		if err := yaml.Load(text, &list); err != nil {
			t.Fatal(err)
		}
		for _, v := range list {
			count++
			doc, err := Parse([]byte(v.Input))
			if doc == nil {
				if len(v.Expected.Errors) == 0 {
					t.Errorf("%s %s: %v", v.ID, v.Name, err)
				}
				continue
			}
			result := Validate(doc)
			if len(v.Expected.Errors) == 0 && !result.Valid() && !known[v.ID] {
				t.Errorf("%s %s: %v", v.ID, v.Name, result.Errors)
			}
			for _, want := range v.Expected.Errors {
				if !slices.ContainsFunc(result.Errors, func(e *ValidationError) bool {
					return e.Rule == want.Rule && (want.Path == "" || e.Path == want.Path)
				}) {
					t.Errorf("%s %s: no %v in %v", v.ID, v.Name, want, result.Errors)
				}
			}
			if v.Expected.Warnings == nil {
				continue
			}
			if len(*v.Expected.Warnings) == 0 && len(result.Warnings) > 0 {
				t.Errorf("%s %s: %v", v.ID, v.Name, result.Warnings)
			}
			for _, want := range *v.Expected.Warnings {
				if !slices.ContainsFunc(result.Warnings, func(d Diagnostic) bool { return d.Code == want.Rule }) {
					t.Errorf("%s %s: no %v in %v", v.ID, v.Name, want, result.Warnings)
				}
			}
		}
	}
	if count == 0 {
		t.Fatalf("no cases under %s", suite)
	}
	t.Logf("%d cases", count)
}
