package reasoning

import (
	"github.com/cupel-dev/cupel/trace/internal/reasoning/fault"
	"github.com/cupel-dev/cupel/trace/internal/reasoning/format"
	"github.com/cupel-dev/cupel/trace/internal/reasoning/plan"
	"github.com/cupel-dev/cupel/trace/internal/reasoning/rule"
)

// coverage reports, at the end, what could not be checked.
type coverage struct {
	sink      *fault.Sink
	noPlan    bool // none was given
	emptyPlan bool // the given plan is unusable, or has no steps
	noBytes   bool // evidence is not read
	state     *coverageState
}

type coverageState struct {
	Events bool `json:"events"` // there was an event
	Bytes  bool `json:"bytes"`  // an event spoke of evidence, or cited something
}

func (p *coverage) Take(e *format.Event) {
	p.state.Events = true
	if e.Kind == format.EvidenceRegistered || len(e.Claim.Supports) > 0 {
		p.state.Bytes = true
	}
}

func (p *coverage) Finish() error {
	if p.noPlan {
		p.sink.Note(rule.PlanAbsent, "no plan: the order of steps is checked by idx alone")
	}
	if p.noBytes && p.state.Bytes {
		p.sink.Note(rule.EvidenceUnchecked, "evidence bytes were not read: hashes and spans are checked in form only")
	}
	if !p.state.Events && p.emptyPlan {
		p.sink.Note(rule.TraceNoEvents, "the trace has no events")
	}
	return nil
}

func notCovered(evidence Files, p *plan.Plan) []string {
	list := []string{
		"who wrote the trace, and that nobody rewrote all of it: the format has no signature; keep the file's SHA-256 elsewhere and pass it with --expect-sha256",
		"that a claim follows from the bytes it cites",
		"lifecycle, verifier policies and replay, which the format leaves to other documents",
	}
	if evidence == nil {
		list = append(list, "the evidence bytes: hashes and spans were not compared with them")
	}
	if p == nil {
		list = append(list, "the order of steps against a plan")
	}
	return list
}
