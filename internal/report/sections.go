package report

import (
	"errors"

	"github.com/cupel-dev/cupel/finding"
)

// A report may be made of those of several commands: each is a section of it. A format whose
// report of one command is something of its own (a document, a suite) has these in it, whole as
// the command's own run would write them; in the others the sections stand one after another.

// sectioned is a Writer of a format whose sections are something of their own.
type sectioned interface {
	// section begins the part that run reports. What it fails to answer, the whole does, too.
	section(run Run) Writer
}

// Section begins the part of a report that another command reports. It is to be closed with that
// command's summary, before anything else is written, and leaves the whole open.
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

// section is that of the writer behind it, with each rule written once, too.
func (e *everyRule) section(run Run) Writer {
	return &everyRule{Writer: released{sectionOf(e.Writer, run), e.release()}}
}

// released is a section before which something could not be written.
type released struct {
	Writer
	before error
}

// Close says that, too.
func (r released) Close(s Summary) error { return errors.Join(r.before, r.Writer.Close(s)) }

// passage is a section that is no part of its own: the whole takes what it says.
type passage struct{ whole Writer }

func (p passage) Finding(f finding.Finding) error { return p.whole.Finding(f) }
func (p passage) Answer(a Answer) error           { return p.whole.Answer(a) }
func (p passage) Fail(message string) error       { return p.whole.Fail(message) }
func (p passage) Close(Summary) error             { return nil }

// noting is a section that tells the whole why it could not answer.
type noting struct {
	Writer
	failures *[]string
}

func (n noting) Fail(message string) error {
	*n.failures = append(*n.failures, message)
	return n.Writer.Fail(message)
}
