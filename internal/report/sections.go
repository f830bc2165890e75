package report

import (
	"errors"

	"github.com/cupel-dev/cupel/finding"
)

// A report can consist of several commands' reports, its sections. Formats with self-contained
// reports (documents, suites) embed them; others write the sections one after another.

// sectioned is a Writer that embeds sections.
type sectioned interface {
	// section starts run's section. Its failures are also failures of the whole.
	section(run Run) Writer
}

// Section starts another command's section. Close it with that command's summary before writing
// anything else; the whole stays open.
func (s Several) Section(run Run) Several {
	parts := make(Several, len(s))
	for i, w := range s {
		parts[i] = sectionOf(w, run)
	}
	return parts
}

func sectionOf(w Writer, run Run) Writer {
	if whole, ok := w.(sectioned); ok {
		return whole.section(run)
	}
	return passage{w}
}

// section wraps the underlying writer's section in everyRule.
func (e *everyRule) section(run Run) Writer {
	return &everyRule{Writer: failedSection{sectionOf(e.Writer, run), e.release()}}
}

// failedSection is a section after a write error.
type failedSection struct {
	Writer
	before error
}

func (r failedSection) Close(s Summary) error { return errors.Join(r.before, r.Writer.Close(s)) }

// passage is a section whose content goes to the whole.
type passage struct{ whole Writer }

func (p passage) Finding(f finding.Finding) error { return p.whole.Finding(f) }
func (p passage) Answer(a Answer) error           { return p.whole.Answer(a) }
func (p passage) Fail(message string) error       { return p.whole.Fail(message) }
func (p passage) Close(Summary) error             { return nil }

// failureNoter is a section that passes failures to the whole.
type failureNoter struct {
	Writer
	failures *[]string
}

func (n failureNoter) Fail(message string) error {
	*n.failures = append(*n.failures, message)
	return n.Writer.Fail(message)
}
