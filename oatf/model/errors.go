package model

import (
	"fmt"
	"strings"

	"github.com/cupel-dev/cupel/oatf/internal/rules"
)

// Position is a place in the source text. Lines and columns are 1-based, a column
// counts code points, the end is exclusive. The zero Position is "unknown": the
// document was not parsed, or was changed since.
type Position struct {
	Line      int
	Column    int
	EndLine   int
	EndColumn int
}

func (p Position) prefix() string {
	if p.Line == 0 {
		return ""
	}
	return fmt.Sprintf("line %d, column %d: ", p.Line, p.Column)
}

// OATFError is any error of Load: a *ParseError or a *ValidationError (§7.5).
type OATFError interface {
	error
	isOATFError()
}

// ParseError is a fault that keeps the text from being an OATF document (§7.1).
type ParseError struct {
	Kind    ParseErrorKind
	Message string
	Path    string // dot-path of the field; "" when there is none
	Position

	// Rule is the conformance rule that the fault breaks as well, such as "V-005"
	// for an unknown enum value; "" when there is none. Validate reports it.
	Rule string
	Help string // what to write instead; may be ""

	UnknownKey bool // the fault is a key that the format does not have
	Omitted    int  // the fault stands for as many others, which are not shown; mostly 0

	// Found is a misspelled word and Meant the one that is meant, or a scalar and how it is to be
	// written, with quotes or without; both are "" when nothing is close.
	Found, Meant string
}

// Error says where and what.
func (e *ParseError) Error() string {
	return e.prefix() + at(e.Path) + e.Message
}

func (*ParseError) isOATFError() {}

// ID returns the fault's id in reports: P-001 for syntax, P-002 for type_mismatch,
// P-003 for unknown_variant.
func (e *ParseError) ID() string {
	switch e.Kind {
	case ParseTypeMismatch:
		return rules.ShapeID
	case ParseUnknownVariant:
		return rules.MemberID
	}
	return rules.SyntaxID
}

// ParseErrors are all faults that Parse found, in the order of the source.
type ParseErrors []*ParseError

// Error tells the first fault and how many follow.
func (e ParseErrors) Error() string { return joined(e) }

// Unwrap gives errors.As and errors.Is every fault.
func (e ParseErrors) Unwrap() []error { return unwrapped(e) }

// ValidationError is a violation of a conformance rule (§7.2).
type ValidationError struct {
	Rule    string // "V-013"
	SpecRef string // the format specification's clause, "§5.7"
	Message string
	Path    string
	Position

	Help string // what to write instead; may be ""
}

// Error says where, what and by which rule.
func (e *ValidationError) Error() string {
	return e.prefix() + at(e.Path) + e.Message + " [" + e.Rule + "]"
}

func (*ValidationError) isOATFError() {}

// ValidationErrors are the violations of one document, in the order of the source.
type ValidationErrors []*ValidationError

// Error tells the first violation and how many follow.
func (e ValidationErrors) Error() string { return joined(e) }

// Unwrap gives errors.As and errors.Is every violation.
func (e ValidationErrors) Unwrap() []error { return unwrapped(e) }

// Diagnostic is a structured message that does not make a document invalid (§7.0).
type Diagnostic struct {
	Severity DiagnosticSeverity
	Code     string // "W-001"
	Path     string // "" when there is none
	Message  string
	Position

	Help string // what to do about it; may be ""
}

// String says where, what and by which code.
func (d Diagnostic) String() string {
	return d.prefix() + at(d.Path) + d.Message + " [" + d.Code + "]"
}

// ValidationResult is the answer of Validate (§3.2): the document conforms when
// Errors is empty, whatever the warnings.
type ValidationResult struct {
	Errors   ValidationErrors
	Warnings []Diagnostic
}

// Valid says whether the document conforms.
func (r *ValidationResult) Valid() bool { return len(r.Errors) == 0 }

func at(path string) string {
	if path == "" {
		return ""
	}
	return path + ": "
}

func joined[E error](list []E) string {
	switch len(list) {
	case 0:
		return "no errors"
	case 1:
		return list[0].Error()
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s (and %d more)", list[0].Error(), len(list)-1)
	return b.String()
}

func unwrapped[E error](list []E) []error {
	out := make([]error, len(list))
	for i, e := range list {
		out[i] = e
	}
	return out
}
