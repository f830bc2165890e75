package outline_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/cupel-dev/cupel/internal/oatftest"
	"github.com/cupel-dev/cupel/internal/racetest"
	"github.com/cupel-dev/cupel/oatf"
	"github.com/cupel-dev/cupel/oatf/outline"
)

func TestMain(m *testing.M) {
	racetest.FewerLaws()
	os.Exit(m.Run())
}

// parsed returns a document as it was written.
func parsed(t testing.TB, text string) *oatf.Document {
	t.Helper()
	document, err := oatf.Parse([]byte(text))
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return document
}

// withoutLines takes the places out of an outline.
func withoutLines(o *outline.Outline) *outline.Outline {
	for i := range o.Actors {
		o.Actors[i].Line = 0
		for k := range o.Actors[i].Phases {
			o.Actors[i].Phases[k].Line = 0
		}
	}
	for i := range o.Indicators {
		o.Indicators[i].Line = 0
	}
	return o
}

// TestFormDoesNotMatter: the outline of a document is that of its canonical form, except for the
// lines, and every part of a document that was parsed has one.
func TestFormDoesNotMatter(t *testing.T) {
	var texts []string
	for _, pattern := range []string{"../../testdata/examples/oatf/*.yaml", os.Getenv("CUPEL_VECTORS") + "/oatf-2026-03/library/*/*.yaml"} {
		files, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			texts = append(texts, string(text))
		}
	}
	tried := 0
	for _, text := range texts {
		document, err := oatf.Parse([]byte(text))
		if err != nil || !oatf.Validate(document).Valid() {
			continue
		}
		tried++
		shown := outline.Of(document)
		for _, a := range shown.Actors {
			for _, ph := range a.Phases {
				if a.Line == 0 || ph.Line < a.Line {
					t.Errorf("%s: phase %s of actor %s has line %d, the actor %d", shown.Name, ph.Name, a.Name, ph.Line, a.Line)
				}
			}
		}
		for _, x := range shown.Indicators {
			if x.Line == 0 || strings.TrimSpace(x.Looks) != x.Looks || x.Looks == "" || x.Method == "" {
				t.Errorf("%s: %+v", shown.Name, x)
			}
		}
		if diff := cmp.Diff(withoutLines(shown), withoutLines(outline.Of(oatf.Normalize(document)))); diff != "" {
			t.Errorf("%s: the canonical form differs:\n%s", shown.Name, diff)
		}
	}
	if tried < 5 {
		t.Fatalf("%d documents", tried)
	}
	t.Logf("%d documents", tried)
}

// drawTools draws a list of tools with few names and few descriptions.
func drawTools(t *rapid.T, label string) []oatf.Value {
	list := []oatf.Value{}
	for range rapid.IntRange(0, 5).Draw(t, label) {
		list = append(list, oatf.Object{
			{Key: "name", Value: rapid.SampledFrom([]string{"a", "b", "c", ""}).Draw(t, "name")},
			{Key: "description", Value: rapid.SampledFrom([]string{"x", "y"}).Draw(t, "description")},
		})
	}
	return list
}

// changesBetween counts the changes of the second of two states.
func changesBetween(first, second []oatf.Value) map[outline.Change]int {
	phase := func(tools []oatf.Value) oatf.Phase {
		return oatf.Phase{State: oatf.Object{{Key: "tools", Value: tools}, {Key: "instructions", Value: "be kind"}}}
	}
	document := &oatf.Document{OATF: "0.1"}
	document.Attack.Execution = oatf.Execution{Mode: new(oatf.Mode("mcp_client")), Phases: []oatf.Phase{phase(first), {}, phase(second)}}
	counts := map[outline.Change]int{}
	for _, p := range outline.Of(document).Actors[0].Phases[2].State {
		counts[p.Change]++
	}
	return counts
}

// TestChangesMirror: what is new in the second of two states is removed when they change
// places, and what stays or changes does so both ways. Nothing changes from a state to itself.
func TestChangesMirror(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := drawTools(t, "first"), drawTools(t, "second")
		there, back := changesBetween(a, b), changesBetween(b, a)
		there[outline.New], there[outline.Removed] = there[outline.Removed], there[outline.New]
		for _, change := range []outline.Change{outline.Same, outline.New, outline.Changed, outline.Removed} {
			if there[change] != back[change] {
				t.Fatalf("%s: %d and %d", change, there[change], back[change])
			}
		}
		if self := changesBetween(a, a); self[outline.Same] != len(a)+1+isEmpty(a) || len(self) != 1 {
			t.Fatalf("from a state to itself: %v", self)
		}
	})
}

// isEmpty is 1 for a list without elements, which is a part itself.
func isEmpty(list []oatf.Value) int {
	if len(list) == 0 {
		return 1
	}
	return 0
}

// TestHostileDocuments: the outline of a large document is of about its size.
func TestHostileDocuments(t *testing.T) {
	var sound []oatftest.HostileDocument
	for _, d := range oatftest.HostileDocuments("sdk-0.1") {
		if d.Rule == "" {
			sound = append(sound, d)
		}
	}
	for _, d := range racetest.Some(t, sound) {
		text, err := json.Marshal(outline.Of(parsed(t, d.Text)))
		if err != nil || len(text) > 20*len(d.Text)+1000 {
			t.Errorf("%s: %d bytes make %d, %v", d.Name, len(d.Text), len(text), err)
		}
	}
	if len(sound) == 0 {
		t.Fatal("none is valid")
	}
}
