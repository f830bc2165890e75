package expect_test

import (
	"strings"
	"testing"

	"github.com/cupel-dev/cupel/oatf/eval"
	"github.com/cupel-dev/cupel/oatf/expect"
)

// TestParse: what the tests of a document are, and where a mistake in them is.
func TestParse(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"attack: [a.jsonl]\nbenign: [b/*.jsonl]\n", "a.jsonl exploited; b/*.jsonl not_exploited or not_applicable"},
		{"expected:\n  - {capture: c, result: partial, indicators: {X-01: matched, X-02: skipped}}\n", "c partial, X-01 matched, X-02 skipped"},
		{"", "t.yaml: the file names no captures"},
		{"attack: []", "t.yaml:1:9: expected a list of words"},
		{"attack: a", "t.yaml:1:9: expected a list of words"},
		{"attacks: [a]", `t.yaml:1:1: unknown key "attacks"`},
		{"attack: [../a]", `t.yaml:1:10: capture "../a" is not below the folder of the document`},
		{"benign: [/etc/passwd]", `t.yaml:1:10: capture "/etc/passwd" is not below the folder of the document`},
		{"expected: [{result: partial}]", "t.yaml:1:12: key capture is missing"},
		{"expected: [{capture: a}]", "t.yaml:1:12: key result is missing"},
		{"expected: [{capture: a, result: exploted}]", `t.yaml:1:33: "exploted" is not one of exploited, partial, not_exploited, not_applicable, error`},
		{"expected: [{capture: a, result: error, indicators: [X]}]", "t.yaml:1:52: expected a mapping of indicator ids to results"},
		{"expected: [{capture: a, result: error, indicators: {X: match}}]", `t.yaml:1:56: "match" is not one of matched, not_matched, error, skipped`},
		{"attack: &a [x]\nbenign: *a\n", "t.yaml:2:9: expected a list of words"},
		{"attack: [a", "t.yaml:"},
	} {
		got := ""
		tests, err := expect.Parse("t.yaml", []byte(c.text))
		if err != nil {
			got = err.Error()
		} else {
			var list []string
			for i := range tests.Cases {
				list = append(list, tests.Cases[i].Capture.Text+" "+tests.Cases[i].Expected())
			}
			got = strings.Join(list, "; ")
		}
		if got != c.want && (c.want != "t.yaml:" || !strings.HasPrefix(got, c.want)) {
			t.Errorf("%q: %q, expected %q", c.text, got, c.want)
		}
	}
}

// TestJudge: which verdicts are the expected ones.
func TestJudge(t *testing.T) {
	verdict := func(r eval.AttackResult, results ...eval.IndicatorResult) *eval.AttackVerdict {
		v := &eval.AttackVerdict{Result: r}
		for i, x := range results {
			v.IndicatorVerdicts = append(v.IndicatorVerdicts, eval.IndicatorVerdict{IndicatorID: []string{"X-01", "X-02"}[i], Result: x})
		}
		return v
	}
	blind := verdict(eval.NotExploited, eval.NotMatched)
	blind.IndicatorVerdicts[0].Blind = true
	for _, c := range []struct {
		text  string
		v     *eval.AttackVerdict
		found string
		ok    bool
	}{
		{"attack: [a]", verdict(eval.Exploited, eval.Matched), "exploited", true},
		{"attack: [a]", verdict(eval.Partial, eval.Matched, eval.NotMatched), "partial", false},
		{"benign: [a]", verdict(eval.NotExploited, eval.NotMatched), "not_exploited", true},
		{"benign: [a]", verdict(eval.NotApplicable, eval.Skipped), "not_applicable", true},
		{"benign: [a]", verdict(eval.AttackError, eval.Error), "error", false},
		{"benign: [a]", blind, "not_exploited: no indicator can match any message", false},
		{"expected: [{capture: a, result: exploited, indicators: {X-02: not_matched}}]", verdict(eval.Exploited, eval.Matched, eval.NotMatched), "exploited, X-02 not_matched", true},
		{"expected: [{capture: a, result: exploited, indicators: {X-02: matched}}]", verdict(eval.Exploited, eval.Matched, eval.NotMatched), "exploited, X-02 not_matched", false},
	} {
		tests, err := expect.Parse("t.yaml", []byte(c.text))
		if err != nil {
			t.Fatal(err)
		}
		if found, ok := tests.Cases[0].Judge(c.v); found != c.found || ok != c.ok {
			t.Errorf("%s: %q, %v; expected %q, %v", c.text, found, ok, c.found, c.ok)
		}
	}
}

// TestKnown: an id that the document does not have is a mistake at its place.
func TestKnown(t *testing.T) {
	tests, err := expect.Parse("t.yaml", []byte("expected: [{capture: a, result: error, indicators: {ACME-01: matched}}]"))
	if err != nil {
		t.Fatal(err)
	}
	if err := tests.Known("t.yaml", []string{"ACME-01"}); err != nil {
		t.Error(err)
	}
	if err := tests.Known("t.yaml", []string{"ACME-02"}); err == nil || err.Error() != `t.yaml:1:53: the document has no indicator "ACME-01"` {
		t.Error(err)
	}
}

// TestCoverage: T-002 is about an indicator that does not match any capture of an attack.
func TestCoverage(t *testing.T) {
	tests, err := expect.Parse("t.yaml", []byte("attack: [a]\nbenign: [b]\n"))
	if err != nil {
		t.Fatal(err)
	}
	var c expect.Coverage
	c.Add(&tests.Cases[0], &eval.AttackVerdict{IndicatorVerdicts: []eval.IndicatorVerdict{{IndicatorID: "X-01", Result: eval.Matched}, {IndicatorID: "X-02", Result: eval.Skipped}}})
	c.Add(&tests.Cases[1], &eval.AttackVerdict{IndicatorVerdicts: []eval.IndicatorVerdict{{IndicatorID: "X-01", Result: eval.NotMatched}, {IndicatorID: "X-02", Result: eval.Matched}}})
	if c.Attacks != 1 || c.Benign != 1 || c.Indicators[0] != (expect.Covered{ID: "X-01", Attacks: 1}) || c.Indicators[1] != (expect.Covered{ID: "X-02", Benign: 1, Skipped: 1}) {
		t.Errorf("%+v", c)
	}
	if _, some := c.Indicators[0].Finding(); some {
		t.Error("X-01 has matched")
	}
	if f, some := c.Indicators[1].Finding(); !some || f.Rule != "T-002" {
		t.Errorf("%+v", f)
	}
	if f := expect.Untested("x.test.yaml"); f.Rule != "T-003" {
		t.Errorf("%+v", f)
	}
	if f := tests.Cases[0].Finding("a", "partial"); f.Rule != "T-001" || f.Line != 1 || f.Expected != "exploited" {
		t.Errorf("%+v", f)
	}
}
