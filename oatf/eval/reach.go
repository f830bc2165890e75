package eval

import (
	"slices"
	"strings"

	"github.com/cupel-dev/cupel/oatf"
	"github.com/cupel-dev/cupel/oatf/capture"
	"github.com/cupel-dev/cupel/oatf/internal/profile"
	"github.com/cupel-dev/cupel/oatf/internal/protocol"
)

// reach records which parts of a document's protocols a capture shows. It decides whether an indicator without a
// message is not_matched or skipped.
type reach struct {
	present      bool // there was a message of a protocol of the document
	other        bool // there was a message
	answered     bool // a runner's log has an answer of the agent: all that it did is in the log
	capturedSide map[shown]bool
	delivery     delivery
}

// shown is a side of a protocol that was captured.
type shown struct {
	protocol oatf.Protocol
	side     capture.Side
	actor    string // of a runner's log; "" of others
}

func (r *reach) note(e *Evaluator, m *capture.Message, s *messageView) {
	r.other = true
	if s.protocol == "" && !m.Enveloped() || s.protocol != "" && e.speaks(s.protocol) {
		r.present = true
	}
	if m.Synthetic || s.protocol == "" {
		return
	}
	if s.protocol == "ag_ui" && m.Kind.Role != oatf.RoleRequest {
		switch m.Kind.Method {
		case "run_started", "run_error", "run_agent_input":
			return
		}
		if m.Direction == capture.Outgoing {
			return
		}
		r.answered = r.answered || m.Direction == capture.Incoming
		s.sender = capture.Server
	}
	if s.sender == "" {
		return
	}
	if r.capturedSide == nil {
		r.capturedSide = map[shown]bool{}
	}
	r.capturedSide[shown{s.protocol, s.sender, e.cast.named(m.Actor)}] = true
}

// speaks reports whether a document has an indicator of a protocol.
func (e *Evaluator) speaks(p oatf.Protocol) bool {
	return slices.ContainsFunc(e.indicators, func(c indicator) bool { return c.Protocol == "" || c.Protocol == p })
}

// shows reports whether the capture shows the side that would send what an indicator looks for.
func (r *reach) shows(e *Evaluator, c *indicator) bool {
	if r.answered {
		return true
	}
	side := capture.Side("")
	for i, q := range c.queries() {
		sender := capture.Side("")
		if q.Operation != "" && q.Direction != "" {
			sender = protocol.Sender(q.Operation, q.Direction == oatf.DirectionResponse)
		}
		if i > 0 && sender != side {
			sender = ""
		}
		side = sender
	}
	if side == "" {
		side = e.cast.agent(c.Protocol)
	}
	for s := range r.capturedSide {
		own := c.Actor == "" || s.actor == "" || s.actor == c.Actor
		if own && (c.Protocol == "" || s.protocol == c.Protocol) && (side == "" || s.side == side) {
			return true
		}
	}
	return false
}

// named returns the name of an actor of the document; "" for others, whose names the messages choose.
func (c cast) named(actor string) string {
	for _, a := range c {
		if a.Name == actor {
			return a.Name
		}
	}
	return ""
}

// agent returns which side the agent under test is on, on connections of a protocol: the opposite of the actors',
// or "" if ambiguous.
func (c cast) agent(p oatf.Protocol) (side capture.Side) {
	for _, a := range c {
		mode := modeOf(a)
		if p != "" && oatf.ExtractProtocol(mode) != p {
			continue
		}
		own := capture.Side("")
		switch {
		case isServer(mode):
			own = capture.Client
		case isClient(mode):
			own = capture.Server
		}
		if own == "" || side != "" && side != own {
			return ""
		}
		side = own
	}
	return side
}

// blind reports whether an indicator's target does not exist in any kind of payload.
func (c *indicator) blind(as *profile.Profile) bool {
	if c.Target == nil || c.Protocol == "" || len(protocol.Revisions(c.Protocol)) == 0 {
		return false
	}
	if alias, works := protocol.AliasOf(c.Protocol, *c.Target); alias != protocol.NoAlias && works {
		return false
	}
	if !as.Evaluation.Operations { // surfaces have separate roots
		o := protocol.Trace(protocol.Query{Protocol: c.Protocol}, *c.Target)
		first, _, _ := strings.Cut(*c.Target, ".")
		return o.Why != protocol.Leads && o.Segment == 0 && !as.BeginsTarget(c.Protocol, strings.TrimSuffix(first, "[*]"))
	}
	for _, q := range c.queries() {
		if protocol.Trace(q, *c.Target).Why == protocol.Leads || protocol.Trace(q, withoutEnvelope(*c.Target, c.Envelope)).Why == protocol.Leads {
			return false
		}
	}
	return true
}

// queries returns the kinds of payloads that an indicator examines.
func (c *indicator) queries() (list []protocol.Query) {
	if c.operation != "" || len(c.Kinds) == 0 {
		return []protocol.Query{{Protocol: c.Protocol, Operation: c.operation, Direction: c.Direction}}
	}
	for _, k := range c.Kinds {
		q := protocol.Query{Protocol: c.Protocol, Operation: k.Method, Direction: oatf.DirectionRequest}
		switch k.Role {
		case "":
			q.Direction = ""
		case oatf.RoleResponse:
			q.Direction = oatf.DirectionResponse
		}
		list = append(list, q)
	}
	return list
}

func withoutEnvelope(target, envelope string) string {
	switch {
	case envelope == "" || len(target) < len(envelope) || target[:len(envelope)] != envelope:
		return target
	case target == envelope:
		return ""
	case target[len(envelope)] == '.':
		return target[len(envelope)+1:]
	}
	return target
}
