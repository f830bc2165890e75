package redact

import (
	"io"

	"github.com/cupel-dev/cupel/evidence/bundle"
	"github.com/cupel-dev/cupel/evidence/privacy"
	"github.com/cupel-dev/cupel/finding"
)

func (s *Summary) count(c *Change) {
	switch {
	case c.Reported:
		s.Reported++
	case c.Action == "removed":
		s.Dropped++
	case c.Action == "replaced":
		s.Replaced++
	case c.Action == "generalized":
		s.Generalized++
	default:
		s.Cut++
	}
}

func notCovered(p *privacy.Policy, kind bundle.Kind) []string {
	list := p.NotCovered()
	switch kind {
	case bundle.KindBundle:
		return append(list, "earlier attestations and proofs, which cover the original, not this bundle")
	default:
		return append(list, "whether only the listed events were changed: anyone with the original can check that")
	}
}

// faultsIn returns the findings about a file that are errors.
func faultsIn(name string, list []finding.Finding) (errors []finding.Finding) {
	for _, f := range list {
		if f.Severity == finding.Error {
			f.File = name
			errors = append(errors, f)
		}
	}
	return errors
}

// Writer writes a report as a cupel.redaction/1 document while events arrive, to save memory. Use Event as
// Options.OnEvent.
//
//	w := redact.NewWriter(file)
//	opt.OnEvent = w.Event
//	report, err := redact.Redact(…, opt)
//	err = w.Close(report)
type Writer struct{ list listWriter }

// NewWriter returns a writer of one document.
func NewWriter(w io.Writer) *Writer { return &Writer{listWriter{w: w, schema: Schema}} }

// Event writes the next event.
func (w *Writer) Event(e *Event) error {
	head := struct {
		*Event
		Changes int `json:"changes,omitempty"` // are written one by one
	}{Event: e}
	_ = w.list.begin(head, "changes") // end has its error
	for i := range e.Changes {
		_ = w.list.add(&e.Changes[i])
	}
	return w.list.end()
}

// Close completes the document without closing the writer.
func (w *Writer) Close(r *Report) error {
	for i := range r.Events {
		if err := w.Event(&r.Events[i]); err != nil {
			return err
		}
	}
	return w.list.close(struct {
		*Report
		Schema int `json:"schema,omitempty"` // is written already
		Events int `json:"events,omitempty"` // …
	}{Report: r})
}
