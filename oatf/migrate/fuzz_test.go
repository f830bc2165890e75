package migrate

import (
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/cupel-dev/cupel/finding"
	"github.com/cupel-dev/cupel/oatf"
	"github.com/cupel-dev/cupel/oatf/internal/yamltext"
)

// FuzzMigrate migrates any text. The result is YAML, and valid if the text was valid and nothing was lost.
func FuzzMigrate(f *testing.F) {
	for _, file := range append(caseFiles(f), rulesFile) {
		archive, err := txtar.ParseFile(file)
		if err != nil {
			f.Fatal(err)
		}
		for _, part := range archive.Files {
			switch {
			case file == rulesFile:
				f.Add(rulesHead + string(part.Data))
			case part.Name == "in.yaml":
				f.Add(string(part.Data))
			}
		}
	}
	f.Fuzz(func(t *testing.T, text string) {
		result, err := Options{From: oatf.SDK01}.Migrate([]byte(text))
		if err != nil {
			return
		}
		out, err := finding.Apply([]byte(text), result.Edits)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := yamltext.ReadAudited(out); err != nil {
			t.Fatalf("%v\n%s\nbecame\n%s", err, text, out)
		}
		if result.Lossy() || faults(text, oatf.SDK01) != "" {
			return
		}
		if now := faults(string(out), oatf.V202603); now != "" {
			t.Errorf("%s\n%s\nbecame\n%s", now, text, out)
		}
	})
}
