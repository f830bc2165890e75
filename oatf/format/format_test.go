package format

import (
	"bytes"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/cupel-dev/cupel/finding"
	"github.com/cupel-dev/cupel/internal/oatftest"
	"github.com/cupel-dev/cupel/oatf/internal/yamltext"
	"github.com/cupel-dev/cupel/oatf/model"
)

var testData = os.DirFS(filepath.Join("..", "..", "testdata", "oatf"))

// parseValue is what a text means.
func parseValue(input []byte) (model.Value, error) {
	source, err := yamltext.ReadAudited(input)
	if err != nil {
		return nil, err
	}
	return yamltext.Value(source.Root), nil
}

func TestFormat(t *testing.T) {
	for _, c := range oatftest.Cases[struct{ Name, Input, Output string }](t, testData, "format.yaml") {
		t.Run(c.Name, func(t *testing.T) {
			got, err := Format([]byte(c.Input))
			if err != nil {
				t.Fatal(err)
			}
			if c.Output == "" {
				c.Output = c.Input
			}
			if diff := gocmp.Diff(c.Output, string(got)); diff != "" {
				t.Errorf("-want +got\n%s", diff)
			}
			checkFormat(t, []byte(c.Input))
		})
	}
}

// checkFormat holds what Format promises about any text: the meaning stays, so do the
// comments, and formatting again changes nothing.
func checkFormat(t *testing.T, input []byte) {
	t.Helper()
	before, err := parseValue(input)
	if err != nil {
		if _, err := Format(input); err == nil {
			t.Fatal("Format accepts what ParseValue refuses")
		}
		return
	}
	once, err := Format(input)
	if err != nil {
		t.Fatalf("Format refuses what ParseValue accepts: %v", err)
	}
	after, err := parseValue(once)
	if err != nil || !reflect.DeepEqual(oatfFirst(before), oatfFirst(after)) {
		t.Errorf("the meaning changed (%v)\n%s", err, gocmp.Diff(before, after))
	}
	if a, b := bytes.Count(input, []byte("#")), bytes.Count(once, []byte("#")); a != b {
		t.Errorf("%d number signs became %d", a, b)
	}
	edits, err := Edits(input)
	if err != nil {
		t.Fatal(err)
	}
	if applied, err := finding.Apply(input, edits); err != nil || !bytes.Equal(applied, once) {
		t.Errorf("the edits give another text (%v): -Format +Edits\n%s", err, gocmp.Diff(string(once), string(applied)))
	}
	twice, err := Format(once)
	if err != nil || !bytes.Equal(once, twice) {
		t.Errorf("formatting again (%v): -once +twice\n%s", err, gocmp.Diff(string(once), string(twice)))
	}
}

// TestEdits shows that edits touch no more than what changes.
func TestEdits(t *testing.T) {
	input := "attack:\n    name: é   \n\n\n    author: yes\noatf: \"0.1\"\n"
	edits, err := Edits([]byte(input))
	want := []finding.Edit{
		{Start: 0, End: 0, Text: "oatf: \"0.1\"\n"},
		{Start: 10, End: 12},
		{Start: 20, End: 23},
		{Start: 25, End: 26},
		{Start: 28, End: 30},
		{Start: 38, End: 41, Text: "\"yes\""},
		{Start: 42, End: 54},
	}
	if diff := gocmp.Diff(want, edits); diff != "" || err != nil {
		t.Errorf("%v: -want +got\n%s", err, diff)
	}
	if edits, err := Edits([]byte("a: 1\n")); edits != nil || err != nil {
		t.Errorf("edits of a formatted text: %v, %v", edits, err)
	}
	if _, err := Edits([]byte("a: [")); err == nil {
		t.Error("edits of what is no YAML")
	}
}

func TestFormatRefuses(t *testing.T) {
	for _, text := range []string{"", "a: [", "a: &x 1", "a: 1\na: 2", "a: 1\n---\nb: 2", "\xff"} {
		if out, err := Format([]byte(text)); err == nil {
			t.Errorf("%q became %q", text, out)
		}
	}
}

func FuzzFormat(f *testing.F) {
	for _, name := range []string{"format.yaml", "indentation.yaml", "parse.yaml", "roundtrip/serialize.yaml"} {
		for _, c := range oatftest.Cases[struct{ Input string }](f, testData, name) {
			f.Add([]byte(c.Input))
		}
	}
	f.Fuzz(func(t *testing.T, input []byte) { checkFormat(t, input) })
}

// TestFormatLeavesCanonicalText formats what Serialize writes: nothing is left to do.
func TestFormatLeavesCanonicalText(t *testing.T) {
	for _, c := range oatftest.Cases[struct{ Name, Output string }](t, testData, "normalize/steps.yaml") {
		got, err := Format([]byte(c.Output))
		if err != nil || string(got) != c.Output {
			t.Errorf("%s: %v\n%s", c.Name, err, gocmp.Diff(strings.Split(c.Output, "\n"), strings.Split(string(got), "\n")))
		}
	}
}
