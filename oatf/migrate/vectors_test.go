package migrate

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/cupel-dev/cupel/finding"
	"github.com/cupel-dev/cupel/oatf"
	"github.com/cupel-dev/cupel/oatf/internal/yamltext"
	"github.com/cupel-dev/cupel/oatf/model"
)

// TestPublished migrates the published documents of each revision to the other and back. All
// that are valid come back as they were, up to the order of keys; where nothing but values
// and lines of their own changed, by the byte.
func TestPublished(t *testing.T) {
	vectors := os.Getenv("CUPEL_VECTORS")
	if vectors == "" {
		t.Skip("CUPEL_VECTORS is not set: no published document is migrated")
	}
	for _, c := range []struct {
		folder string
		way    [2]oatf.Revision
		least  int
	}{
		{"oatf/suite", [2]oatf.Revision{oatf.SDK01, oatf.V202603}, 100},
		{"oatf-2026-03/suite", [2]oatf.Revision{oatf.V202603, oatf.SDK01}, 100},
		{"oatf-2026-03/library", [2]oatf.Revision{oatf.V202603, oatf.SDK01}, 31},
	} {
		migrated, same := 0, 0
		for name, text := range publishedIn(t, filepath.Join(vectors, filepath.FromSlash(c.folder))) {
			valid := isValid(text, c.way[0])
			there, ok := tryTo(t, name, text, c.way[0], c.way[1])
			if !ok {
				continue
			}
			back, ok := tryTo(t, name, there, c.way[1], c.way[0])
			if !ok {
				t.Errorf("%s: %s\nis not read again", name, there)
				continue
			}
			if migrated++; back == text {
				same++
			} else if diff := gocmp.Diff(meaning(t, text), meaning(t, back)); diff != "" && valid {
				t.Errorf("%s: -before +back\n%s\nby way of\n%s", name, diff, there)
			}
			lintedThere(t, name, text, there, c.way)
		}
		t.Logf("%s: %d documents there and back, %d of them by the byte", c.folder, migrated, same)
		if migrated < c.least {
			t.Errorf("%s: %d documents, expected %d", c.folder, migrated, c.least)
		}
	}
}

// lintedThere holds that what has no error has none on the other side, except for surfaces that
// are missing there, and for events that it does not have: no trigger is without one.
func lintedThere(t *testing.T, name, text, there string, way [2]oatf.Revision) {
	t.Helper()
	if !isValid(text, way[0]) {
		return
	}
	for _, f := range oatf.Check([]byte(there), oatf.CheckOptions{Revision: way[1]}) {
		missing := f.Rule == "P-002" && strings.HasSuffix(f.Path, ".surface")
		unknown := way[1] == oatf.SDK01 && f.Rule == "V-029"
		if f.Severity == oatf.SeverityError && !missing && !unknown {
			t.Errorf("%s: %s %s: %s\n%s", name, f.Rule, f.Path, f.Message, there)
		}
	}
}

func isValid(text string, r oatf.Revision) bool {
	for _, f := range oatf.Check([]byte(text), oatf.CheckOptions{Revision: r}) {
		if f.Severity == oatf.SeverityError {
			return false
		}
	}
	return true
}

// tryTo converts a text to the other revision; ok is false for a text that is not a document.
func tryTo(t *testing.T, name, text string, from, to oatf.Revision) (string, bool) {
	t.Helper()
	result, err := Options{From: from, To: to}.Migrate([]byte(text))
	if err != nil {
		if !strings.Contains(err.Error(), "line ") {
			t.Errorf("%s: %v\n%s", name, err, text)
		}
		return "", false
	}
	out, err := finding.Apply([]byte(text), result.Edits)
	if err != nil {
		t.Fatal(err)
	}
	return string(out), true
}

// meaning is what a text says, whatever the order of its keys.
func meaning(t *testing.T, text string) any {
	t.Helper()
	source, err := yamltext.ReadAudited([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return unordered(yamltext.Value(source.Root))
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
