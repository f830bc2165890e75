package migrate

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/cupel-dev/cupel/finding"
	"github.com/cupel-dev/cupel/oatf"
	"github.com/cupel-dev/cupel/oatf/internal/yamltext"
	"github.com/cupel-dev/cupel/oatf/model"
)

// TestPublished migrates the published documents of the earlier revision. A valid document stays valid if nothing is
// lost.
func TestPublished(t *testing.T) {
	vectors := os.Getenv("CUPEL_VECTORS")
	if vectors == "" {
		t.Skip("CUPEL_VECTORS is not set: no published document is migrated")
	}
	count := 0
	for name, text := range publishedIn(t, filepath.Join(vectors, "oatf", "suite")) {
		result, err := Options{From: oatf.SDK01}.Migrate([]byte(text))
		if err != nil {
			if !strings.Contains(err.Error(), "line ") {
				t.Errorf("%s: %v\n%s", name, err, text)
			}
			continue
		}
		out, err := finding.Apply([]byte(text), result.Edits)
		if err != nil {
			t.Fatal(err)
		}
		count++
		if faults(text, oatf.SDK01) == "" && !result.Lossy() && faults(string(out), oatf.V202603) != "" {
			t.Errorf("%s: %s\n%s", name, faults(string(out), oatf.V202603), out)
		}
	}
	if count < 100 {
		t.Errorf("%d documents, expected at least 100", count)
	}
}

func unordered(v model.Value) any {
	switch v := v.(type) {
	case model.Object:
		members := map[string]any{}
		for _, m := range v {
			members[m.Key] = unordered(m.Value)
		}
		return members
	case []model.Value:
		list := make([]any, len(v))
		for i := range v {
			list[i] = unordered(v[i])
		}
		return list
	}
	return v
}

// publishedIn returns the documents below a folder: files, and texts in the files of a suite.
func publishedIn(t *testing.T, folder string) map[string]string {
	t.Helper()
	found := map[string]string{}
	err := filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(path) != ".yaml" {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		source, err := yamltext.ReadAudited(text)
		if err != nil {
			return nil // it shows what is refused
		}
		v := yamltext.Value(source.Root)
		if object, ok := v.(model.Object); ok && len(object) > 0 && object[0].Key == "oatf" {
			found[path] = string(text)
			return nil
		}
		number := 0
		eachText(v, func(s string) {
			if number++; strings.Contains(s, "oatf:") && strings.Contains(s, "attack:") {
				found[fmt.Sprintf("%s#%d", path, number)] = s
			}
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

func eachText(v model.Value, do func(string)) {
	switch v := v.(type) {
	case model.Object:
		for _, m := range v {
			eachText(m.Value, do)
		}
	case []model.Value:
		for _, item := range v {
			eachText(item, do)
		}
	case string:
		do(v)
	}
}
