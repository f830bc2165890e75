package session

// startRule checks that a log starts with SESSION_START.
type startRule struct{ out *reporter }

func (p *startRule) take(e *event) {
	if e.nth == 1 && e.kind != sessionStart {
		p.out.fault(e, remark{
			rule: ruleSessionStart, at: typeName, message: "the log does not open with SESSION_START",
			expected: "SESSION_START", quote: func(m *remark) { m.found = e.stringOf(typeName) },
		})
	}
}

// course records which event types occurred. In an ordered envelope it checks for a single SESSION_START and an
// end.
type course struct {
	courseState
	ordered bool
	out     *reporter
}

type courseState struct {
	Seen   uint32 // event types that occurred, as bits
	Starts int    // of SESSION_START
}

func (p *course) take(e *event) {
	p.Seen |= 1 << e.kind
	if e.kind != sessionStart {
		return
	}
	if p.Starts++; p.Starts == 2 && p.ordered {
		p.out.fault(e, remark{rule: ruleSessionStart, at: typeName, cause: e.cause, message: "a second SESSION_START"})
	}
}

func (p *course) saw(t eventType) bool { return p.Seen&(1<<t) != 0 }

// tellEnd calls to once the log has an end.
func (p *course) tellEnd(to func(sealed bool)) {
	if sealed := p.saw(chainSeal); to != nil && (sealed || p.saw(sessionEnd)) {
		to(sealed)
	}
}

// finish reports a log without an end. A seal is unsigned: in a signed log it counts as the end only if its HMAC
// was checked, because anyone could truncate the log and add a seal.
func (p *course) finish(signed bool) {
	switch {
	case !p.ordered, p.saw(sessionEnd):
	case !p.saw(chainSeal):
		p.out.unmet(rules[ruleUnfinished].New("the log has neither SESSION_END nor CHAIN_SEAL"))
	case signed:
		p.out.unmet(rules[ruleUnfinished].New("the log is signed but has no SESSION_END: a CHAIN_SEAL has no signature, so it does not show that this is the end"))
	}
}
