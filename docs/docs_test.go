package docs_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/cupel-dev/cupel/docs"
)

// TestEveryDocument: each document of the folder is in the program, with a heading, and in one section. The generated
// list of rules is not.
func TestEveryDocument(t *testing.T) {
	paths, err := filepath.Glob("*.md")
	if err != nil {
		t.Fatal(err)
	}
	var want []string
	for _, path := range paths {
		name := strings.TrimSuffix(path, ".md")
		if name == "rules" {
			continue
		}
		want = append(want, name)
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		have, ok := docs.Text(name)
		if !ok || have != string(text) {
			t.Errorf("%s is not what the program has", path)
		}
		if title := docs.Title(name); title == "" || !strings.HasPrefix(have, "# "+title+"\n\n") {
			t.Errorf("%s: the heading is %q", path, title)
		}
	}
	if diff := cmp.Diff(want, docs.Names()); diff != "" || len(want) == 0 {
		t.Error(diff)
	}
	var listed []string
	for _, section := range docs.Sections {
		listed = append(listed, section.Names...)
	}
	slices.Sort(listed)
	if diff := cmp.Diff(slices.Sorted(slices.Values(want)), listed); diff != "" {
		t.Errorf("the sections do not list each document once (-documents +listed):\n%s", diff)
	}
	if text, ok := docs.Text("../README"); ok || docs.Title("nothing") != "" {
		t.Errorf("a document that is not there: %q", text)
	}
	t.Logf("%d documents", len(want))
}
