package suite

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/cupel-dev/cupel/attest"
	"github.com/cupel-dev/cupel/attest/internal/check"
	"github.com/cupel-dev/cupel/attest/internal/rule"
	"github.com/cupel-dev/cupel/attest/internal/wording"
	"github.com/cupel-dev/cupel/finding"
	"github.com/cupel-dev/cupel/internal/strictjson"
	"github.com/cupel-dev/cupel/internal/suggest"
)

// reader collects the assertions and the faults of a suite.
type reader struct {
	text
	engine *attest.Engine
	file   *File
	open   Opener         // nil: no file can be read
	ids    map[string]int // line of the assertion that has the id
	count  int            // assertions read so far

	goldens map[string]json.RawMessage // expected calls by file
}

func newReader(engine *attest.Engine, name string, data []byte, open Opener) *reader {
	return &reader{
		text:   newText(name, data, engine.Limits().JSONDepth),
		engine: engine, file: &File{Path: name, engine: engine}, open: open,
		ids: map[string]int{}, goldens: map[string]json.RawMessage{},
	}
}

// Keys of a suite and of an assertion in it.
var (
	suiteKeys     = []string{"$schema", "name", "description", "max_soft", "traces", "cases", "assertions"}
	assertionKeys = []string{"assertion_id", "type", "spec", "request_id", "tags", "description"}
)

// read reads a document: a suite, a list of assertions, or one assertion.
func (r *reader) read(doc document) {
	list := doc.root
	if isSuite(doc.root) {
		r.head(doc)
		list = doc.root.Get("assertions")
		if !list.Missing() && !list.Is(strictjson.Array) {
			r.fault(doc, list, rule.SuiteSyntax, "assertions must be a list, got "+list.Kind().String(), "")
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
		r.fault(doc, list, rule.SuiteSyntax, "a suite must be an object or a list of assertions, got "+list.Kind().String(), "")
	}
}

// isSuite distinguishes a suite from a single assertion, even if either is incomplete.
func isSuite(n strictjson.Node) bool {
	alone := n.Get("assertion_id").Exists() || n.Get("type").Exists() || n.Get("spec").Exists()
	return n.Is(strictjson.Object) && (n.Get("assertions").Exists() || !alone)
}

// head reads a suite's members other than the assertions.
func (r *reader) head(doc document) {
	r.checkKeys(doc, doc.root, suiteKeys, "a suite")
	r.file.Suite.Name, _ = doc.root.Get("name").Text()
	r.file.Suite.Description, _ = doc.root.Get("description").Text()
	r.file.traces = r.selector(doc, doc.root.Get("traces"))
	r.readCases(doc, doc.root.Get("cases"))
	soft := doc.root.Get("max_soft")
	if soft.Missing() {
		return
	}
	limit, ok := soft.Int()
	if !ok || limit < 0 || limit > 1<<30 {
		r.fault(doc, soft, rule.SuiteKey, "max_soft must be a whole number of 0 or more", "")
	}
	r.file.Suite.MaxSoft = new(int(limit))
	start, _ := soft.Span()
	r.point(&r.file.budget, doc.at(start))
}

func (r *reader) assertion(doc document, n strictjson.Node) {
	index, all := r.count, len(r.findings)
	r.count++
	r.checkID(doc, n.Get("assertion_id"))
	before := len(r.findings)
	r.checkKeys(doc, n, assertionKeys, "an assertion")
	typ, _ := n.Get("type").Text()
	if len(r.findings) > before {
		r.tooHigh(n, typ, r.findings[before:])
	}
	if keys := check.KeysOf(typ); keys != nil {
		if isCalls(n) {
			keys = append(slices.Clone(keys), "golden")
		}
		r.checkKeys(doc, n.Get("spec"), keys, "the spec of a "+typ+" assertion")
	}
	if len(r.findings) > before {
		return // what else is wrong may follow from the unknown key
	}
	texts, changed, ok := r.expanded(doc, n)
	if !ok {
		return
	}
	prepared := make([]attest.Prepared, len(texts))
	for i, text := range texts {
		var err error
		if prepared[i], err = r.engine.PrepareJSON(text.json, index); err == nil {
			continue
		}
		if refused, ok := errors.AsType[*attest.Error](err); ok {
			r.refused(doc, n, refused, changed)
			return
		}
	}
	if len(r.findings) > all {
		return
	}
	r.checkTags(doc, n.Get("tags"))
	r.doubts(doc, n, typ)
	place := r.idPlace(doc, n.Get("assertion_id"))
	for i, text := range texts {
		a := assertionOf(n)
		if whole, refused := r.scan(text.json); changed && refused == nil {
			a = assertionOf(whole.Root())
		}
		r.file.add(a, prepared[i], Place{r.name, place.Line, place.Column, place.Source}, text.at)
	}
}

// assertionOf returns the assertion in a node that was already prepared.
func assertionOf(n strictjson.Node) (a attest.Assertion) {
	a.AssertionID, _ = n.Get("assertion_id").Text()
	typ, _ := n.Get("type").Text()
	a.Type = attest.AssertionType(typ)
	a.RequestID, _ = n.Get("request_id").Text()
	a.Description, _ = n.Get("description").Text()
	for tag := range n.Get("tags").Children() {
		text, _ := tag.Text()
		a.Tags = append(a.Tags, text)
	}
	d := json.NewDecoder(bytes.NewReader(n.Get("spec").Raw()))
	d.UseNumber()
	_ = d.Decode(&a.Spec) // never fails: it is an object
	return a
}

func (r *reader) idPlace(doc document, id strictjson.Node) (f finding.Finding) {
	key, _ := id.KeySpan()
	r.point(&f, doc.at(key))
	return f
}

// refused reports why the engine rejects an assertion. changed means that its text is not the suite's, so that only
// the assertion as a whole has a place.
func (r *reader) refused(doc document, n strictjson.Node, refused *attest.Error, changed bool) {
	start, _ := n.Span()
	if changed {
		r.report(rule.SuiteAssertion, doc.at(start), refused.Message, wording.Help(refused.Data.Detail))
		return
	}
	at := start + refused.Offset
	f := r.report(rule.SuiteAssertion, doc.at(at), refused.Message, wording.Help(refused.Data.Detail))
	if refused.Meant != "" && r.mayMend() {
		word, _ := nodeAt(n, at).Text()
		r.mend(f, doc.at(at), word, refused.Meant)
	}
}

// nodeAt returns the node at an offset of the document.
func nodeAt(n strictjson.Node, offset int) strictjson.Node {
	for c := range n.All() {
		if start, _ := c.Span(); start == offset {
			return c
		}
	}
	return strictjson.Node{}
}

// checkID reports an assertion_id that was used before, even by a faulty assertion.
func (r *reader) checkID(doc document, n strictjson.Node) {
	id, _ := n.Text()
	if id == "" {
		return // reported separately
	}
	if line, repeated := r.ids[id]; repeated {
		r.fault(doc, n, rule.SuiteDuplicate, fmt.Sprintf("assertion_id %q occurs twice", wording.Preview(id)),
			fmt.Sprintf("the first is in line %d; give each assertion a unique id", line))
		return
	}
	r.ids[id] = r.idPlace(doc, n).Line
}

// checkTags reports tags that are not strings.
func (r *reader) checkTags(doc document, n strictjson.Node) {
	if !n.Missing() && !n.Is(strictjson.Array) {
		r.fault(doc, n, rule.SuiteKey, "tags must be a list of strings, got "+n.Kind().String(), "")
		return
	}
	for element := range n.Children() {
		if !element.Is(strictjson.String) {
			r.fault(doc, element, rule.SuiteKey, notATag(element), "")
		}
	}
}

// tooHigh explains unknown keys of an assertion that belong into its spec.
func (r *reader) tooHigh(n strictjson.Node, typ string, findings []finding.Finding) {
	for member := range n.Children() {
		name := member.Key()
		for i := range findings {
			if slices.Contains(check.KeysOf(typ), name) && strings.HasPrefix(findings[i].Message, fmt.Sprintf("unknown key %q ", name)) {
				findings[i].Help = fmt.Sprintf("move %q into \"spec\": it belongs to the check", name)
			}
		}
	}
}

func notATag(n strictjson.Node) string { return "a tag must be a string, got " + n.Kind().String() }

// checkKeys reports unknown members of an object.
func (r *reader) checkKeys(doc document, n strictjson.Node, known []string, where string) {
	if !n.Is(strictjson.Object) {
		return
	}
	for member := range n.Children() {
		name := member.Key()
		if slices.Contains(known, name) {
			continue
		}
		help := "known keys: " + strings.Join(known, ", ")
		near := nearestKey(n, name, known)
		if near != "" {
			help = fmt.Sprintf("did you mean %q?", near)
		}
		start, _ := member.KeySpan()
		f := r.report(rule.SuiteKey, doc.at(start), fmt.Sprintf("unknown key %q in %s", wording.Preview(name), where), help)
		if near != "" && r.mayMend() && !n.Get(near).Exists() {
			r.mend(f, doc.at(start), name, near)
		}
	}
}

// nearestKey returns the key of n that was probably meant as the missing one, or "". Other tools use "id" for an
// assertion's id.
func nearestKey(n strictjson.Node, name string, known []string) string {
	const id = "assertion_id"
	if name == "id" && slices.Contains(known, id) && !n.Get(id).Exists() {
		return id
	}
	return suggest.Nearest(name, known)
}

func (r *reader) fault(doc document, n strictjson.Node, broken rule.Handle, message, help string) {
	start, _ := n.Span()
	r.report(broken, doc.at(start), message, help)
}
