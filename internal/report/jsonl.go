package report

import (
	"io"
	"strings"

	"github.com/cupel-dev/cupel/finding"
	"github.com/cupel-dev/cupel/internal/decided"
)

// jsonLines writes a finding or answer per line, then the summary. The first member of each line is its type.
type jsonLines struct {
	*sink
	schema   string
	bound    *Bound
	failures []string
}

func newJSONLines(w io.Writer, run Run, _ Options) Writer {
	return &jsonLines{sink: &sink{w: w}, schema: run.Schema, bound: run.Bound}
}

// section returns the writer for another command's part.
func (l *jsonLines) section(run Run) Writer {
	return failureNoter{&jsonLines{sink: l.sink, schema: run.Schema, bound: run.Bound}, &l.failures}
}

func (l *jsonLines) line(kind string, v any) error {
	to := l.w
	l.w = &typedWriter{Writer: to, kind: kind}
	l.json(v)
	l.w = to
	l.text("\n")
	return l.err
}

// typedWriter inserts the member "type" after the first brace of an object.
type typedWriter struct {
	io.Writer
	kind string // "" after the brace
}

func (t *typedWriter) Write(p []byte) (int, error) {
	if t.kind == "" || len(p) == 0 {
		return t.Writer.Write(p)
	}
	lead := `{"type":"` + t.kind + `",`
	t.kind = ""
	if _, err := io.WriteString(t.Writer, lead); err != nil {
		return 0, err
	}
	n, err := t.Writer.Write(p[1:])
	return n + 1, err
}

func lineType(list string) string {
	if stem, ok := strings.CutSuffix(list, "ies"); ok {
		return stem + "y"
	}
	return strings.TrimSuffix(list, "s")
}

func (l *jsonLines) Finding(f finding.Finding) error { return l.line("finding", f) }

// Answer writes findings that are not written yet, and totals.
func (l *jsonLines) Answer(a Answer) error {
	kind := a.Type
	if kind == "" {
		kind = lineType(a.List)
	}
	switch v := a.Value.(type) {
	case nil:
		return l.err
	case Briefer:
		return l.line(kind, v.Brief())
	default:
		return l.line(kind, v)
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
	return l.line("summary", last)
}
