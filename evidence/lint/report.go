package lint

import (
	"github.com/cupel-dev/cupel/evidence/bundle"
	"github.com/cupel-dev/cupel/finding"
)

// Report is the result for one input.
type Report struct {
	Input string // the input's display name
	Kind  bundle.Kind

	// Integrity is the verification's verdict, or nil. Its errors are also in Findings.
	Integrity *bundle.Report

	Events int64 // events that were read

	// Findings are in input order: for each event the verification's, then the linter's by position. At most
	// MaxFindings of each are kept; counts include all.
	Findings                []finding.Finding
	Errors, Warnings, Infos int
	Omitted                 int // of these, findings beyond the limit

	// Worst is one of the most severe omitted findings, without its message, or nil.
	Worst *finding.Finding
}

// Invalid reports whether the input was verified and is not valid.
func (r *Report) Invalid() bool { return r.Integrity != nil && r.Integrity.Verdict == bundle.Invalid }

func (r *Report) add(s finding.Severity, n int) {
	switch s {
	case finding.Error:
		r.Errors += n
	case finding.Warning:
		r.Warnings += n
	default:
		r.Infos += n
	}
}

// omit counts findings that are not kept.
func (r *Report) omit(rule string, s finding.Severity, n int) {
	r.add(s, n)
	r.Omitted += n
	if n > 0 && (r.Worst == nil || s > r.Worst.Severity) {
		r.Worst = &finding.Finding{Rule: rule, Severity: s, File: r.Input}
	}
}
