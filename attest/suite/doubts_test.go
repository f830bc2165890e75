package suite_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/cupel-dev/cupel/attest"
	"github.com/cupel-dev/cupel/attest/suite"
)

// TestDoubts: parts of an assertion that can never fail are reported at their place.
func TestDoubts(t *testing.T) {
	for _, c := range []struct {
		name, spec string
		want       []string
	}{
		{"healthy", `type: schema, spec: {target: output, schema: {type: object, properties: {a: {type: string}}, required: [a]}}`, nil},
		{"misspelled", `type: schema, spec: {target: output, schema: {properites: {}, requred: [a]}}`, []string{`unknown schema keyword "properites" is ignored; did you mean "properties"?`, `unknown schema keyword "requred" is ignored; did you mean "required"?`}},
		{"deep", `type: schema, spec: {target: output, schema: {anyOf: [{items: {$defs: {x: {minLenght: 1}}}}]}}`, []string{`unknown schema keyword "minLenght" is ignored; did you mean "minLength"?`}},
		{"member names are no keywords", `type: schema, spec: {target: output, schema: {properties: {requred: {}, typ: {}}}}`, nil},
		{"values are no schemas", `type: schema, spec: {target: output, schema: {const: {requred: 1}, enum: [{typ: 1}], default: {typ: 1}}}`, nil},
		{"annotations", `type: schema, spec: {target: output, schema: {x-order: 1, owner: me, markdownDescription: x}}`, nil},
		{"format", `type: schema, spec: {target: output, schema: {properties: {mail: {format: email}}}}`, []string{`format "email" is not checked: it is an annotation by default; add "format": "assert" to the spec to check formats`}},
		{"format asserted", `type: schema, spec: {target: output, format: assert, schema: {properties: {mail: {format: email}}}}`, nil},
		{"tools", `type: trace, spec: {check: forbidden_tools, tools: [a, 'rm_*', a]}`, []string{`tool name "rm_*" looks like a pattern, but names are compared as they are; write each name`, `tool "a" is listed twice; list it once, or check the order with contains_in_order`}},
		{"order", `type: trace, spec: {check: contains_in_order, tools: [a, b, a]}`, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			file, findings := suite.Parse(attest.NewEngine(attest.Options{}), "s.yaml", []byte("- {assertion_id: a, "+c.spec+"}\n"), nil)
			if len(findings) > 0 || file.Len() != 1 {
				t.Fatalf("not usable: %v", findings)
			}
			var got []string
			for _, f := range file.Doubts() {
				got = append(got, f.Message+"; "+f.Help)
				if f.Line != 1 || f.Column < 20 || f.Severity.String() != "warning" {
					t.Errorf("%d:%d: %s", f.Line, f.Column, f.Message)
				}
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// TestDoubtsAreBounded: a suite with any number of mistakes stays small.
func TestDoubtsAreBounded(t *testing.T) {
	var members []string
	for i := range 5000 {
		members = append(members, fmt.Sprintf("p%d: {requred: [a]}", i))
	}
	text := "- {assertion_id: a, type: schema, spec: {target: output, schema: {properties: {" + strings.Join(members, ", ") + "}}}}"
	file, _ := suite.Parse(attest.NewEngine(attest.Options{}), "s.yaml", []byte(text), nil)
	if n := len(file.Doubts()); n != 200 {
		t.Errorf("%d warnings, want the limit of 200", n)
	}
}
