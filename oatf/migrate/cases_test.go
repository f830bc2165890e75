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

// TestCases migrates the document of each case and compares what comes out, the lines that
// are said, and what comes back: the document itself where the case has no other.
func TestCases(t *testing.T) {
	for folder, way := range map[string][2]oatf.Revision{"up": {oatf.SDK01, oatf.V202603}, "down": {oatf.V202603, oatf.SDK01}} {
		files, err := filepath.Glob(filepath.Join("testdata", folder, "*.txtar"))
		if err != nil || len(files) == 0 {
			t.Fatalf("no cases in %s: %v", folder, err)
		}
		for _, file := range files {
			t.Run(folder+"/"+strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
				archive, err := txtar.ParseFile(file)
				if err != nil {
					t.Fatal(err)
				}
				was := map[string]string{}
				for _, f := range archive.Files {
					was[f.Name] = string(f.Data)
				}
				there, lines := carried(t, was["in.yaml"], way[0], way[1])
				back, backLines := carried(t, there, way[1], way[0])
				is := map[string]string{"in.yaml": was["in.yaml"], "out.yaml": there, "lines": lines}
				if back != was["in.yaml"] {
					is["back.yaml"] = back
				}
				if was["back-lines"] != "" || back != was["in.yaml"] {
					is["back-lines"] = backLines
				}
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
}

func write(t *testing.T, file string, comment []byte, is map[string]string) {
	t.Helper()
	archive := &txtar.Archive{Comment: comment}
	for _, name := range []string{"in.yaml", "out.yaml", "lines", "back.yaml", "back-lines"} {
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

// carried returns a text on the other side, with the lines that are said about it.
func carried(t *testing.T, text string, from, to oatf.Revision) (string, string) {
	t.Helper()
	result, err := Options{From: from, To: to}.Migrate([]byte(text))
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
