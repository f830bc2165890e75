package lint_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/cupel-dev/cupel/internal/oatftest"
	"github.com/cupel-dev/cupel/oatf"
	"github.com/cupel-dev/cupel/oatf/internal/rules"
	"github.com/cupel-dev/cupel/oatf/lint"
)

// TestLint runs the cases of testdata/oatf/lint and of the folders next to it that are named after a revision: an
// input, which can be the inside of an attack as in the rule table, and the expected lint findings, each as "ID path:
// message".
func TestLint(t *testing.T) {
	for revision, folder := range map[oatf.Revision]string{oatf.SDK01: "lint", oatf.V202603: "lint-2026-03"} {
		root := os.DirFS(filepath.Join("..", "..", "testdata", "oatf", folder))
		files, err := fs.ReadDir(root, ".")
		if err != nil || len(files) == 0 {
			t.Fatalf("%d files of cases: %v", len(files), err)
		}
		for _, file := range files {
			for _, c := range oatftest.Cases[lintCase](t, root, file.Name()) {
				t.Run(string(revision)+"/"+strings.TrimSuffix(file.Name(), ".yaml")+"/"+c.Name, func(t *testing.T) { testLint(t, revision, c) })
			}
		}
	}
}

type lintCase struct {
	Name, Input string
	Findings    []string
}

func testLint(t *testing.T, revision oatf.Revision, c lintCase) {
	doc, err := oatf.ParseOptions{Revision: revision}.Parse([]byte(rules.WholeDocument(c.Input)))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, d := range lint.Document(doc) {
		if d.Line == 0 {
			t.Errorf("%+v has no place", d)
		}
		got = append(got, d.Rule+" "+strings.TrimPrefix(d.Path, "attack.")+": "+d.Message)
	}
	if diff := gocmp.Diff(c.Findings, got); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
}

// TestLintJudgesDocumentsWithoutSource lints a normalized document, which has no
// places: the findings are those of its source, in the order of the paths.
func TestLintJudgesDocumentsWithoutSource(t *testing.T) {
	doc, err := oatf.Parse([]byte(rules.WholeDocument("indicators:\n  - {surface: tool_arguments, pattern: {contains: x}}\n")))
	if err != nil {
		t.Fatal(err)
	}
	list := lint.Document(oatf.Normalize(doc))
	if len(list) != 1 || list[0].Rule != "L-101" || list[0].Line != 0 {
		t.Errorf("%v", list)
	}
}
