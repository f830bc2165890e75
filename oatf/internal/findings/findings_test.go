package findings_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/cupel-dev/cupel/finding"
	"github.com/cupel-dev/cupel/oatf/internal/findings"
	"github.com/cupel-dev/cupel/oatf/internal/parse"
	"github.com/cupel-dev/cupel/oatf/internal/place"
	"github.com/cupel-dev/cupel/oatf/internal/rules"
	"github.com/cupel-dev/cupel/oatf/model"
)

func parsed(t *testing.T, limit int, attack string) *model.Document {
	t.Helper()
	doc, _ := parse.Document([]byte("oatf: \"0.1\"\nattack:\n"+attack), parse.Options{Limits: model.Limits{Errors: limit}})
	if doc == nil {
		t.Fatal("no document")
	}
	return doc
}

// spell lists the findings as "rule also… place message".
func spell(list []finding.Finding) (out []string) {
	for _, f := range list {
		id := f.Rule
		if d, ok := f.Detail.(model.Detail); ok {
			for _, b := range d.Also {
				id += "+" + b.Rule
			}
		}
		out = append(out, fmt.Sprintf("%s %d:%d %s", id, f.Line, f.Column, f.Message))
	}
	return out
}

func expect(t *testing.T, got []string, want ...string) {
	t.Helper()
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// TestFaults holds that a fault that breaks a rule is one finding, that the rule is not
// reported there again, and that fields of a wrong type are left in peace.
func TestFaults(t *testing.T) {
	doc := parsed(t, 0, "  status: published\n  severity: {level: high, confidence: much}\n  execution: {mode: mcp_server, state: {}}\n")
	l := findings.New(doc)
	l.Violation(rules.EnumMember, place.Attack.Field("status"), "again")
	l.Violation(rules.SeverityConfidence, place.Attack.Field("severity").Field("confidence"), "of the wrong type")
	l.Violation(rules.AttackID, place.Attack.Field("status"), "another rule")
	l.Warning(rules.ReferenceResolves, place.Attack.Field("severity").Field("confidence").Field("in"), "inside the wrong type")
	expect(t, spell(l.All()),
		`P-003+V-005 3:11 "published" is not one of draft, experimental, stable, deprecated`,
		"P-002 4:39 expected an integer of 64 bits, found the string \"much\"",
		"V-023 3:11 another rule")
	var ids []string
	for _, e := range l.Result().Errors {
		ids = append(ids, e.Rule+" "+e.SpecRef+" "+e.Path)
	}
	expect(t, ids, "V-005 §11.1.5 attack.status", "V-023 §4.2 attack.status")
}

// TestAlso attaches rules to a violation, each once.
func TestAlso(t *testing.T) {
	l := findings.New(parsed(t, 0, "  execution: {mode: foo, state: {}}\n"))
	at := place.Execution.Field("mode")
	f := l.Violation(rules.ModePattern, at, "mode %q", "foo")
	l.Also(f, rules.EnumMember, "in other words")
	l.Also(f, rules.EnumMember, "and again")
	l.Also(&finding.Finding{}, rules.Actors, "of nobody's")
	expect(t, spell(l.All()), `V-036+V-005 3:21 mode "foo"`)
	result := l.Result()
	if len(result.Errors) != 2 || result.Errors[0].Rule != "V-005" || result.Errors[0].Message != "in other words" || result.Errors[1].Line != 3 {
		t.Errorf("%v", result.Errors)
	}
}

// TestLimit counts what is left out: every rule that is broken counts.
func TestLimit(t *testing.T) {
	l := findings.NewStrict(parsed(t, 2, "  execution: {mode: foo, state: {}}\n"), true)
	f := l.Violation(rules.ModePattern, place.Execution.Field("mode"), "first")
	l.Also(f, rules.EnumMember, "second")
	l.Also(f, rules.Actors, "too many")
	l.Violation(rules.Version, place.Root.Field("oatf"), "too many")
	for i := range 4 {
		l.Warning(rules.ReferenceResolves, place.Attack, "warning %d", i)
		l.Lint(rules.NameLength, "attack", "lint")
	}
	expect(t, spell(l.All()), "V-036+V-005 3:21 first", "L-512 2:1 lint", "W-004 2:1 warning 0", "W-004 2:1 3 more warnings are not shown: the limit is 2", "V-036 3:21 2 more violations are not shown: the limit is 2")
	if n := len(l.Result().Errors); n != 3 {
		t.Errorf("%d errors", n)
	}
}

// TestWarnings come in order, each once.
func TestWarnings(t *testing.T) {
	l := findings.New(parsed(t, 0, "  id: A-001\n  execution: {mode: mcp_server, state: {}}\n"))
	l.Warning(rules.KnownMode, place.Execution.Field("mode"), "b")
	l.Warning(rules.ReferenceResolves, place.Attack.Field("id"), "a")
	l.Warning(rules.ReferenceResolves, place.Attack.Field("id"), "a")
	expect(t, spell(l.Warnings()), "W-004 3:7 a", "W-002 4:21 b")
	if d := l.Result().Warnings; len(d) != 2 || d[0].Code != "W-004" || d[0].Severity != model.DiagnosticWarning || d[0].EndColumn != 12 {
		t.Errorf("%v", d)
	}
}

// TestKeys places a violation at the key.
func TestKeys(t *testing.T) {
	l := findings.New(parsed(t, 0, "  name: x\n  execution: {mode: mcp_server, state: {}}\n"))
	l.ViolationOfKey(rules.VariableName, place.Attack.Field("name"), "the key")
	expect(t, spell(l.All()), "V-041 3:3 the key")
}

// TestWithoutSource has paths, but no places.
func TestWithoutSource(t *testing.T) {
	l := findings.New(&model.Document{})
	l.ViolationOfKey(rules.VariableName, place.Attack, "m")
	l.Warning(rules.FirstKeyAdvice, place.Root, "w")
	expect(t, spell(l.All()), "V-041 0:0 m", "W-001 0:0 w")
	scratch := l.Scratch()
	scratch.Violation(rules.VariableName, place.Attack, "m")
	expect(t, spell(scratch.Violations()), "V-041 0:0 m")
	f := scratch.Violation(rules.KnownSurface, place.Attack, "m")
	if scratch.Suggest(f, "tool_nam", []string{"tool_name"}); f.Help == "" || f.Fix != nil {
		t.Errorf("%+v", f)
	}
}

// TestFixes applies the fix of each misspelled word, and expects the text with the right word, or "" without a fix.
func TestFixes(t *testing.T) {
	for _, c := range []struct{ attack, want string }{
		{"  status: stabel\n", "  status: stable\n"},
		{"  status: \"stabel\"\n", "  status: \"stable\"\n"},
		{"  é: x\n  status: 'stabel' # é\n", "  é: x\n  status: 'stable' # é\n"},
		{"  {status: stabel}\n", "  {status: stable}\n"},
		{"  nmae: x\n", "  name: x\n"},
		{"  name: y\n  nmae: x\n", ""},
		{"  status: \"st\\x61bel\"\n", ""},
		{"  status: something else\n", ""},
		{"  status: |\n    stabel\n", ""},
	} {
		for _, mark := range []string{"", "\ufeff"} {
			text := mark + "oatf: \"0.1\"\nattack:\n" + c.attack
			doc, _ := parse.Document([]byte(text), parse.Options{})
			got := ""
			for _, f := range findings.New(doc).All() {
				if f.Fix != nil {
					out, err := finding.Apply([]byte(text), f.Fix.Edits)
					if err != nil {
						t.Fatal(err)
					}
					got = strings.TrimPrefix(string(out), mark+"oatf: \"0.1\"\nattack:\n")
				}
			}
			if got != c.want {
				t.Errorf("%q is mended to %q", c.attack, got)
			}
		}
	}
}

// TestHintsEnd holds that nothing is looked for beyond twice the limit.
func TestHintsEnd(t *testing.T) {
	l := findings.New(parsed(t, 2, "  execution: {mode: mcp_server, state: {}}\n"))
	hints := 0
	for range 10 {
		if l.Hint("tool_nam", []string{"tool_name"}) != "" {
			hints++
		}
	}
	if hints != 4 {
		t.Errorf("%d hints", hints)
	}
}
