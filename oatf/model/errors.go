package model

import (
	"fmt"
	"strings"

	"github.com/cupel-dev/cupel/oatf/internal/rules"
)

// Position is a range in the source. Lines and columns count from 1, columns in code points. The end is exclusive.
// Zero means unknown: the document was not parsed, or was changed.
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
	Path    string // dot-path of the field, or ""
	Position

	// Rule is the conformance rule that the fault also breaks, such as "V-005" for an unknown enum value, or "".
	// Validate reports it.
	Rule string
	Help string // suggested replacement, or ""

	UnknownKey bool // the fault is a key that the format does not have
	Omitted    int  // number of other omitted faults that this one represents, usually 0

	// Found and Meant are a misspelled word and its correction, or a scalar and its correct quoting. Both are ""
	// without a suggestion.
	Found, Meant string
}

// Error returns the position and the message.
func (e *ParseError) Error() string {
	return e.prefix() + at(e.Path) + e.Message
}

func (*ParseError) isOATFError() {}

// ID returns the fault's id in reports: P-001 for syntax, P-002 for type_mismatch, P-003 for unknown_variant.
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

// Error returns the first fault and the number of others.
func (e ParseErrors) Error() string { return joined(e) }

// Unwrap returns every fault for errors.As and errors.Is.
func (e ParseErrors) Unwrap() []error { return unwrapped(e) }

// ValidationError is a violation of a conformance rule (§7.2).
type ValidationError struct {
	Rule    string // "V-013"
	SpecRef string // the format specification's clause, "§5.7"
	Message string
	Path    string
	Position

	Help string // suggested replacement, or ""
}

// Error returns position, message and rule.
func (e *ValidationError) Error() string {
	return e.prefix() + at(e.Path) + e.Message + " [" + e.Rule + "]"
}

func (*ValidationError) isOATFError() {}

// ValidationErrors are the violations of one document in source order.
type ValidationErrors []*ValidationError

// Error returns the first violation and the number of others.
func (e ValidationErrors) Error() string { return joined(e) }

// Unwrap returns every violation for errors.As and errors.Is.
func (e ValidationErrors) Unwrap() []error { return unwrapped(e) }

// Diagnostic is a message about a valid document (§7.0).
type Diagnostic struct {
	Severity DiagnosticSeverity
	Code     string // "W-001"
	Path     string // or ""
	Message  string
	Position

	Help string // suggestion, or ""
}

// String returns position, message and code.
func (d Diagnostic) String() string {
	return d.prefix() + at(d.Path) + d.Message + " [" + d.Code + "]"
}

// ValidationResult is the result of Validate (§3.2). The document conforms if Errors is empty, even with warnings.
type ValidationResult struct {
	Errors   ValidationErrors
	Warnings []Diagnostic
}

// Valid reports whether the document conforms.
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
