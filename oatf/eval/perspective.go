package eval

import (
	"cmp"
	"encoding/binary"
	"slices"
	"strings"

	"github.com/cupel-dev/cupel/oatf"
	"github.com/cupel-dev/cupel/oatf/capture"
	"github.com/cupel-dev/cupel/oatf/internal/profile"
	"github.com/cupel-dev/cupel/oatf/internal/protocol"
	"github.com/cupel-dev/cupel/oatf/internal/view"
)

// messageView is a message as a document sees it. Unknown properties are empty and exclude no indicator.
type messageView struct {
	unseen bool // the message is not evaluated
	blank  bool // there is nothing to see in it

	protocol   oatf.Protocol
	kind       oatf.MessageKind
	operations []string // all its names; nil if kinds decide or nothing is known
	actor      string
	side       oatf.Direction
	sender     capture.Side
	task       bool // a call that represents a message to an agent, or such a message

	from perspective
}

// perspective is a view of a message: unchanged, or as the triggers of a mode see it.
type perspective struct {
	profile *profile.Profile // nil: as it is
	mode    oatf.Mode
	alias   protocol.Alias // the value that the known runner has a name for, by that name
	task    bool           // a tool call as the message to an agent that it represents
}

// appendName appends a key that identifies the perspective within a document.
func (p perspective) appendName(dst []byte) []byte {
	task := byte(0)
	if p.task {
		task = 1
	}
	return append(binary.AppendUvarint(append(dst, byte(p.alias), task), uint64(len(p.mode))), p.mode...)
}

func (e *Evaluator) sees(m *capture.Message) messageView {
	how := &e.profile.Evaluation
	if how.Operations {
		return e.operation(m)
	}
	s := messageView{unseen: m.Direction == capture.Outgoing, blank: m.IsError && !how.Failures}
	s.protocol, s.kind = e.cast.complete(m)
	s.sender = e.cast.sender(m)
	if s.protocol == "a2a" && s.kind.Method == "tools/call" {
		s.kind.Method, s.from.task = "message/send", s.kind.Role == oatf.RoleRequest
	}
	s.task = s.protocol == "a2a" && s.kind == (oatf.MessageKind{Method: "message/send", Role: oatf.RoleRequest})
	return s
}

func (e *Evaluator) operation(m *capture.Message) messageView {
	how := &e.profile.Evaluation
	s := messageView{blank: m.IsError && !how.Failures, actor: m.Actor}
	mode, named := e.cast.connection(m)
	method := cmp.Or(m.Method, m.Kind.Method)
	s.protocol = cmp.Or(m.Protocol, e.profile.ProtocolOf(method))
	if mode != "" && (named || s.protocol == "") {
		s.protocol = oatf.ExtractProtocol(mode)
	}
	if m.Direction == capture.Unknown {
		mode = e.cast.agreed(s.protocol)
	}
	s.side, s.sender = sideOf(m, mode), e.cast.sender(m)
	if method != "" {
		name := protocol.Canonical(cmp.Or(e.profile.Renamed[method], method))
		s.operations = []string{name}
		if kind := m.Kind.Method; kind != "" && kind != name {
			s.operations = append(s.operations, kind)
		}
		switch item := cmp.Or(m.Item, how.ItemOf(name, m.Value)); {
		case s.side == oatf.DirectionRequest:
		case item != "" && !m.Variant:
			s.operations = append(s.operations, item)
		case m.Item != "" && m.First > 0:
			s.operations = append(s.operations, m.Item)
		case m.Kind.Method == "task/artifact" || m.Kind.Method == "task/status":
			s.operations = append(s.operations, "message/stream", "tasks/resubscribe")
		}
		if s.protocol == "a2a" && name == "tools/call" {
			s.operations = append(s.operations, "message/send")
			s.from.task = s.side == oatf.DirectionRequest
		}
		s.task = s.protocol == "a2a" && s.side == oatf.DirectionRequest && slices.ContainsFunc(s.operations, func(o string) bool {
			return o == "message/send" || o == "message/stream"
		})
	}
	if how.AsTriggers && s.side == oatf.DirectionResponse && !m.IsError && isClient(mode) {
		s.from = perspective{profile: e.profile, mode: mode}
	}
	return s
}

// sender returns the side that sent a message. For a line of a runner's log it depends on the actor's mode.
func (c cast) sender(m *capture.Message) capture.Side {
	if m.Direction == capture.Unknown {
		return m.Sender
	}
	mode, _ := c.connection(m)
	switch server, incoming := isServer(mode), m.Direction == capture.Incoming; {
	case server == isClient(mode):
		return ""
	case server == incoming:
		return capture.Client
	}
	return capture.Server
}

// sideOf returns a message's side: request if it has a method, response if it has a result or error. For runner
// lines with only a direction, messages from servers and to clients are responses.
func sideOf(m *capture.Message, mode oatf.Mode) oatf.Direction {
	if m.Direction == capture.Unknown || m.Enveloped() {
		return sides[m.Kind.Role]
	}
	switch server, incoming := isServer(mode), m.Direction == capture.Incoming; {
	case server == isClient(mode):
		return "" // the mode is not known
	case server == incoming:
		return oatf.DirectionRequest
	}
	return oatf.DirectionResponse
}

var sides = map[oatf.MessageRole]oatf.Direction{
	oatf.RoleRequest: oatf.DirectionRequest, oatf.RoleNotification: oatf.DirectionRequest,
	oatf.RoleResponse: oatf.DirectionResponse, oatf.RoleEvent: oatf.DirectionResponse,
}

func isServer(mode oatf.Mode) bool { return strings.HasSuffix(string(mode), "_server") }
func isClient(mode oatf.Mode) bool { return strings.HasSuffix(string(mode), "_client") }

// cast is a document's actors. Properties missing from a line of a runner's log follow from its actor's mode.
type cast []*view.Actor

// mode returns an actor's mode in a phase, or the actor's mode for an unknown phase. If the document has one actor,
// unknown names mean that actor.
func (c cast) mode(actor, phase string) oatf.Mode {
	for _, a := range c {
		if a.Name != actor && len(c) > 1 {
			continue
		}
		for i := range a.Phases {
			if name := a.Phases[i].Name; name != nil && *name == phase {
				return a.Phases[i].Mode
			}
		}
		return a.Mode
	}
	return ""
}

// connection returns the mode of a runner line's actor; named means that the line has it. Other messages have "".
func (c cast) connection(m *capture.Message) (mode oatf.Mode, named bool) {
	if m.Direction == capture.Unknown {
		return "", false
	}
	named = slices.ContainsFunc(c, func(a *view.Actor) bool { return a.Name == m.Actor })
	if mode = c.mode(m.Actor, m.Phase); mode == "" && len(c) == 1 {
		mode = modeOf(c[0])
	}
	return mode, named
}

// modeOf returns the mode of an actor, or of its first phase if only phases have one.
func modeOf(a *view.Actor) oatf.Mode {
	if a.Mode == "" && len(a.Phases) > 0 {
		return a.Phases[0].Mode
	}
	return a.Mode
}

// agreed returns the mode shared by a protocol's actors, or "".
func (c cast) agreed(protocol oatf.Protocol) (mode oatf.Mode) {
	for _, a := range c {
		switch own := modeOf(a); {
		case oatf.ExtractProtocol(own) != protocol:
		case mode != "" && mode != own:
			return ""
		default:
			mode = own
		}
	}
	return mode
}

func (c cast) hasClient() bool {
	return slices.ContainsFunc(c, func(a *view.Actor) bool { return isClient(modeOf(a)) })
}

// complete returns the protocol and kind of a message, completed from its actor.
func (c cast) complete(m *capture.Message) (oatf.Protocol, oatf.MessageKind) {
	protocol, kind := m.Protocol, m.Kind
	if m.Direction == capture.Unknown || protocol != "" && kind.Role != "" {
		return protocol, kind
	}
	mode := c.mode(m.Actor, m.Phase)
	if kind.Role == "" {
		kind.Role = oatf.RoleOf(mode, kind.Method, m.Direction == capture.Incoming)
	}
	if protocol == "" && mode != "" {
		protocol = oatf.ExtractProtocol(mode)
	}
	return protocol, kind
}
