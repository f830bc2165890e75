package reasoning

import (
	"fmt"
	"slices"

	"github.com/cupel-dev/cupel/trace/internal/reasoning/fault"
	"github.com/cupel-dev/cupel/trace/internal/reasoning/format"
	"github.com/cupel-dev/cupel/trace/internal/reasoning/rule"
)

// claims checks the supports of claims and links between claims.
type claims struct {
	sink  *fault.Sink
	held  int // citations that are held in full while their claim has not come
	state *claimsState
}

type claimsState struct {
	Claims map[uint64]struct{} `json:"claims,omitempty"` // by key of the claim id
	Cited  fault.Pending       `json:"cited"`            // citations of claims that have not come
}

func newClaims(sink *fault.Sink, held int, state *claimsState) *claims {
	if state.Claims == nil {
		state.Claims = map[uint64]struct{}{}
	}
	return &claims{sink, held, state}
}

func (p *claims) IDs() int { return len(p.state.Claims) + p.state.Cited.Count }

func (p *claims) Take(e *format.Event) {
	for i := range e.Listed {
		p.listed(e, &e.Listed[i])
	}
	if e.Kind != format.ClaimEmitted {
		return
	}
	for i := range e.Claim.Cited {
		p.cited(e, &e.Claim.Cited[i])
	}
	if e.Claim.Derived {
		p.checkDerived(e)
	}
	if e.ID.Bytes == nil {
		return
	}
	p.state.Cited.Came(p.sink, e.ID.Key, fault.Verdict{Rule: rule.RefClaimLater, Message: "claim %q comes after the claim that cites it"})
	p.state.Claims[e.ID.Key] = struct{}{}
}

// cited checks that a cited claim was made before.
func (p *claims) cited(e *format.Event, s *format.Support) {
	if s.Target != format.CitesClaim {
		return
	}
	if _, known := p.state.Claims[s.Ref.Key]; !known {
		p.state.Cited.Wait(p.sink, s.Ref.Key, p.held, &e.Where, s.Path(p.sink, "ref_id"), s.RefAt(), s.Ref.Bytes)
	}
}

// listed checks that a claim listed in a step's output was made before.
func (p *claims) listed(e *format.Event, l *format.Listed) {
	if l.Target != format.CitesClaim {
		return
	}
	if _, known := p.state.Claims[l.Key]; !known {
		p.sink.Event(&e.Where, rule.RefOutputUnknown, l.Path(p.sink), l.At, fmt.Sprintf("the output names claim %q, which is not made before it", fault.Preview(l.Bytes)))
	}
}

// checkDerived checks the rules for derived claims: they must cite something, and markers in their text must name
// bytes.
func (p *claims) checkDerived(e *format.Event) {
	c := &e.Claim
	grounded := slices.ContainsFunc(c.Supports, func(s format.Support) bool { return s.Target == format.CitesEvidence })
	switch {
	case len(c.Supports) == 0:
		p.sink.Event(&e.Where, rule.ClaimNoSupports, p.sink.Path("claim.supports"), c.SupportsAt, "a derived claim has no supports")
	case !grounded:
		p.sink.Event(&e.Where, rule.ClaimUngrounded, p.sink.Path("claim.supports"), c.SupportsAt, "a derived claim rests on claims and calls alone")
	}
	for _, m := range c.Loose {
		p.looseMarker(e, m)
	}
	if grounded && !c.Marked && c.Statement.Bytes != nil {
		p.sink.Event(&e.Where, rule.MarkerAbsent, p.sink.Path("claim.statement"), c.Statement.At, "the statement cites its evidence without markers")
	}
}

// looseMarker reports a marker without bytes.
func (p *claims) looseMarker(e *format.Event, m format.Marker) {
	id, wrong := rule.MarkerAbsent, "is not of the form [evidence:ID:START-END:SHA256]"
	if m.Lacks != "" {
		id, wrong = rule.MarkerLegacy, "has "+m.Lacks
	}
	p.sink.Event(&e.Where, id, p.sink.Path("claim.statement"), m.At, fmt.Sprintf("marker %q %s", fault.Preview(m.Text), wrong))
}

// Finish reports citations of claims that never came.
func (p *claims) Finish() error {
	p.state.Cited.Never(p.sink, fault.Verdict{Rule: rule.RefClaimUnknown, Message: "the support cites claim %q, which is never made"})
	return nil
}
