package commands_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestLinksLead: every relative link of the documents leads to a file.
func TestLinksLead(t *testing.T) {
	link := regexp.MustCompile(`\]\(([^)#:]+)\)`)
	documents, err := filepath.Glob("../*.md")
	more, err2 := filepath.Glob("../docs/*.md")
	if err != nil || err2 != nil {
		t.Fatal(err, err2)
	}
	links := 0
	for _, path := range append(documents, more...) {
		if strings.HasSuffix(path, "rules.md") {
			continue // generated: its brackets are examples
		}
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range link.FindAllStringSubmatch(string(text), -1) {
			links++
			if _, err := os.Stat(filepath.Join(filepath.Dir(path), m[1])); err != nil {
				t.Errorf("%s: %v", path, err)
			}
		}
	}
	if links == 0 {
		t.Fatal("no links")
	}
	t.Logf("%d links", links)
}
