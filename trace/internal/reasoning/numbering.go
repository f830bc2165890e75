package reasoning

import (
	"fmt"

	"github.com/cupel-dev/cupel/finding"
	"github.com/cupel-dev/cupel/trace/internal/reasoning/fault"
	"github.com/cupel-dev/cupel/trace/internal/reasoning/format"
	"github.com/cupel-dev/cupel/trace/internal/reasoning/rule"
)

// numbering checks that idx is strictly increasing, starting at 0.
type numbering struct {
	sink       *fault.Sink
	contiguous bool // a gap is an error
	state      *numberingState
}

type numberingState struct {
	Any  bool  `json:"any"`  // there was an event
	Last int64 `json:"last"` // the highest idx so far
}

func (p *numbering) Take(e *format.Event) {
	last := p.last()
	switch {
	case e.Idx < 0:
		p.sink.Event(&e.Where, rule.OrderIdxNegative, p.sink.Path("idx"), e.IdxAt, fmt.Sprintf("idx %d is negative", e.Idx))
		return
	case e.Idx <= last:
		p.sink.Event(&e.Where, rule.OrderIdxNotIncreasing, p.sink.Path("idx"), e.IdxAt, fmt.Sprintf("idx %d does not increase", e.Idx),
			fault.Compared(fmt.Sprintf("more than %d", last), fmt.Sprint(e.Idx)))
		return
	case e.Idx != last+1:
		p.gap(e, last)
	}
	p.state.Any, p.state.Last = true, e.Idx
}

// last returns the highest idx so far, -1 before the first.
func (p *numbering) last() int64 {
	if !p.state.Any {
		return -1
	}
	return p.state.Last
}

func (p *numbering) gap(e *format.Event, last int64) {
	severity := rule.OrderIdxGap.Severity()
	if p.contiguous {
		severity = finding.Error
	}
	if p.sink.Spare(severity, e.Line, e.IdxAt) {
		return
	}
	f := p.sink.Finding(&e.Where, rule.OrderIdxGap, p.sink.Path("idx"), e.IdxAt, fmt.Sprintf("idx jumps from %d to %d", last, e.Idx))
	f.Severity = severity
	if last < 0 {
		f.Message = fmt.Sprintf("idx starts at %d, not at 0", e.Idx)
	}
	f.Expected, f.Found = fmt.Sprint(last+1), fmt.Sprint(e.Idx)
	f.Notes = []string{"an event may have been removed here"}
	p.sink.Add(f)
}

func (p *numbering) Finish() error { return nil }
