package migrate

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"github.com/cupel-dev/cupel/finding"
	"github.com/cupel-dev/cupel/oatf"
)

var update = flag.Bool("update", false, "write what the cases give into their files")

// TestCases migrates the document of each case and compares the result and the notes.
func TestCases(t *testing.T) {
	for _, file := range caseFiles(t) {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			archive, err := txtar.ParseFile(file)
			if err != nil {
				t.Fatal(err)
			}
			was := map[string]string{}
			for _, f := range archive.Files {
				was[f.Name] = string(f.Data)
			}
			out, lines := migrated(t, was["in.yaml"])
			is := map[string]string{"in.yaml": was["in.yaml"], "out.yaml": out, "lines": lines}
			if *update {
				write(t, file, archive.Comment, is)
				return
			}
			if diff := gocmp.Diff(was, is); diff != "" {
				t.Errorf("-want +got\n%s", diff)
			}
		})
	}
}

func caseFiles(t testing.TB) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("testdata", "cases", "*.txtar"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no cases: %v", err)
	}
	return files
}

func write(t *testing.T, file string, comment []byte, is map[string]string) {
	t.Helper()
	archive := &txtar.Archive{Comment: comment}
	for _, name := range []string{"in.yaml", "out.yaml", "lines"} {
		if text, ok := is[name]; ok {
			archive.Files = append(archive.Files, txtar.File{Name: name, Data: []byte(text)})
		}
	}
	writeArchive(t, file, archive)
}

func writeArchive(t *testing.T, file string, archive *txtar.Archive) {
	t.Helper()
	if err := os.WriteFile(file, txtar.Format(archive), 0o600); err != nil {
		t.Fatal(err)
	}
}

// migrated returns a document of the earlier revision after its migration, and a line per note.
func migrated(t *testing.T, text string) (string, string) {
	t.Helper()
	result, err := Options{From: oatf.SDK01}.Migrate([]byte(text))
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	out, err := finding.Apply([]byte(text), result.Edits)
	if err != nil {
		t.Fatal(err)
	}
	var lines strings.Builder
	for _, n := range result.Notes {
		fmt.Fprintf(&lines, "%d:%d %s %s: %s\n", n.Line, n.Column, map[bool]string{true: "loss", false: "note"}[n.Loss], n.Path, n.Message)
	}
	return string(out), lines.String()
}
