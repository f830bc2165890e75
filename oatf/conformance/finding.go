package conformance

import (
	"slices"

	"github.com/cupel-dev/cupel/finding"
)

// Rules returns the rules of findings about cases.
func Rules() []finding.Rule { return slices.Clone(rules) }

// rule is an index into the rule table.
type rule uint8

const (
	caseFails rule = iota
	caseNotRun
	caseFaulty
)

const clause = "OATF SDK specification, §1.3"

var rules = finding.Table{
	caseFails: {
		ID: "C-001", Title: "a case of a conformance suite does not hold", Severity: finding.Error, Class: "not conforming", Clause: clause,
		Rationale: "An implementation should pass the conformance suite without failure. What came out is another answer than the one that the fixture expects.",
	},
	caseNotRun: {
		ID: "C-002", Title: "a case of a conformance suite cannot be run", Severity: finding.Error, Class: "not known", Clause: clause,
		Rationale: "Its kind is unknown, or it needs a function that the suite's revision does not have. Its result is unknown.",
	},
	caseFaulty: {
		ID: "C-003", Title: "a case fails because its fixture is wrong", Severity: finding.Info, Clause: clause,
		Rationale: "The fixture contradicts its specification, and is identified by its digest or its content. A corrected fixture is a new fixture.",
	},
}

// Finding returns the finding for a failed case, in the case's file.
func (c *Case) Finding() (f finding.Finding, ok bool) {
	about := "case " + c.ID
	if c.Name != "" {
		about += " (" + c.Name + ")"
	}
	switch {
	case c.Pass:
		return f, false
	case !c.Ran():
		f = rules[caseNotRun].New(about + " cannot be run")
	case c.KnownFault != "":
		f = rules[caseFaulty].New(about + " fails for a known fault of the fixture: " + c.KnownFault)
	default:
		f = rules[caseFails].New(about + " does not hold")
	}
	f.File, f.Line, f.Column = c.File, c.Line, c.Column
	if c.Ran() {
		f.Expected, f.Found = c.Expected, c.Got
	}
	return f, true
}
