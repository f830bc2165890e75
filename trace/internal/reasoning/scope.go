package reasoning

import (
	"github.com/cupel-dev/cupel/trace/internal/reasoning/format"
	"github.com/cupel-dev/cupel/trace/internal/reasoning/plan"
)

// scopeState records content that cannot be verified. It processes every line, even of rejected traces, so that the
// result does not depend on when a rejection is noticed.
type scopeState struct {
	Spec     bool `json:"spec"`     // the header names a spec
	Evidence bool `json:"evidence"` // there is evidence
	Named    bool `json:"named"`    // calls, evidence or claims have ids
}

func (s *scopeState) take(b *format.Block) {
	for i := range b.Records {
		switch r := &b.Records[i]; r.Role {
		case format.IsHeader:
			s.Spec = s.Spec || b.Header(r).SpecID.Bytes != nil
		case format.IsEvent:
			s.event(b.Event(r))
		}
	}
}

func (s *scopeState) event(e *format.Event) {
	s.Evidence = s.Evidence || e.Kind == format.EvidenceRegistered
	switch e.Kind {
	case format.ToolCalled, format.EvidenceRegistered, format.ClaimEmitted:
		s.Named = s.Named || e.ID.Bytes != nil
	}
}

// add merges the state of later lines.
func (s *scopeState) add(t scopeState) {
	s.Spec, s.Evidence, s.Named = s.Spec || t.Spec, s.Evidence || t.Evidence, s.Named || t.Named
}

// notCovered returns the limitations, given the plan.
func (s *scopeState) notCovered(against *plan.Plan) (list []string) {
	switch {
	case !s.Spec:
	case against == nil || against.SpecID == "":
		list = append(list, "the spec, which no plan names: the header's spec_id is not compared with anything")
	default:
		list = append(list, "the spec: the header's spec_id is compared only with the plan's")
	}
	if s.Evidence {
		list = append(list, "the origin of evidence: its uri is not opened, so the bytes are not compared with the source")
	}
	if s.Named {
		list = append(list, "ids of calls, evidence and claims: they are compared with each other, not recomputed, because the format does not define how")
	}
	return list
}
