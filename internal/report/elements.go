package report

import (
	"errors"

	"github.com/cupel-dev/cupel/finding"
)

// expander is the detail of a finding that violates several rules.
type expander interface {
	// Elements returns the finding, followed by one per other rule.
	Elements(f finding.Finding) []finding.Finding
}

// Elements expands the findings of an input to one per violated rule, in order.
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

// everyRule writes a finding per violated rule. It buffers the findings at a position, to sort them.
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
