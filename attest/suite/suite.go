// Package suite reads suites: files of assertions, written by people, to evaluate on
// traces. A suite is JSON, JSON lines or YAML:
//
//	assertions:                # or the list alone, or one assertion per line
//	  - assertion_id: refund   # the protocol's assertion objects (§2.2)
//	    type: content
//	    spec: {target: output.message, check: contains, value: refund}
//	    tags: [smoke]          # besides: tags and a description
//	name: refunds              # besides: name, description and max_soft
//	max_soft: 1                # soft failures that the whole run may have
//
// What the protocol lets pass is a finding here: unknown keys, repeated ids, an empty
// list.
package suite

import (
	"context"
	"fmt"
	"path"
	"strings"

	"github.com/cupel-dev/cupel/attest"
	"github.com/cupel-dev/cupel/attest/internal/rule"
	"github.com/cupel-dev/cupel/attest/internal/wording"
	"github.com/cupel-dev/cupel/finding"
)

// File is a suite that was read from a file, ready to be evaluated on any number of
// traces. It is safe for concurrent use.
type File struct {
	Path  string // the file's display name
	Suite attest.Suite

	engine   *attest.Engine
	prepared []attest.Prepared // for each assertion of Suite
	places   []Place
	budget   finding.Finding // the place of max_soft
	doubts   []finding.Finding
}

// Place is where an assertion stands in its suite.
type Place struct {
	File    string
	Line    int // 1-based
	Column  int // 1-based, in code points
	Snippet finding.Snippet
}

// AppendJSON appends the place with a JSON pointer into the trace.
func (p Place) AppendJSON(dst []byte, pointer string) []byte {
	dst = wording.AppendQuoted(append(dst, `{"file":`...), p.File)
	dst = fmt.Appendf(dst, `,"line":%d,"column":%d,"pointer":`, p.Line, p.Column)
	return append(wording.AppendQuoted(dst, pointer), '}')
}

// Result is the result of one assertion of a suite.
type Result struct {
	attest.Result
	Place Place
}

// Finding is the finding that a result makes unless its assertion holds: an error for a
// hard failure, a warning for a soft one. trace is the display name of the trace: its
// message and its Detail have it, so that the findings of one assertion on several traces
// differ in every format. As in the message, it is the same however a path is spelled.
func (r Result) Finding(trace string) (f finding.Finding, failed bool) {
	handle := rule.HardFail
	switch r.Status {
	case attest.Pass:
		return f, false
	case attest.SoftFail:
		handle = rule.SoftFail
	case attest.Unanswerable:
		handle = rule.Unanswerable
	}
	trace = path.Clean(trace)
	f = handle.New(fmt.Sprintf("%s on %q: %s", r.AssertionID, trace, strings.TrimSuffix(r.Explanation, ".")))
	f.File, f.Line, f.Column, f.Source = r.Place.File, r.Place.Line, r.Place.Column, r.Place.Snippet
	f.Path, f.Detail = r.Pointer, attest.Detail{Trace: trace}
	f.Expected, f.Found, f.Help = r.Expected, r.Actual, wording.Help(r.SuggestedAction)
	return f, true
}

// OverSoft is the finding that a run with so many soft failures makes when these are more than
// allowed.
func OverSoft(soft, allowed int) (f finding.Finding, over bool) {
	return rule.MaxSoft.New(fmt.Sprintf("soft failures: %d, more than the %d allowed", soft, allowed)), soft > allowed
}

// OverSoft is that finding for the suite's own max_soft, at its place; there is none for a
// suite without one.
func (f *File) OverSoft(soft int) (at finding.Finding, over bool) {
	if f.Suite.MaxSoft == nil {
		return at, false
	}
	said, over := OverSoft(soft, *f.Suite.MaxSoft)
	at = f.budget
	at.Rule, at.Severity, at.Message = said.Rule, said.Severity, said.Message
	return at, over
}

// Parse reads a suite for an engine; name is the file's display name, whose extension
// tells YAML from JSON where the text does not. The suite is usable only when there are
// no findings; each of them is an error.
func Parse(engine *attest.Engine, name string, data []byte) (*File, []finding.Finding) {
	r := newReader(engine, name, data)
	for _, doc := range r.documents() {
		r.read(doc)
	}
	if len(r.file.prepared) == 0 && len(r.findings) == 0 {
		f := rule.SuiteEmpty.New("the suite has no assertions")
		f.File, f.Line, f.Column = name, 1, 1
		f.Help = "add at least one object with assertion_id, type and spec"
		r.findings = append(r.findings, f)
	}
	return r.file, finding.Sort(r.findings)
}

// Unavailable are the findings about assertions that ask a model where the engine has none: no
// trace would have them evaluated. Each of them is an error.
func (f *File) Unavailable() (list []finding.Finding) {
	for i, p := range f.prepared {
		reason, action, off := p.Unavailable()
		if !off {
			continue
		}
		id, place := f.Suite.Assertions[i].AssertionID, f.places[i]
		at := rule.SuiteProvider.New(fmt.Sprintf("assertion %q cannot be evaluated: %s", wording.Preview(id), reason))
		at.File, at.Line, at.Column, at.Source, at.Help = place.File, place.Line, place.Column, place.Snippet, wording.Help(action)
		list = append(list, at)
	}
	return list
}

// Available returns the suite without the assertions that Unavailable tells of.
func (f *File) Available() *File {
	selected := f.Select(func(attest.Assertion) bool { return false })
	for i, p := range f.prepared {
		if _, _, off := p.Unavailable(); !off {
			selected.add(f.Suite.Assertions[i], p, f.places[i])
		}
	}
	return selected
}

// Len is the number of assertions.
func (f *File) Len() int { return len(f.prepared) }

// Select returns the suite with those assertions alone that keep lets pass.
func (f *File) Select(keep func(attest.Assertion) bool) *File {
	selected := &File{Path: f.Path, Suite: f.Suite, engine: f.engine, budget: f.budget, doubts: f.doubts}
	selected.Suite.Assertions = nil
	for i, a := range f.Suite.Assertions {
		if keep(a) {
			selected.add(a, f.prepared[i], f.places[i])
		}
	}
	return selected
}

func (f *File) add(a attest.Assertion, p attest.Prepared, place Place) {
	f.Suite.Assertions = append(f.Suite.Assertions, a)
	f.prepared = append(f.prepared, p)
	f.places = append(f.places, place)
}

// Evaluate evaluates the suite on one trace. The results are in the suite's order; their
// pointers lead into the trace. The error is an *attest.Error: the trace is not valid, or
// the time is over.
func (f *File) Evaluate(ctx context.Context, text attest.TraceText) ([]Result, error) {
	results, err := f.engine.EvaluatePrepared(ctx, text, f.prepared)
	if err != nil {
		return nil, err
	}
	list := make([]Result, len(results))
	for i, r := range results {
		list[i] = Result{r, f.places[i]}
	}
	return list, nil
}
