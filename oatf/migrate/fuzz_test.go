package migrate

import (
	"path/filepath"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"github.com/cupel-dev/cupel/finding"
	"github.com/cupel-dev/cupel/oatf"
)

// FuzzMigrate migrates any text from each revision: what comes out is read again, and what
// had no error and had its counterpart comes back with its meaning.
func FuzzMigrate(f *testing.F) { // slow: each text four times
	files, err := filepath.Glob(filepath.Join("testdata", "*", "*.txtar"))
	if err != nil || len(files) == 0 {
		f.Fatalf("no cases: %v", err)
	}
	for _, file := range files {
		archive, err := txtar.ParseFile(file)
		if err != nil {
			f.Fatal(err)
		}
		for _, part := range archive.Files {
			switch {
			case filepath.Base(filepath.Dir(file)) == "rules":
				f.Add("oatf: \"0.1\"\nattack:\n" + string(part.Data))
			case part.Name == "in.yaml":
				f.Add(string(part.Data))
			}
		}
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, way := range [][2]oatf.Revision{{oatf.SDK01, oatf.V202603}, {oatf.V202603, oatf.SDK01}} {
			there, first := mayMove(t, text, way[0], way[1])
			if first == nil {
				continue
			}
			back, second := mayMove(t, there, way[1], way[0])
			if second == nil || first.Lossy() || second.Lossy() || !isValid(text, way[0]) {
				continue
			}
			if diff := gocmp.Diff(meaning(t, text), meaning(t, back)); diff != "" {
				t.Errorf("-before +back\n%s\n%s\nby way of\n%s", diff, text, there)
			}
		}
	})
}

// mayMove returns a text on the other side; the result is nil for one that cannot be moved.
func mayMove(t *testing.T, text string, from, to oatf.Revision) (string, *Result) {
	result, err := Options{From: from, To: to}.Migrate([]byte(text))
	if err != nil {
		return "", nil
	}
	out, err := finding.Apply([]byte(text), result.Edits)
	if err != nil {
		t.Fatal(err)
	}
	meaning(t, string(out))
	return string(out), result
}
