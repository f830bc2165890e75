package docs_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/cupel-dev/cupel/docs"
)

// TestEveryDocument: each document of the folder is in the program, under a heading, but for those that
// tell what the program prints by itself.
func TestEveryDocument(t *testing.T) {
	paths, err := filepath.Glob("*.md")
	if err != nil {
		t.Fatal(err)
	}
	var want []string
	for _, path := range paths {
		name := strings.TrimSuffix(path, ".md")
		if name == "rules" || name == "messages" {
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
	if text, ok := docs.Text("../README"); ok || docs.Title("nothing") != "" {
		t.Errorf("a document that is not there: %q", text)
	}
	t.Logf("%d documents", len(want))
}
