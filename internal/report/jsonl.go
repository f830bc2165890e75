package report

import (
	"io"

	"github.com/cupel-dev/cupel/finding"
	"github.com/cupel-dev/cupel/internal/decided"
)

// jsonLines writes a finding or answer per line, then the summary.
type jsonLines struct {
	*sink
	schema   string
	bound    *Bound
	failures []string
}

func newJSONLines(w io.Writer, run Run, _ Options) Writer {
	return &jsonLines{sink: &sink{w: w}, schema: run.Schema, bound: run.Bound}
}

// section writes the lines of a separate report.
func (l *jsonLines) section(run Run) Writer {
	return noting{&jsonLines{sink: l.sink, schema: run.Schema, bound: run.Bound}, &l.failures}
}

func (l *jsonLines) line(v any) error {
	l.json(v)
	l.text("\n")
	return l.err
}

func (l *jsonLines) Finding(f finding.Finding) error { return l.line(f) }

// Answer writes findings not written yet, and totals.
func (l *jsonLines) Answer(a Answer) error {
	switch v := a.Value.(type) {
	case nil:
		return l.err
	case Briefer:
		return l.line(v.Brief())
	default:
		return l.line(v)
	}
}

func (l *jsonLines) Fail(message string) error {
	l.failures = append(l.failures, message)
	return l.err
}

func (l *jsonLines) Close(s Summary) error {
	last := struct {
		Schema  string   `json:"schema"`
		Status  string   `json:"status"`
		Errors  []string `json:"errors,omitempty"`
		Summary any      `json:"summary"`
		Version string   `json:"cupel_version,omitempty"`
		Options any      `json:"options,omitempty"`

		DecidedWith []decided.File `json:"decided_with,omitempty"`
	}{Schema: l.schema, Status: status(l.failures), Errors: l.failures, Summary: summaryOr(s), DecidedWith: s.DecidedWith}
	if l.bound != nil {
		last.Version, last.Options = l.bound.Version, l.bound.Options
	}
	return l.line(last)
}
