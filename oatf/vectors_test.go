package oatf

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
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
