package reasoning

import (
	"github.com/cupel-dev/cupel/trace/internal/reasoning/fault"
	"github.com/cupel-dev/cupel/trace/internal/reasoning/format"
	"github.com/cupel-dev/cupel/trace/internal/reasoning/plan"
	"github.com/cupel-dev/cupel/trace/internal/reasoning/rule"
)

// planID compares the header's plan and spec ids with those of the plan.
type planID struct {
	sink *fault.Sink
	plan *plan.Plan // or nil
}

func (p *planID) header(r *format.Record, h *format.Header) {
	if p.plan == nil {
		return
	}
	p.compare(r, rule.PlanIDMismatch, "plan_id", h.PlanID, p.plan.ID, "the trace was made for another plan than "+p.plan.Name())
	p.compare(r, rule.PlanSpecMismatch, "spec_id", h.SpecID, p.plan.SpecID, "the trace names another spec than "+p.plan.Name())
}

func (p *planID) compare(r *format.Record, id rule.ID, path string, stated format.Text, want, message string) {
	if want == "" || stated.Bytes == nil || stated.String() == want {
		return
	}
	f := p.sink.At(r.Line, id, path, stated.At, message)
	f.Expected, f.Found = want, stated.String()
	p.sink.Add(f)
}
