package report

import (
	"errors"

	"github.com/cupel-dev/cupel/finding"
)

// Several writes a run to several writers: `--format text --format sarif=out.sarif`.
type Several []Writer

func (s Several) Finding(f finding.Finding) error {
	return s.each(func(w Writer) error { return w.Finding(f) })
}

func (s Several) Answer(a Answer) error {
	return s.each(func(w Writer) error { return w.Answer(a) })
}

func (s Several) Fail(message string) error {
	return s.each(func(w Writer) error { return w.Fail(message) })
}

// suppressedWriter is a Writer that shows suppressed findings and why.
type suppressedWriter interface {
	suppressed(f finding.Finding, why string) error
}

// Suppressed passes a finding that a configuration file suppresses to the writers that show such findings.
func (s Several) Suppressed(f finding.Finding, why string) error {
	return s.each(func(w Writer) error {
		if p, ok := w.(passage); ok {
			w = p.whole
		}
		if to, ok := w.(suppressedWriter); ok {
			return to.suppressed(f, why)
		}
		return nil
	})
}

// Close closes every writer, even if one fails.
func (s Several) Close(sum Summary) error {
	return s.each(func(w Writer) error { return w.Close(sum) })
}

func (s Several) each(do func(Writer) error) error {
	var errs []error
	for _, w := range s {
		if err := do(w); err != nil {
			errs = append(errs, err)
		}
	}
	if len(errs) == 1 {
		return errs[0] // a write error is permanent
	}
	return errors.Join(errs...)
}
