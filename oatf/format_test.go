package oatf

import (
	"bytes"
	"reflect"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
)

func TestFormat(t *testing.T) {
	for _, c := range cases[struct{ Name, Input, Output string }](t, "format.yaml") {
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
	before, err := ParseValue(input)
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
	after, err := ParseValue(once)
	if err != nil || !reflect.DeepEqual(oatfFirst(before), oatfFirst(after)) {
		t.Errorf("the meaning changed (%v)\n%s", err, gocmp.Diff(before, after))
	}
	if a, b := bytes.Count(input, []byte("#")), bytes.Count(once, []byte("#")); a != b {
		t.Errorf("%d number signs became %d", a, b)
	}
	twice, err := Format(once)
	if err != nil || !bytes.Equal(once, twice) {
		t.Errorf("formatting again (%v): -once +twice\n%s", err, gocmp.Diff(string(once), string(twice)))
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
	for _, name := range []string{"format.yaml", "parse.yaml", "roundtrip/serialize.yaml"} {
		for _, c := range cases[struct{ Input string }](f, name) {
			f.Add([]byte(c.Input))
		}
	}
	f.Fuzz(func(t *testing.T, input []byte) { checkFormat(t, input) })
}

// TestFormatLeavesCanonicalText formats what Serialize writes: nothing is left to do.
func TestFormatLeavesCanonicalText(t *testing.T) {
	for _, c := range cases[struct{ Name, Output string }](t, "normalize/steps.yaml") {
		got, err := Format([]byte(c.Output))
		if err != nil || string(got) != c.Output {
			t.Errorf("%s: %v\n%s", c.Name, err, gocmp.Diff(strings.Split(c.Output, "\n"), strings.Split(string(got), "\n")))
		}
	}
}
