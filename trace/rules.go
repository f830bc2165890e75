package trace

import (
	"slices"

	"github.com/cupel-dev/cupel/internal/finding"
	"github.com/cupel-dev/cupel/trace/reasoning"
	"github.com/cupel-dev/cupel/trace/session"
	"github.com/cupel-dev/cupel/trace/stream"
)

// Rule is one row of the rule table.
type Rule = finding.Rule

// Rules returns the rules of every family, in the order of the documentation. A code
// that several families share appears once.
func Rules() []Rule {
	rules := append([]Rule{
		{ID: "envelope.unknown", Title: "the first record belongs to no known family", Severity: finding.Error, Class: "rejected",
			Clause:    "family detection",
			Rationale: "The members of the first record tell reasoning traces and session logs apart. A log of another kind is not silently passed."},
		{ID: "anchor.sha256", Title: "the file's digest is not the expected one", Severity: finding.Error, Class: "invalid",
			Clause:    "--expect-sha256",
			Rationale: "A trace carries no signature: whoever rewrites it can renew every hash in it. Only a digest kept elsewhere shows that.",
			Flags:     "--expect-sha256"},
		{ID: "anchor.prefix", Title: "the file does not begin as it did", Severity: finding.Error, Class: "invalid",
			Clause:    "--anchor, --state",
			Rationale: "A log only grows: the bytes that an anchor or a state knows must still be its beginning. Where they are not, the log was cut, replaced or rewritten.",
			Flags:     "--anchor --state"},
	}, stream.Rules()...)
	return withExamples(slices.Concat(rules, reasoning.Rules(), session.Rules()))
}
