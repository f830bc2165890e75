package parse_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/cupel-dev/cupel/internal/oatftest"
	"github.com/cupel-dev/cupel/oatf/internal/parse"
	"github.com/cupel-dev/cupel/oatf/model"
)

var testData = os.DirFS(filepath.Join("..", "..", "..", "testdata", "oatf"))

// TestParse compares the faults of every case, each as "id place path rule message".
func TestParse(t *testing.T) {
	type parseCase struct {
		Name, Input, Revision string
		UnknownFields         string `yaml:"unknown_fields"`
		Faults                []string
	}
	for _, file := range []string{"parse.yaml", "parse-2026-03.yaml"} {
		for _, c := range oatftest.Cases[parseCase](t, testData, file) {
			t.Run(c.Name, func(t *testing.T) {
				opt := parse.Options{Revision: model.Revision(c.Revision)}
				if c.UnknownFields == "warn" {
					opt.UnknownFields = model.WarnUnknown
				}
				_, err := parse.Document([]byte(c.Input), opt)
				if diff := cmp.Diff(c.Faults, faultLines(t, err)); diff != "" {
					t.Errorf("-want +got\n%s", diff)
				}
			})
		}
	}
}

// faultLines spells the faults of Parse as the test data does.
func faultLines(t *testing.T, err error) []string {
	t.Helper()
	if err == nil {
		return nil
	}
	var faults model.ParseErrors
	if !errors.As(err, &faults) {
		t.Fatalf("Parse returned a %T: %v", err, err)
	}
	var lines []string
	for _, f := range faults {
		lines = append(lines, strings.Join([]string{f.ID(), span(f.Position), orDash(f.Path), orDash(f.Rule), f.Message}, " "))
	}
	return lines
}

func span(p model.Position) string {
	if p.EndColumn == 0 {
		return fmt.Sprintf("%d:%d", p.Line, p.Column)
	}
	return fmt.Sprintf("%d:%d-%d", p.Line, p.Column, p.EndColumn)
}

func orDash(s string) string {
	if s == "" {
		return "-"
	}
	return s
}

func TestRefuses(t *testing.T) {
	for text, want := range map[string]string{
		"":      "the document is empty",
		"null":  "the document is empty",
		"- a":   "the document must be a mapping, found a list",
		"a: [":  "invalid YAML: did not find expected node content while parsing a flow node",
		"false": "the document must be a mapping, found the boolean false",
	} {
		doc, err := parse.Document([]byte(text), parse.Options{})
		var faults model.ParseErrors
		if doc != nil || !errors.As(err, &faults) || faults[0].Message != want {
			t.Errorf("%q: %v, %v", text, doc, err)
		}
	}
}

func TestTolerates(t *testing.T) {
	text := "oatf: \"0.1\"\nattack:\n  tier: 1\n  nmae: x\n  execution: {mode: mcp_server, state: {}}\n"
	doc, err := parse.Document([]byte(text), parse.Options{UnknownFields: model.WarnUnknown, Limits: model.Limits{Errors: 1}})
	if err != nil || len(doc.Warnings()) != 1 || doc.Warnings()[0].Path != "attack.tier" {
		t.Errorf("%v: %v", err, doc.Warnings())
	}
}

// TestMeant holds that a misspelled word is named with the one that is meant, except for a
// key that exists already.
func TestMeant(t *testing.T) {
	_, err := parse.Document([]byte("oatf: \"0.1\"\nattack:\n  nmae: x\n  status: stabel\n  id: A-001\n  idd: B\n  execution: {mode: mcp_server, state: {}}\n"), parse.Options{})
	var faults model.ParseErrors
	if !errors.As(err, &faults) || len(faults) != 3 {
		t.Fatal(err)
	}
	for i, want := range []string{"name", "stable", ""} {
		if faults[i].Meant != want {
			t.Errorf("%v: %q is meant, not %q", faults[i], want, faults[i].Meant)
		}
	}
}

// full has every kind of field.
const full = `oatf: "0.1"
attack:
  id: A-001
  version: 2
  status: stable
  grace_period: 30s
  severity: {level: high, confidence: 80}
  impact: [data_exfiltration]
  classification: {category: oversight_bypass, mappings: [{framework: cwe, id: "1", relationship: related}], tags: [a]}
  references: [{url: "https://example.com", title: t}]
  execution:
    mode: mcp_server
    phases:
      - state: {tools: []}
        extractors: [{name: x, source: request, type: json_path, selector: $.a}]
        on_enter:
          - send_notification: {method: m, params: {a: 1}}
          - log: {message: m, level: warn}
          - send_elicitation: {message: m, mode: url, requestedSchema: {}, url: u}
          - delay_ms: 5
            x-own: y
        trigger: {event: tools/call, count: 3, after: 5s, match: {a: {gt: 1, exists: true}, b: c, d: {e: f}}}
      - x-first: 1
  indicators:
    - surface: tool_name
      pattern: {condition: null}
    - surface: tool_name
      pattern: {contains: a, any_of: [1, null]}
    - surface: tool_name
      expression: {cel: "true", variables: {a: b.c}}
    - surface: tool_name
      semantic: {intent: i, intent_class: prompt_injection, threshold: 0.5, examples: {positive: [a], negative: [b]}}
      confidence: 50
      severity: low
      false_positives: [a]
  correlation: {logic: all}
  x-after: z
`

// TestModel spells what becomes of each field.
func TestModel(t *testing.T) {
	doc, err := parse.Document([]byte(full), parse.Options{})
	if err != nil {
		t.Fatal(err)
	}
	a := doc.Attack
	phase, trigger := a.Execution.Phases[0], a.Execution.Phases[0].Trigger
	for _, c := range []struct{ got, want any }{
		{*a.Version, int64(2)},
		{*a.Status, model.StatusStable},
		{*a.Severity.Confidence, int64(80)},
		{a.Severity.Scalar, false},
		{a.Impact[0], model.ImpactDataExfiltration},
		{*a.Classification.Mappings[0].Relationship, model.RelationshipRelated},
		{a.Classification.Tags[0], "a"},
		{*a.References[0].Title, "t"},
		{*a.GracePeriod, model.Duration("30s")},
		{*a.Correlation.Logic, model.CorrelationAll},
		{phase.Extractors[0].Type, model.ExtractorJSONPath},
		{phase.OnEnter[0].SendNotification.Method, "m"},
		{*phase.OnEnter[1].Log.Level, model.LogWarn},
		{*phase.OnEnter[2].SendElicitation.Mode, model.ElicitationURL},
		{phase.OnEnter[3].Binding[0].Key, "delay_ms"},
		{phase.OnEnter[3].Extensions[0].After, "delay_ms"},
		{*trigger.Count, int64(3)},
		{*trigger.Match[0].Operators.GT, model.Number("1")},
		{*trigger.Match[0].Operators.Exists, true},
		{trigger.Match[1].Value, "c"},
		{trigger.Match[2].Operators == nil, true},
		{a.Execution.Phases[1].Extensions[0].After, ""},
		{a.Indicators[0].Pattern.Condition.Operators == nil && a.Indicators[0].Pattern.Condition.Value == nil, true},
		{*a.Indicators[1].Pattern.Shorthand.Contains, "a"},
		{len(a.Indicators[1].Pattern.Shorthand.AnyOf), 2},
		{a.Indicators[2].Expression.Variables[0].Path, "b.c"},
		{*a.Indicators[3].Semantic.Threshold, 0.5},
		{a.Indicators[3].Semantic.Examples.Negative[0], "b"},
		{*a.Indicators[3].Confidence, int64(50)},
		{a.Extensions[0].After, "correlation"},
		{doc.Position("attack.id").Line, 3},
	} {
		if c.got != c.want {
			t.Errorf("%v, expected %v", c.got, c.want)
		}
	}
}

// TestWrongTypes puts another type in the place of each kind of field.
func TestWrongTypes(t *testing.T) {
	for _, c := range []struct{ old, wrong, fault string }{
		{"version: 2", "version: 1.5", "expected an integer of 64 bits, found the number 1.5"},
		{"threshold: 0.5", "threshold: high", "expected a number, found the string \"high\""},
		{"threshold: 0.5", "threshold: 1e999", "expected a number that a double can hold, found the number 1e999"},
		{"exists: true", "exists: 1", "expected true or false, found the number 1"},
		{"gt: 1, exists: true", "gt: null, exists: null", "the condition has no operator: gt is null"},
		{"any_of: [1, null]", "any_of: 1", "expected a list, found the number 1"},
		{"params: {a: 1}", "params: []", "expected a mapping, found a list"},
		{"variables: {a: b.c}", "variables: 1", "expected a mapping, found the number 1"},
		{"match: {a: {gt: 1, exists: true}, b: c, d: {e: f}}", "match: a", "expected a mapping of dot-paths to conditions, found the string \"a\""},
		{"tags: [a]", "tags: a", "expected a list, found the string \"a\""},
		{"type: json_path", "kind: json_path", "required key \"type\" is missing"},
		{"level: warn", "level: [warn]", "expected one of info, warn, error, found a list"},
		{"correlation: {logic: all}", "correlation: all", "expected a mapping, found the string \"all\""},
		{"id: A-001", "id: 1", "expected a string, found the number 1"},
	} {
		_, err := parse.Document([]byte(strings.Replace(full, c.old, c.wrong, 1)), parse.Options{})
		var faults model.ParseErrors
		if errors.As(err, &faults); !slices.ContainsFunc(faults, func(e *model.ParseError) bool { return e.Message == c.fault }) {
			t.Errorf("%s: %v", c.wrong, err)
		}
	}
}
