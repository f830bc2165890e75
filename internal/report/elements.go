package report

import (
	"errors"

	"github.com/cupel-dev/cupel/finding"
)

// expander is the detail of a finding that may stand for several: one fault that breaks
// more than one rule.
type expander interface {
	// Elements are the finding itself and one for each other rule.
	Elements(f finding.Finding) []finding.Finding
}

// Elements lists every rule that the findings of one input break as a finding of its
// own, in order.
func Elements(list []finding.Finding) []finding.Finding {
	var all []finding.Finding
	for _, f := range list {
		if x, ok := f.Detail.(expander); ok {
			all = append(all, x.Elements(f)...)
			continue
		}
		all = append(all, f)
	}
	return finding.Sort(all)
}

// everyRule writes each rule that a finding breaks as a finding of its own. It holds back
// the findings of one place, whose elements have an order among themselves.
type everyRule struct {
	Writer
	held []finding.Finding
}

func (e *everyRule) Finding(f finding.Finding) error {
	if _, ok := f.Detail.(expander); !ok {
		if err := e.release(); err != nil {
			return err
		}
		return e.Writer.Finding(f)
	}
	if len(e.held) > 0 && !samePlace(e.held[0], f) {
		if err := e.release(); err != nil {
			return err
		}
	}
	e.held = append(e.held, f)
	return nil
}

func samePlace(a, b finding.Finding) bool {
	return a.File == b.File && a.Line == b.Line && a.Column == b.Column
}

// release writes what was held back.
func (e *everyRule) release() error {
	held := e.held
	e.held = e.held[:0]
	for _, f := range Elements(held) {
		if err := e.Writer.Finding(f); err != nil {
			return err
		}
	}
	return nil
}

func (e *everyRule) Answer(a Answer) error {
	if err := e.release(); err != nil {
		return err
	}
	return e.Writer.Answer(a)
}

func (e *everyRule) Fail(message string) error {
	if err := e.release(); err != nil {
		return err
	}
	return e.Writer.Fail(message)
}

func (e *everyRule) Close(s Summary) error {
	return errors.Join(e.release(), e.Writer.Close(s))
}
