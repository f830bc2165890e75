package attest

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/cupel-dev/cupel/internal/finding"
	"github.com/cupel-dev/cupel/internal/source"
	"github.com/cupel-dev/cupel/internal/strictjson"
	"github.com/cupel-dev/cupel/internal/suggest"
)

// Finding is one fault of a suite, with its place.
type Finding = finding.Finding

// Rule is one row of the rule table.
type Rule = finding.Rule

// Snippet is the source line around a place, cut to size.
type Snippet = finding.Snippet

// Suite is a file of assertions to evaluate on traces: JSON, JSON lines or YAML. It
// is
//
//	assertions:                # or the list alone, or one assertion per line
//	  - assertion_id: refund   # the protocol's assertion objects (§2.2)
//	    type: content
//	    spec: {target: output.message, check: contains, value: refund}
//	    tags: [smoke]          # besides: tags and a description
//	name: refunds              # besides: name, description and max_soft
//	max_soft: 1                # soft failures that the whole run may have
//
// A suite is written by people, so what the protocol lets pass is an error here:
// unknown keys, repeated ids, an empty list.
type Suite struct {
	Name    string // the file's display name
	MaxSoft int    // soft failures that a run may have; -1: any number

	assertions []assertion
	tags       [][]string
	places     []Place
}

// Place is where an assertion stands in its suite.
type Place struct {
	File    string
	Line    int // 1-based
	Column  int // 1-based, in code points
	Snippet Snippet
}

// AppendJSON appends the place with a JSON pointer into the trace.
func (p Place) AppendJSON(dst []byte, pointer string) []byte {
	dst = appendQuoted(append(dst, `{"file":`...), p.File)
	dst = fmt.Appendf(dst, `,"line":%d,"column":%d,"pointer":`, p.Line, p.Column)
	return append(appendQuoted(dst, pointer), '}')
}

// SuiteResult is the result of one assertion of a suite.
type SuiteResult struct {
	Result
	Place Place
}

// The rules of suites and of their results.
const (
	ruleSyntax    = "suite.syntax"
	ruleKey       = "suite.key"
	ruleEmpty     = "suite.empty"
	ruleDuplicate = "suite.duplicate_id"
	ruleAssertion = "suite.assertion"
)

// ParseSuite reads a suite; name is the file's display name, whose extension tells
// YAML from JSON where the text does not. The suite is usable only when there are no
// findings; each of them is an error.
func (e *Engine) ParseSuite(name string, data []byte) (*Suite, []Finding) {
	r := suiteReader{engine: e, suite: &Suite{Name: name, MaxSoft: -1}, data: data, ids: map[string]int{}, lines: lineStarts(data)}
	for _, doc := range r.documents() {
		r.read(doc)
	}
	if len(r.suite.assertions) == 0 && len(r.findings) == 0 {
		r.findings = append(r.findings, Finding{Rule: ruleEmpty, Severity: finding.Error, File: name, Line: 1, Column: 1,
			Message: "the suite has no assertions", Help: "add at least one object with assertion_id, type and spec"})
	}
	return r.suite, finding.Sort(r.findings)
}

// Len is the number of assertions.
func (s *Suite) Len() int { return len(s.assertions) }

// Select returns the suite with those assertions alone that keep lets pass.
func (s *Suite) Select(keep func(assertionID string, tags []string) bool) *Suite {
	selected := &Suite{Name: s.Name, MaxSoft: s.MaxSoft}
	for i, a := range s.assertions {
		if keep(a.id, s.tags[i]) {
			selected.assertions = append(selected.assertions, a)
			selected.tags = append(selected.tags, s.tags[i])
			selected.places = append(selected.places, s.places[i])
		}
	}
	return selected
}

// EvaluateSuite evaluates a suite on one trace. The results are in the suite's order;
// their pointers lead into the trace.
func (e *Engine) EvaluateSuite(ctx context.Context, text TraceText, s *Suite) ([]SuiteResult, *Error) {
	var list []SuiteResult
	ctx, cancel := context.WithTimeout(ctx, e.opt.Timeout)
	defer cancel()
	err := e.withText(text, func(w *workspace) *Error {
		results, err := e.evaluateAll(ctx, w, s.assertions)
		for i, r := range results {
			list = append(list, SuiteResult{r, s.places[i]})
		}
		return err
	})
	return list, err
}

// suiteReader collects the assertions and the faults of a suite.
type suiteReader struct {
	engine   *Engine
	suite    *Suite
	data     []byte
	lines    []int          // offsets of the lines of data
	ids      map[string]int // line of the assertion that has the id
	count    int            // assertions read so far
	findings []Finding
}

// suiteDocument is one JSON document of a suite: all of it, or one line.
type suiteDocument struct {
	root strictjson.Node
	at   func(offset int) int // place in the suite's text of a byte of the JSON
}

// Keys of a suite and of an assertion in it.
var (
	suiteKeys     = []string{"$schema", "name", "description", "max_soft", "assertions"}
	assertionKeys = []string{"assertion_id", "type", "spec", "request_id", "tags", "description"}
)

// read takes over one document: a suite, a list of assertions, or one assertion.
func (r *suiteReader) read(doc suiteDocument) {
	list := doc.root
	if isSuite(doc.root) {
		r.checkKeys(doc, doc.root, suiteKeys, "a suite")
		list = doc.root.Get("assertions")
		if soft := doc.root.Get("max_soft"); !soft.Missing() {
			limit, ok := soft.Int()
			if !ok || limit < 0 || limit > 1<<30 {
				r.fault(doc, soft, ruleKey, "max_soft must be a whole number of 0 or more", "")
			}
			r.suite.MaxSoft = int(limit)
		}
		if !list.Missing() && !list.Is(strictjson.Array) {
			r.fault(doc, list, ruleSyntax, "assertions must be a list, got "+list.Kind().String(), "")
			return
		}
	}
	switch {
	case list.Is(strictjson.Array):
		for n := range list.Children() {
			r.assertion(doc, n)
		}
	case list.Is(strictjson.Object):
		r.assertion(doc, list)
	case list.Exists() && !list.Missing():
		r.fault(doc, list, ruleSyntax, "a suite must be an object or a list of assertions, got "+list.Kind().String(), "")
	}
}

// isSuite tells a suite from an assertion that stands alone, both of which may lack
// what they need.
func isSuite(n strictjson.Node) bool {
	alone := n.Get("assertion_id").Exists() || n.Get("type").Exists() || n.Get("spec").Exists()
	return n.Is(strictjson.Object) && (n.Get("assertions").Exists() || !alone)
}

// assertion takes over one assertion.
func (r *suiteReader) assertion(doc suiteDocument, n strictjson.Node) {
	index, all := r.count, len(r.findings)
	r.count++
	r.checkID(doc, n.Get("assertion_id"))
	before := len(r.findings)
	r.checkKeys(doc, n, assertionKeys, "an assertion")
	typ, _ := n.Get("type").Text()
	for _, t := range assertionTypes {
		if t.name == typ && t.keys != nil {
			r.checkKeys(doc, n.Get("spec"), t.keys, "the spec of a "+typ+" assertion")
		}
	}
	if len(r.findings) > before {
		return // what else is wrong may follow from the unknown key
	}
	a, err := r.engine.compile(n, index)
	if err != nil {
		f := r.place(doc, err.Offset)
		f.Rule, f.Severity, f.Message = ruleAssertion, finding.Error, err.Message
		f.Help = err.Data.Detail[strings.LastIndexByte(err.Data.Detail, '\n')+1:]
		r.findings = append(r.findings, f)
		return
	}
	if len(r.findings) > all {
		return
	}
	idKey, _ := n.Get("assertion_id").KeySpan()
	place := r.place(doc, idKey)
	r.suite.assertions = append(r.suite.assertions, a)
	r.suite.tags = append(r.suite.tags, r.tags(doc, n.Get("tags")))
	r.suite.places = append(r.suite.places, Place{r.suite.Name, place.Line, place.Column, place.Source})
}

// checkID reports an assertion_id that another assertion, faulty or not, has had before.
func (r *suiteReader) checkID(doc suiteDocument, n strictjson.Node) {
	id, _ := n.Text()
	if id == "" {
		return // that is a fault of its own
	}
	if line, repeated := r.ids[id]; repeated {
		r.fault(doc, n, ruleDuplicate, fmt.Sprintf("assertion_id %q occurs twice", preview(id)),
			fmt.Sprintf("the first stands in line %d; give each assertion an id of its own", line))
		return
	}
	key, _ := n.KeySpan()
	r.ids[id] = r.place(doc, key).Line
}

// tags reads the list of tags.
func (r *suiteReader) tags(doc suiteDocument, n strictjson.Node) (tags []string) {
	if !n.Missing() && !n.Is(strictjson.Array) {
		r.fault(doc, n, ruleKey, "tags must be a list of strings, got "+n.Kind().String(), "")
	}
	for element := range n.Children() {
		tag, ok := element.Text()
		if !ok {
			r.fault(doc, element, ruleKey, "a tag must be a string, got "+element.Kind().String(), "")
		}
		tags = append(tags, tag)
	}
	return tags
}

// checkKeys reports the members of an object that nobody would read.
func (r *suiteReader) checkKeys(doc suiteDocument, n strictjson.Node, known []string, where string) {
	if !n.Is(strictjson.Object) {
		return
	}
	for member := range n.Children() {
		name := member.Key()
		if slices.Contains(known, name) {
			continue
		}
		help := "known keys: " + joinNames(known)
		if near := suggest.Nearest(name, known); near != "" {
			help = fmt.Sprintf("did you mean %q?", near)
		}
		start, _ := member.KeySpan()
		f := r.place(doc, start)
		f.Rule, f.Severity, f.Help = ruleKey, finding.Error, help
		f.Message = fmt.Sprintf("unknown key %q in %s", preview(name), where)
		r.findings = append(r.findings, f)
	}
}

// fault reports a fault at a node.
func (r *suiteReader) fault(doc suiteDocument, n strictjson.Node, rule, message, help string) {
	start, _ := n.Span()
	f := r.place(doc, start)
	f.Rule, f.Severity, f.Message, f.Help = rule, finding.Error, message, help
	r.findings = append(r.findings, f)
}

// place is a finding at a byte of a document's JSON.
func (r *suiteReader) place(doc suiteDocument, offset int) Finding { return r.placeAt(doc.at(offset)) }

// placeAt is a finding at a byte of the suite's text; its caret marks the word there.
func (r *suiteReader) placeAt(start int) Finding {
	f := Finding{File: r.suite.Name}
	i, found := slices.BinarySearch(r.lines, start)
	if !found {
		i--
	}
	line, _, _ := bytes.Cut(r.data[r.lines[i]:], []byte{'\n'})
	start -= r.lines[i]
	source.Point(&f, source.Line{Number: i + 1, Bytes: line}, start, start+wordSize(line[min(start, len(line)):]))
	return f
}

// wordSize is the length of the string or the bare word that text begins with.
func wordSize(text []byte) int {
	if len(text) > 0 && text[0] == '"' {
		if end := bytes.IndexByte(text[1:], '"'); end >= 0 {
			return end + 2
		}
	}
	end := bytes.IndexAny(text, ",:{}[]\"' \t\r")
	if end < 0 {
		end = len(text)
	}
	return max(1, end)
}
