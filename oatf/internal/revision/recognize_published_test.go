package revision_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/cupel-dev/cupel/internal/oatftest"
	"github.com/cupel-dev/cupel/oatf/internal/revision"
	"github.com/cupel-dev/cupel/oatf/internal/yamltext"
	"github.com/cupel-dev/cupel/oatf/model"
)

// TestPublishedDocuments recognises the documents of the public suites and of the public
// library, when they are there: none falls on the wrong side, and none has marks of both but
// the few that are known.
func TestPublishedDocuments(t *testing.T) {
	root := os.Getenv("CUPEL_VECTORS")
	if root == "" {
		t.Log("CUPEL_VECTORS is not set: only the project's own cases ran")
		return
	}
	for _, c := range []struct {
		folder string
		texts  func(*testing.T, string) map[string]string
		want   map[string]int
	}{
		{"oatf/suite", suiteDocuments, map[string]int{"sdk-0.1": 84, "none": 29}},
		{"oatf-2026-03/suite", suiteDocuments, map[string]int{"2026-03": 98, "both": 2, "none": 33}},
		{"oatf-2026-03/library", libraryDocuments, map[string]int{"2026-03": 31}},
	} {
		got := map[string]int{}
		for name, text := range c.texts(t, filepath.Join(root, filepath.FromSlash(c.folder))) {
			source, fault := yamltext.Read([]byte(text), model.Limits{})
			if fault != nil {
				got["unreadable"]++
				continue
			}
			p, signs := revision.Recognize(source.Root)
			if len(signs) == 0 {
				got["none"]++
				continue
			}
			got[string(p.Revision)]++
			if len(signs) > 1 {
				got["both"]++
				t.Logf("%s: %s: %v", c.folder, name, signs)
			}
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s: -want +got\n%s", c.folder, diff)
		}
	}
}

// suiteDocuments returns the documents of a suite: the inputs of its cases, and whole files.
func suiteDocuments(t *testing.T, root string) map[string]string {
	texts := filesOf(t, filepath.Join(root, "parse", "valid"))
	for name := range texts {
		if strings.HasSuffix(name, ".meta.yaml") {
			delete(texts, name)
		}
	}
	for _, name := range []string{"validate/suite.yaml", "validate/warnings.yaml", "normalize/suite.yaml", "roundtrip/suite.yaml"} {
		for _, c := range oatftest.Cases[struct{ ID, Input string }](t, os.DirFS(root), name) {
			texts[name+" "+c.ID] = c.Input
		}
	}
	return texts
}

func libraryDocuments(t *testing.T, root string) map[string]string {
	return filesOf(t, root)
}

// filesOf returns the YAML files of a folder, by their names.
func filesOf(t *testing.T, root string) map[string]string {
	texts := map[string]string{}
	err := filepath.WalkDir(root, func(path string, entry os.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !strings.HasSuffix(path, ".yaml") {
			return err
		}
		text, err := os.ReadFile(path)
		texts[path] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return texts
}
