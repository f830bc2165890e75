package lint

import (
	"github.com/cupel-dev/cupel/evidence/bundle"
	"github.com/cupel-dev/cupel/finding"
)

// Report is the answer on one input.
type Report struct {
	Input string // the input's display name
	Kind  bundle.Kind

	// Integrity is the verdict of the verification; nil when none was made. Its findings
	// that are errors are among those below, its others are not.
	Integrity *bundle.Report

	Events int64 // events that were read

	// Findings stand in the order of the input: of an event, first what its verification
	// found, then what the linter did, by place. At most MaxFindings of the verification and
	// MaxFindings of the linter are kept; the counts are of all.
	Findings                []finding.Finding
	Errors, Warnings, Infos int
	Omitted                 int // of these, findings beyond the limit

	// Worst is of the omitted findings one that weighs most, without its message; nil when
	// there is none.
	Worst *finding.Finding
}

// Invalid says whether the input was verified and is not valid.
func (r *Report) Invalid() bool { return r.Integrity != nil && r.Integrity.Verdict == bundle.Invalid }

// add counts findings of a severity.
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
