package report

import (
	"errors"

	"github.com/cupel-dev/cupel/finding"
)

// A report can contain reports of several commands, its sections. Formats with self-contained reports (documents,
// suites) embed them; others write the sections one after another.

type sectioned interface {
	// section starts the section of a run. Its failures are also failures of the whole.
	section(run Run) Writer
}

// Section starts another command's section. Close it with that command's summary before writing anything else.
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

func (e *everyRule) section(run Run) Writer {
	return &everyRule{Writer: failedSection{sectionOf(e.Writer, run), e.release()}}
}

type failedSection struct {
	Writer
	before error
}

func (r failedSection) Close(s Summary) error { return errors.Join(r.before, r.Writer.Close(s)) }

// passage is a section whose content goes to the whole report.
type passage struct{ whole Writer }

func (p passage) Finding(f finding.Finding) error { return p.whole.Finding(f) }
func (p passage) Answer(a Answer) error           { return p.whole.Answer(a) }
func (p passage) Fail(message string) error       { return p.whole.Fail(message) }
func (p passage) Close(Summary) error             { return nil }

// failureNoter is a section that passes failures to the whole report.
type failureNoter struct {
	Writer
	failures *[]string
}

func (n failureNoter) Fail(message string) error {
	*n.failures = append(*n.failures, message)
	return n.Writer.Fail(message)
}
