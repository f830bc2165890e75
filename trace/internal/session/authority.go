package session

import "strings"

// authority checks that all events name the same chain authority.
type authority struct {
	authorityState
	out *reporter
}

type authorityState struct {
	Authority string // the log's chain authority as JSON; "null" for none
	Mixed     bool   // the last event has another authority
}

// take reports the first of consecutive events with a different authority.
func (p *authority) take(e *event) {
	if e.nth == 1 {
		p.Authority = e.textOf(chainAuthority)
	}
	same := e.same(chainAuthority, p.Authority)
	if !same && !p.Mixed {
		p.out.fault(e, remark{
			rule: ruleAuthorityMixed, at: chainAuthority, message: "the chain authority changes within the log",
			expected: p.Authority, found: e.textOf(chainAuthority),
		})
	}
	p.Mixed = !same
}

func (p *authority) name() string { return strings.Trim(p.Authority, `"`) }

func isServer(authority string) bool {
	return authority == "server" || strings.HasPrefix(authority, "agentops-ingest-")
}
