package conformance

import (
	"testing"

	"github.com/cupel-dev/cupel/oatf"
)

// TestDifference names the first place where two values differ, as deep as both go.
func TestDifference(t *testing.T) {
	for _, c := range []struct{ want, got, a, b string }{
		{"{a: 1, b: [1, {c: 2}]}", "{b: [1, {c: 2}], a: 1}", "", ""},
		{"{a: 1, b: [1, {c: 2}]}", "{a: 1, b: [1, {c: 3}]}", "b[1].c: 2", "b[1].c: 3"},
		{"[1, 2]", "[1, 3]", "[1]: 2", "[1]: 3"},
		{"{a: [1, 2]}", "{a: [1]}", "a: [1,2]", "a: [1]"},
		{"{a: {b: 1}}", "{a: {c: 1}}", `a: {"b":1}`, `a: {"c":1}`},
		{"{a: [1]}", "{a: {b: 1}}", "a: [1]", `a: {"b":1}`},
		{"{a: '<b>&'}", "{a: null}", `a: "<b>&"`, "a: null"},
		{"1", "1.0", ": 1", ": 1.0"},
	} {
		want, err := oatf.ParseValue([]byte(c.want))
		if err != nil {
			t.Fatal(err)
		}
		got, err := oatf.ParseValue([]byte(c.got))
		if err != nil {
			t.Fatal(err)
		}
		if a, b := difference("", sorted(want), sorted(got)); a != c.a || b != c.b {
			t.Errorf("%s, %s: %q, %q", c.want, c.got, a, b)
		}
	}
}

// TestAnswersInWords: what was found is said whole.
func TestAnswersInWords(t *testing.T) {
	for _, c := range []struct {
		errs, warnings []string
		want           string
	}{
		{nil, nil, "valid"},
		{[]string{"V-001 oatf", "P-001 "}, nil, "errors: V-001 oatf, P-001"},
		{nil, []string{"W-001 oatf"}, "warnings: W-001 oatf"},
		{[]string{"V-035 attack.version"}, []string{"W-001 oatf", "W-002 a"}, "errors: V-035 attack.version; warnings: W-001 oatf, W-002 a"},
	} {
		if got := found(c.errs, c.warnings); got != c.want {
			t.Errorf("%q, %q: %q", c.errs, c.warnings, got)
		}
	}
}
