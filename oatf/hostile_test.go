package oatf

import (
	"bytes"
	"slices"
	"testing"

	"github.com/cupel-dev/cupel/internal/oatftest"
	"github.com/cupel-dev/cupel/internal/racetest"
	"github.com/cupel-dev/cupel/oatf/internal/place"
	"github.com/cupel-dev/cupel/oatf/model"
)

// TestHostileDocuments checks what every command must survive, under each revision.
func TestHostileDocuments(t *testing.T) {
	for _, revision := range Revisions() {
		t.Run(string(revision), func(t *testing.T) { testHostileDocuments(t, revision) })
	}
}

func testHostileDocuments(t *testing.T, revision Revision) {
	documents := oatftest.HostileDocuments(string(revision))
	for _, d := range racetest.Large(t, 4, documents) {
		t.Run(d.Name, func(t *testing.T) {
			ids := idsOf(d.Text, revision, d.Rule != "")
			if d.Rule == "" && len(ids) > 0 || d.Rule != "" && !slices.Contains(ids, d.Rule) {
				t.Errorf("%d findings, the first %v; expected %q among them", len(ids), ids[:min(3, len(ids))], d.Rule)
			}
			if len(ids) > 4*model.DefaultMaxErrors+3 {
				t.Errorf("%d findings", len(ids))
			}
		})
	}
	t.Logf("%d documents", len(documents))
}

// TestHostileDocumentsNormalize loads what Check was given: a document that loads has a
// canonical form, which loads again and is its own.
func TestHostileDocumentsNormalize(t *testing.T) {
	for _, revision := range Revisions() {
		t.Run(string(revision), func(t *testing.T) { testHostileDocumentsNormalize(t, revision) })
	}
}

func testHostileDocumentsNormalize(t *testing.T, revision Revision) {
	loaded := 0
	for _, d := range racetest.Large(t, 4, oatftest.HostileDocuments(string(revision))) {
		t.Run(d.Name, func(t *testing.T) {
			doc, err := ParseOptions{Revision: revision}.Load([]byte(d.Text))
			if err != nil {
				return
			}
			loaded++
			once := Serialize(doc.Document)
			again, err := ParseOptions{Limits: roomy, Revision: revision}.Load(once)
			if err != nil {
				t.Fatalf("the canonical form is refused: %v", err)
			}
			if twice := Serialize(again.Document); !bytes.Equal(once, twice) {
				t.Errorf("the canonical form of %d bytes becomes one of %d", len(once), len(twice))
			}
		})
	}
	racetest.Met(t, "a document that loads", loaded)
}

// FuzzParse holds what Check promises of any text, by whichever revision it is read.
func FuzzParse(f *testing.F) {
	for _, file := range []string{"parse.yaml", "parse-2026-03.yaml", "validate.yaml"} {
		for _, c := range cases[struct{ Input string }](f, file) {
			f.Add([]byte(c.Input))
		}
	}
	f.Fuzz(func(t *testing.T, input []byte) {
		for _, r := range append(Revisions(), "") {
			checkAnyText(t, input, r)
		}
	})
}

// checkAnyText checks that any text is handled without a panic, that findings are in order, inside the text and
// reproducible, and that a text that Parse refuses has findings.
func checkAnyText(t *testing.T, input []byte, r Revision) {
	t.Helper()
	opt := CheckOptions{Strict: true, Revision: r}
	list := Check(input, opt)
	if _, err := (ParseOptions{Revision: r}).Parse(input); err != nil && len(list) == 0 {
		t.Fatalf("Parse says %v, Check says nothing", err)
	}
	text := place.SplitLines(string(input))
	for i, finding := range list {
		if i > 0 && (finding.Line < list[i-1].Line || finding.Line == list[i-1].Line && finding.Column < list[i-1].Column) {
			t.Fatalf("out of order: %v after %v", finding, list[i-1])
		}
		if finding.Line < 0 || finding.Line > text.Count()+1 || finding.Rule == "" || finding.Message == "" {
			t.Fatalf("malformed: %+v", finding)
		}
	}
	if again := Check(input, opt); len(again) != len(list) {
		t.Fatalf("%d findings, then %d", len(list), len(again))
	}
}
