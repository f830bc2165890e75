// Package suite reads suites: files with assertions, in JSON, JSON lines or YAML:
//
//	assertions:                # or only the list, or one assertion per line
//	  - assertion_id: refund   # the protocol's assertion objects (§2.2)
//	    type: content
//	    spec: {target: output.message, check: contains, value: refund}
//	    tags: [smoke]          # additional: tags and description
//	name: refunds              # additional: name, description and max_soft
//	max_soft: 1                # allowed soft failures of the run
//
// It reports findings where the protocol is lenient: unknown keys, repeated ids, an empty list.
package suite

import (
	"context"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/cupel-dev/cupel/attest"
	"github.com/cupel-dev/cupel/attest/internal/rule"
	"github.com/cupel-dev/cupel/attest/internal/wording"
	"github.com/cupel-dev/cupel/finding"
)

// File is a suite from a file, usable for any number of traces. It is safe for concurrent use.
type File struct {
	Path  string // the file's display name
	Suite attest.Suite

	engine   *attest.Engine
	prepared []attest.Prepared // for each assertion of Suite
	caseOf   []int             // case of each assertion; noCase: none
	places   []Place
	traces   selector
	cases    []suiteCase
	budget   finding.Finding // the place of max_soft
	doubts   []finding.Finding
}

// Place is the position of an assertion in its suite.
type Place struct {
	File    string
	Line    int // 1-based
	Column  int // 1-based, in code points
	Snippet finding.Snippet
}

// AppendJSON appends the position with a JSON pointer into the trace.
func (p Place) AppendJSON(dst []byte, pointer string) []byte {
	dst = wording.AppendQuoted(append(dst, `{"file":`...), p.File)
	dst = fmt.Appendf(dst, `,"line":%d,"column":%d,"pointer":`, p.Line, p.Column)
	return append(wording.AppendQuoted(dst, pointer), '}')
}

type Result struct {
	attest.Result
	Place Place
	Index int // of the assertion in Suite.Assertions
	Case  int // index of the suite's case; -1: none
}

// Finding returns the finding of a failed result: an error for a hard failure, a warning for a soft one. trace is
// the trace's display name. It is in the message and the Detail, so that findings on several traces differ in every
// format.
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

// OverSoft returns the finding about too many soft failures.
func OverSoft(soft, allowed int) (f finding.Finding, over bool) {
	return rule.MaxSoft.New(fmt.Sprintf("soft failures: %d, more than the %d allowed", soft, allowed)), soft > allowed
}

// OverSoft returns the finding of [OverSoft] for the suite's own max_soft, or false without max_soft.
func (f *File) OverSoft(soft int) (at finding.Finding, over bool) {
	if f.Suite.MaxSoft == nil {
		return at, false
	}
	said, over := OverSoft(soft, *f.Suite.MaxSoft)
	at = f.budget
	at.Rule, at.Severity, at.Message = said.Rule, said.Severity, said.Message
	return at, over
}

// Parse parses a suite for an engine. name is the display name; its extension distinguishes YAML from JSON if the
// text does not. The suite is usable only without findings, all of which are errors.
//
// open opens the files that the suite names, or is nil if it cannot name files.
func Parse(engine *attest.Engine, name string, data []byte, open Opener) (*File, []finding.Finding) {
	r := newReader(engine, name, data, open)
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

// Unavailable returns errors for assertions whose model is not configured.
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

// Available returns the suite without the unavailable assertions.
func (f *File) Available() *File {
	selected := f.Select(func(attest.Assertion) bool { return false })
	for i, p := range f.prepared {
		if _, _, off := p.Unavailable(); !off {
			selected.add(f.Suite.Assertions[i], p, f.places[i], f.caseOf[i])
		}
	}
	return selected
}

// Len returns the number of assertions.
func (f *File) Len() int { return len(f.prepared) }

// Select returns the suite with only the assertions that keep accepts.
func (f *File) Select(keep func(attest.Assertion) bool) *File {
	selected := &File{Path: f.Path, Suite: f.Suite, engine: f.engine, traces: f.traces, cases: f.cases, budget: f.budget, doubts: f.doubts}
	selected.Suite.Assertions = nil
	for i, a := range f.Suite.Assertions {
		if keep(a) {
			selected.add(a, f.prepared[i], f.places[i], f.caseOf[i])
		}
	}
	return selected
}

func (f *File) add(a attest.Assertion, p attest.Prepared, place Place, at int) {
	f.Suite.Assertions = append(f.Suite.Assertions, a)
	f.prepared = append(f.prepared, p)
	f.places = append(f.places, place)
	f.caseOf = append(f.caseOf, at)
}

// Selective reports whether the suite is only about some traces, by "traces" or "cases".
func (f *File) Selective() bool { return f.traces.given || len(f.cases) > 0 }

// about returns the assertions that are about a trace.
func (f *File) about(name string, text attest.TraceText) (list []int) {
	var d described
	if f.Selective() {
		if d = describe(name, text); f.traces.given && !f.traces.selects(&d) {
			return nil
		}
	}
	selected := map[int]bool{noCase: true}
	for i := range f.cases {
		selected[i] = f.cases[i].selects(&d)
	}
	for i, at := range f.caseOf {
		if selected[at] {
			list = append(list, i)
		}
	}
	return list
}

// Evaluate evaluates the suite on a trace. name is the trace's path, which the suite can select traces by. Results
// are in suite order, with pointers into the trace; a suite that does not select the trace has none. The error is an
// *attest.Error for an invalid trace or a timeout.
func (f *File) Evaluate(ctx context.Context, name string, text attest.TraceText) ([]Result, error) {
	about, prepared := f.about(name, text), f.prepared
	if len(about) < len(prepared) {
		prepared = make([]attest.Prepared, len(about))
		for i, at := range about {
			prepared[i] = f.prepared[at]
		}
	}
	results, err := f.engine.EvaluatePrepared(ctx, text, prepared)
	if err != nil {
		return nil, err
	}
	list := make([]Result, len(results))
	for i, r := range results {
		at := about[i]
		list[i] = Result{r, f.places[at], at, f.caseOf[at]}
	}
	return list, nil
}

// Unmet returns errors for cases that no trace was evaluated for, given the number of results of each case.
func (f *File) Unmet(results map[int]int) (list []finding.Finding) {
	for i, c := range f.cases {
		if results[i] > 0 || !slices.Contains(f.caseOf, i) {
			continue
		}
		at, said := c.place, rule.SuiteCase.New(fmt.Sprintf("no trace belongs to case %q", wording.Preview(c.id)))
		at.Rule, at.Severity, at.Message = said.Rule, said.Severity, said.Message
		at.Help = `a trace belongs to a case if the case's "traces" selects it, or if its metadata.case or trace_id is the case's id`
		list = append(list, at)
	}
	return list
}
