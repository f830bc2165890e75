package session

import (
	"encoding/json"
	"strings"
)

// identity checks that all events belong to one session.
type identity struct {
	identityState
	out *reporter
}

type identityState struct {
	Session string // the log's session id as JSON; "" until an event has one
	Foreign bool   // the last event belongs to another session
}

// id returns the log's session id, or "".
func (p *identity) id() (id string) {
	_ = json.Unmarshal([]byte(p.Session), &id) // "" if it is not a string
	return id
}

// take reports the first of consecutive events of another session, which causes their other faults.
func (p *identity) take(e *event) {
	switch {
	case !e.has(sessionID):
	case p.Session == "":
		p.Session, e.names = e.textOf(sessionID), true
	case e.same(sessionID, p.Session):
		p.Foreign = false
	case !p.Foreign:
		p.Foreign = true
		p.out.fault(e, remark{
			rule: ruleSessionMismatch, at: sessionID, message: "the event belongs to another session than the log's first",
			expected: strings.Trim(p.Session, `"`), found: strings.Trim(e.textOf(sessionID), `"`),
		})
		e.cause = causeOf(ruleSessionMismatch, e)
	}
	e.foreign = p.Foreign
}
