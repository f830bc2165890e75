package reasoning

import (
	"github.com/cupel-dev/cupel/trace/internal/reasoning/format"
	"github.com/cupel-dev/cupel/trace/internal/reasoning/plan"
)

// scope remembers what the trace holds that nobody can check. It takes every line, those
// of a rejected trace too: where a rejection is noticed must not tell.
type scope struct{ state *scopeState }

type scopeState struct {
	Spec     bool `json:"spec"`     // the header names a spec
	Evidence bool `json:"evidence"` // there is evidence
	Named    bool `json:"named"`    // calls, evidence or claims have ids
}

func (p *scope) header(h *format.Header) {
	p.state.Spec = p.state.Spec || h.SpecID.Bytes != nil
}

func (p *scope) event(e *format.Event) {
	p.state.Evidence = p.state.Evidence || e.Kind == format.EvidenceRegistered
	switch e.Kind {
	case format.ToolCalled, format.EvidenceRegistered, format.ClaimEmitted:
		p.state.Named = p.state.Named || e.ID.Bytes != nil
	}
}

// notCovered says what of it a verdict under such a plan leaves open.
func (p *scope) notCovered(against *plan.Plan) (list []string) {
	switch {
	case !p.state.Spec:
	case against == nil || against.SpecID == "":
		list = append(list, "the spec, which no plan names: the header's spec_id is compared with nothing; only who has the spec can tell")
	default:
		list = append(list, "the spec: the header's spec_id is compared with the plan's alone; only who has the spec can tell more")
	}
	if p.state.Evidence {
		list = append(list, "where evidence comes from: its uri is not opened; only who has the source can compare it with the bytes")
	}
	if p.state.Named {
		list = append(list, "ids of calls, evidence and claims: they are compared with each other, and not made again from what they name, since the format does not say how; who knows their writer's way can do it")
	}
	return list
}
