package suite

import (
	"fmt"
	"slices"
	"strings"

	"github.com/cupel-dev/cupel/attest/internal/rule"
	"github.com/cupel-dev/cupel/attest/internal/wording"
	"github.com/cupel-dev/cupel/finding"
	"github.com/cupel-dev/cupel/internal/strictjson"
	"github.com/cupel-dev/cupel/internal/suggest"
)

// Doubts returns warnings about assertions that check less than they seem to, such as a schema with
// a misspelled keyword. The suite stays usable.
func (f *File) Doubts() []finding.Finding { return finding.Sort(slices.Clone(f.doubts)) }

// Forbids reports whether an assertion forbids a tool.
func (f *File) Forbids() (some bool) {
	f.forbidden(func(int, string) { some = true })
	return some
}

// Misspelled returns warnings about forbidden tools that were not called but resemble a called tool.
func (f *File) Misspelled(called []string) (list []finding.Finding) {
	f.forbidden(func(i int, name string) {
		near := suggest.Nearest(name, called)
		if near == "" || slices.Contains(called, name) {
			return
		}
		id, place := f.Suite.Assertions[i].AssertionID, f.places[i]
		at := rule.ToolSpelling.New(fmt.Sprintf("assertion %q forbids the tool %q, which no trace calls", wording.Preview(id), wording.Preview(name)))
		at.File, at.Line, at.Column, at.Source = place.File, place.Line, place.Column, place.Snippet
		at.Help = fmt.Sprintf("did you mean %q, which is called?", wording.Preview(near))
		list = append(list, at)
	})
	return list
}

// forbidden calls do for each tool that an assertion forbids.
func (f *File) forbidden(do func(assertion int, name string)) {
	for i, a := range f.Suite.Assertions {
		names, _ := a.Spec["tools"].([]any)
		if a.Spec["check"] != "forbidden_tools" {
			continue
		}
		for _, name := range names {
			if text, ok := name.(string); ok {
				do(i, text)
			}
		}
	}
}

// mostDoubts limits the warnings per suite; a schema can repeat a mistake many times.
const mostDoubts = 200

// doubt adds a warning at a node, or at its key if the node is a member.
func (r *reader) doubt(doc document, n strictjson.Node, broken rule.Handle, message, help string) *finding.Finding {
	if len(r.file.doubts) >= mostDoubts {
		return nil
	}
	start, _ := n.Span()
	if n.Key() != "" {
		start, _ = n.KeySpan()
	}
	f := broken.New(message)
	f.Help = help
	r.point(&f, doc.at(start))
	r.file.doubts = append(r.file.doubts, f)
	return &r.file.doubts[len(r.file.doubts)-1]
}

// doubts checks an assertion for parts that can never fail.
func (r *reader) doubts(doc document, assertion strictjson.Node, typ string) {
	spec := assertion.Get("spec")
	switch typ {
	case "schema":
		asserted, _ := spec.Get("format").Text()
		r.schemaDoubts(doc, spec.Get("schema"), asserted == "assert")
	case "trace", "trace_tree":
		if kind, _ := spec.Get("check").Text(); kind != "contains_in_order" && kind != "exact_order" {
			r.toolDoubts(doc, spec.Get("tools"))
		}
	}
}

// toolDoubts checks a list of tool names.
func (r *reader) toolDoubts(doc document, tools strictjson.Node) {
	seen := map[string]bool{}
	for tool := range tools.Children() {
		name, _ := tool.Text()
		if seen[name] && name != "" {
			r.doubt(doc, tool, rule.ToolRepeated, fmt.Sprintf("tool %q is listed twice", wording.Preview(name)), "list it once, or check the order with contains_in_order")
		}
		seen[name] = true
		if strings.ContainsAny(name, "*?") {
			r.doubt(doc, tool, rule.ToolPattern, fmt.Sprintf("tool name %q looks like a pattern, but names are compared as they are", wording.Preview(name)), "write each name")
		}
	}
}

// keywords are the keywords of JSON Schema, drafts 04 to 2020-12.
var keywords = []string{
	"$schema", "$id", "id", "$ref", "$defs", "definitions", "$anchor", "$dynamicRef", "$dynamicAnchor", "$recursiveRef", "$recursiveAnchor", "$vocabulary", "$comment",
	"allOf", "anyOf", "oneOf", "not", "if", "then", "else", "dependentSchemas", "dependentRequired", "dependencies",
	"prefixItems", "items", "additionalItems", "contains", "minContains", "maxContains", "unevaluatedItems", "minItems", "maxItems", "uniqueItems",
	"properties", "patternProperties", "additionalProperties", "propertyNames", "unevaluatedProperties", "minProperties", "maxProperties", "required",
	"type", "enum", "const", "multipleOf", "maximum", "exclusiveMaximum", "minimum", "exclusiveMinimum", "maxLength", "minLength", "pattern",
	"format", "contentEncoding", "contentMediaType", "contentSchema",
	"title", "description", "default", "deprecated", "readOnly", "writeOnly", "examples", "example",
}

// Keywords that contain schemas: as value, in a list, or as an object's members.
var (
	oneSchema = []string{"not", "if", "then", "else", "items", "additionalItems", "contains", "unevaluatedItems", "additionalProperties", "propertyNames", "unevaluatedProperties", "contentSchema"}
	listOf    = []string{"allOf", "anyOf", "oneOf", "prefixItems", "items"}
	membersOf = []string{"properties", "patternProperties", "dependentSchemas", "$defs", "definitions", "dependencies"}
)

// schemaDoubts finds keywords that JSON Schema ignores. It reports only names similar to a keyword;
// others can be annotations.
func (r *reader) schemaDoubts(doc document, schema strictjson.Node, formats bool) {
	if !schema.Is(strictjson.Object) {
		return
	}
	for member := range schema.Children() {
		name := member.Key()
		switch {
		case !slices.Contains(keywords, name):
			near := suggest.Nearest(name, keywords)
			if near == "" || strings.HasPrefix(name, "x-") || strings.HasPrefix(near, "$") != strings.HasPrefix(name, "$") || schema.Get(near).Exists() {
				continue
			}
			f := r.doubt(doc, member, rule.SchemaKeyword, fmt.Sprintf("unknown schema keyword %q is ignored", wording.Preview(name)), fmt.Sprintf("did you mean %q?", near))
			if f != nil && r.mayMend() {
				start, _ := member.KeySpan()
				r.mend(f, doc.at(start), name, near)
			}
		case name == "format" && !formats && member.Is(strictjson.String):
			text, _ := member.Text()
			r.doubt(doc, member, rule.SchemaFormat, fmt.Sprintf("format %q is not checked: it is an annotation by default", wording.Preview(text)), `add "format": "assert" to the spec to check formats`)
		case slices.Contains(membersOf, name):
			for sub := range member.Children() {
				r.schemaDoubts(doc, sub, formats)
			}
		}
		if slices.Contains(listOf, name) && member.Is(strictjson.Array) {
			for sub := range member.Children() {
				r.schemaDoubts(doc, sub, formats)
			}
		} else if slices.Contains(oneSchema, name) {
			r.schemaDoubts(doc, member, formats)
		}
	}
}
