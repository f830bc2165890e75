package model

import (
	"encoding/json"
	"errors"
	"math"
	"testing"

	"github.com/cupel-dev/cupel/finding"
)

func TestErrorTexts(t *testing.T) {
	at := Position{Line: 3, Column: 5}
	syntax := &ParseError{Kind: ParseSyntax, Message: "m"}
	violation := &ValidationError{Rule: "V-001", Message: "m", Path: "oatf", Position: at}
	for want, err := range map[string]error{
		"m":                                  syntax,
		"line 3, column 5: a.b: m":           &ParseError{Message: "m", Path: "a.b", Position: at},
		"line 3, column 5: oatf: m [V-001]":  violation,
		"no errors":                          ParseErrors{},
		"m (and 1 more)":                     ParseErrors{syntax, syntax},
		"line 3, column 5: oatf: m [V-001] ": nil,
	} {
		if err != nil && err.Error() != want {
			t.Errorf("%q, expected %q", err, want)
		}
	}
	if got := (Diagnostic{Code: "W-001", Path: "oatf", Message: "m"}).String(); got != "oatf: m [W-001]" {
		t.Error(got)
	}
	for kind, id := range map[ParseErrorKind]string{ParseSyntax: "P-001", ParseTypeMismatch: "P-002", ParseUnknownVariant: "P-003"} {
		if got := (&ParseError{Kind: kind}).ID(); got != id {
			t.Errorf("%s is %s", kind, got)
		}
	}
	var single OATFError
	for _, err := range []error{ParseErrors{syntax}, ValidationErrors{violation}} {
		if !errors.As(err, &single) {
			t.Errorf("no OATFError is in %v", err)
		}
	}
	if got := (ValidationErrors{violation}).Error(); got != violation.Error() {
		t.Error(got)
	}
	if (&ValidationResult{Errors: ValidationErrors{violation}}).Valid() || !(&ValidationResult{}).Valid() {
		t.Error("validity")
	}
}

func TestNumber(t *testing.T) {
	for n, want := range map[Number]float64{"1.5": 1.5, "-2": -2, "1e999": math.Inf(1), Inf: math.Inf(1), NegInf: math.Inf(-1)} {
		if got := n.Float64(); got != want {
			t.Errorf("%s: %v", n, got)
		}
	}
	if !math.IsNaN(NaN.Float64()) {
		t.Error("NaN is a number")
	}
	if i, ok := Number("42").Int64(); i != 42 || !ok {
		t.Errorf("%d, %v", i, ok)
	}
	if _, ok := Number("1.0").Int64(); ok || Number("1.0").IsInteger() || !Number("-7").IsInteger() {
		t.Error("integers")
	}
}

func TestGet(t *testing.T) {
	o := Object{{Key: "a", Value: nil}, {Key: "b", Value: "x"}}
	e := Extensions{{Key: "x-a", Value: "y"}}
	for key, want := range map[string]bool{"a": true, "b": true, "c": false} {
		if _, ok := o.Get(key); ok != want {
			t.Errorf("%s: %v", key, ok)
		}
	}
	if v, ok := e.Get("x-a"); v != "y" || !ok {
		t.Errorf("%v, %v", v, ok)
	}
	if _, ok := e.Get("x-b"); ok {
		t.Error("x-b is there")
	}
}

func TestActionKeys(t *testing.T) {
	a := Action{SendNotification: &SendNotification{}, Log: &Log{}, SendElicitation: &SendElicitation{}, Binding: []Member{{Key: "delay_ms"}}}
	if keys := a.Keys(); len(keys) != 4 || keys[3] != "delay_ms" {
		t.Errorf("%v", keys)
	}
	if keys := (&Action{}).Keys(); len(keys) != 0 {
		t.Errorf("%v", keys)
	}
}

func TestWithoutOrigin(t *testing.T) {
	var d Document
	if d.Position("attack") != (Position{}) || d.Warnings() != nil {
		t.Error("a document that was not parsed has places")
	}
}

func TestLimits(t *testing.T) {
	l := Limits{Key: 7, Depth: -1}.WithDefaults()
	if l.Key != 7 || l.Depth != DefaultMaxDepth || l.Bytes != DefaultMaxBytes {
		t.Errorf("%+v", l)
	}
}

// twice is a finding that breaks two rules more.
var twice = finding.Finding{
	Rule: "P-003", Severity: finding.Error, Message: "p", Path: "a", Help: "h",
	Detail: Detail{Kind: KindParse, Also: []Breach{{Rule: "V-005", SpecRef: "§1", Message: "v"}, {Rule: "V-036", Message: "w"}}},
}

func TestElements(t *testing.T) {
	list := twice.Detail.(Detail).Elements(twice)
	if len(list) != 3 || list[0].Rule != "P-003" {
		t.Fatalf("%+v", list)
	}
	text, err := json.Marshal(list[1])
	const want = `{"rule":"V-005","severity":"error","index":null,"caused_by":null,"path":"a","message":"v","help":"h","kind":"validation","spec_ref":"§1","repeats":"P-003"}`
	if err != nil || string(text) != want {
		t.Errorf("%v\n got %s\nwant %s", err, text, want)
	}
	if text, err = json.Marshal(twice.Detail); err != nil || string(text) != `{"kind":"parse","also":["V-005","V-036"]}` {
		t.Errorf("%v %s", err, text)
	}
	if got := twice.Detail.Remarks(); got[0] != [2]string{"also", "V-005, V-036"} {
		t.Errorf("%v", got)
	}
}

// TestNarrow keeps every choice of the three rules: what is left is as many elements, and
// none repeats one that is gone.
func TestNarrow(t *testing.T) {
	rules := []string{"P-003", "V-005", "V-036"}
	for choice := range 8 {
		kept := map[string]bool{}
		for i, rule := range rules {
			kept[rule] = choice&(1<<i) != 0
		}
		left := 0
		for _, f := range Narrow(twice, func(e finding.Finding) bool { return kept[e.Rule] }) {
			for _, e := range f.Detail.(Detail).Elements(f) {
				left++
				if repeats := e.Detail.(Detail).Repeats; !kept[e.Rule] || repeats != "" && !kept[repeats] {
					t.Errorf("%v leaves %+v", kept, e)
				}
			}
		}
		want := 0
		for _, is := range kept {
			if is {
				want++
			}
		}
		if left != want {
			t.Errorf("%v leaves %d elements", kept, left)
		}
	}
	plain := finding.Finding{Rule: "L-101", Detail: Detail{}}
	if list := Narrow(plain, func(finding.Finding) bool { return false }); list != nil {
		t.Errorf("%v", list)
	}
	if list := Narrow(plain, func(finding.Finding) bool { return true }); len(list) != 1 {
		t.Errorf("%v", list)
	}
}
