package revision_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/cupel-dev/cupel/internal/oatftest"
	"github.com/cupel-dev/cupel/oatf/internal/revision"
	"github.com/cupel-dev/cupel/oatf/internal/yamltext"
	"github.com/cupel-dev/cupel/oatf/model"
)

var testData = os.DirFS(filepath.Join("..", "..", "..", "testdata", "oatf"))

func TestRecognize(t *testing.T) {
	type recognitionCase struct {
		Name, Attack, Input, Revision string
		Marks                         []string
	}
	for _, c := range oatftest.Cases[recognitionCase](t, testData, "recognition.yaml") {
		t.Run(c.Name, func(t *testing.T) {
			text := c.Input
			if text == "" {
				text = "oatf: \"0.1\"\nattack:\n"
				for line := range strings.Lines(c.Attack) {
					text += "  " + line
				}
			}
			source, fault := yamltext.Read([]byte(text), model.Limits{})
			if fault != nil {
				t.Fatal(fault)
			}
			p, signs := revision.Recognize(source.Root)
			var marks []string
			for _, s := range signs {
				marks = append(marks, s.Path+" "+string(s.Revision))
			}
			if diff := cmp.Diff(c.Marks, marks); diff != "" || string(p.Revision) != c.Revision {
				t.Errorf("%s instead of %s\n-want +got\n%s", p.Revision, c.Revision, diff)
			}
		})
	}
}

// TestMarks checks that each mark is found in its places, and that no surface belongs to two revisions.
func TestMarks(t *testing.T) {
	owner := map[model.Surface]model.Revision{}
	for _, p := range revision.All {
		if len(p.Marks) == 0 {
			t.Errorf("%s has no marks", p.Revision)
		}
		for _, m := range p.Marks {
			from, _, _ := strings.Cut(m.Path, ".")
			if m.Level < 1 || !slices.Contains([]string{"attack", "phase", "state"}, from) || strings.HasSuffix(m.Path, "*") != (m.Key != nil) {
				t.Errorf("%s: %+v", p.Revision, m)
			}
		}
		for _, row := range p.Surfaces {
			if other := owner[row.Surface]; other != "" && other != p.Revision {
				t.Errorf("%s is a surface of %s and %s", row.Surface, other, p.Revision)
			}
			owner[row.Surface] = p.Revision
		}
	}
}
