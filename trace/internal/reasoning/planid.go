package reasoning

import (
	"github.com/cupel-dev/cupel/trace/internal/reasoning/fault"
	"github.com/cupel-dev/cupel/trace/internal/reasoning/format"
	"github.com/cupel-dev/cupel/trace/internal/reasoning/plan"
	"github.com/cupel-dev/cupel/trace/internal/reasoning/rule"
)

// planID compares the plan that the header names with the one that is there.
type planID struct {
	sink *fault.Sink
	plan *plan.Plan // nil: there is none
}

func (p *planID) header(r *format.Record, h *format.Header) {
	if p.plan == nil || p.plan.ID == "" || h.PlanID.Bytes == nil || h.PlanID.String() == p.plan.ID {
		return
	}
	f := fault.At(r.Line, rule.PlanIDMismatch, "plan_id", h.PlanID.At, "the trace was made for another plan than "+p.plan.Name())
	f.Expected, f.Found = p.plan.ID, h.PlanID.String()
	p.sink.Add(f)
}
