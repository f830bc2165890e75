package evidence

import (
	"slices"
	"sync/atomic"

	"github.com/cupel-dev/cupel/finding"
	"github.com/cupel-dev/cupel/internal/strictjson"
)

// findings collects the findings of consecutive events, up to a limit.
type findings struct {
	severities [ruleCount]finding.Severity // of the rules, under the options
	room       int                         // findings that may still be kept; below zero: all
	spent      *atomic.Bool                // set when the input's limit is reached; can be nil

	place  place // of the current event
	counts Counts
	list   []Finding
}

func newFindings(opt Options) findings {
	f := findings{room: opt.MaxFindings}
	for i, r := range rules {
		f.severities[i] = r.Severity
	}
	f.raise(ruleMismatch, opt.Check)
	f.raise(ruleAssumed, opt.Strict)
	f.raise(ruleUnsafe, opt.ExactIntegers)
	f.raise(ruleOutside, opt.EnvelopeDigest)
	return f
}

// raise makes a rule an error if wanted.
func (f *findings) raise(r rule, wanted bool) {
	if wanted {
		f.severities[r] = finding.Error
	}
}

func (f *findings) begin(at place) {
	f.place, f.counts, f.list = at, Counts{}, nil
}

// end returns the event's findings in order of position, and their counts.
func (f *findings) end() (Counts, []Finding) {
	if len(f.list) > 1 {
		slices.SortStableFunc(f.list, finding.Compare)
	}
	return f.counts, f.list
}

// at adds a finding at a value. It returns nil if the finding is only counted.
func (f *findings) at(e *Event, v strictjson.Node, r rule, path, message string) *Finding {
	kept := f.note(r, path, message)
	if kept != nil {
		e.locate(kept, v)
	}
	return kept
}

func (f *findings) refuse(fault *strictjson.Error) {
	r, message := refusalRule(fault)
	if kept := f.note(r, fault.Pointer, message); kept != nil {
		f.place.locate(kept, fault.Offset, fault.Offset)
		kept.Help = refusalAdvice(fault, f.place.text)
	}
}

// full reports whether the limit is reached.
func (f *findings) full() bool { return f.room == 0 || f.spent != nil && f.spent.Load() }

// omit counts a finding that is not kept.
func (f *findings) omit(r rule) {
	f.counts.add(f.severities[r])
	f.counts.Omitted++
}

func (f *findings) note(r rule, path, message string) *Finding {
	if f.room == 0 {
		f.omit(r)
		return nil
	}
	f.counts.add(f.severities[r])
	f.room--
	kept := rules[r].New(message)
	kept.Severity, kept.Path = f.severities[r], path
	f.list = append(f.list, kept)
	return &f.list[len(f.list)-1]
}
