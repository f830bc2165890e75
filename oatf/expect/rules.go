package expect

import (
	"fmt"
	"slices"

	"github.com/cupel-dev/cupel/finding"
)

// Rules returns the rules of findings about the tests of documents.
func Rules() []finding.Rule { return slices.Clone(rules) }

// rule is an index into the rule table.
type rule uint8

const (
	otherVerdict rule = iota
	neverMatched
	noTests
)

const clause = "Tests of documents (docs/oatf-tests.md)"

var rules = finding.Table{
	otherVerdict: {
		ID: "T-001", Title: "the verdict on a capture is not the expected one", Severity: finding.Error, Class: "test failed", Clause: clause,
		Rationale: "The tests of a document name captures that it must and must not match. An indicator that misses an attack, or finds one in an ordinary run, misleads everyone who uses the document.",
	},
	neverMatched: {
		ID: "T-002", Title: "no test shows that the indicator can match", Severity: finding.Warning, Clause: clause,
		Rationale: "An indicator that does not match any capture of an attack may be unable to match. Only a capture in which it matches shows that its surface, target and condition fit real messages.",
	},
	noTests: {
		ID: "T-003", Title: "the document has no tests", Severity: finding.Warning, Clause: clause,
		Rationale: "Without captures that a document must and must not match, nobody knows what a change to it breaks.",
	},
}

// Finding returns the finding for an unexpected verdict on a capture. The file is the test file.
func (c *Case) Finding(capture, found string) finding.Finding {
	f := rules[otherVerdict].New(fmt.Sprintf("the verdict on %s is not the expected one", capture))
	f.Line, f.Column, f.Expected, f.Found = c.Capture.Line, c.Capture.Column, c.Expected(), found
	return f
}

// Finding returns the finding for an indicator that matched in no capture of an attack; some is false if it did.
// The position is the indicator's.
func (c *Covered) Finding() (f finding.Finding, some bool) {
	if c.Attacks > 0 {
		return f, false
	}
	f = rules[neverMatched].New(fmt.Sprintf("%s does not match any capture of an attack", c.ID))
	f.Help = "add a capture of an attack that it matches, or fix the indicator: `cupel oatf eval --explain-selection` shows the messages it examines"
	return f, true
}

// Untested returns the finding of a document without a test file; name is the missing file's name.
func Untested(name string) finding.Finding {
	f := rules[noTests].New("the document has no tests: there is no " + name)
	f.Help = "list captures under attack and benign in that file; `cupel help oatf-tests` shows an example"
	return f
}
