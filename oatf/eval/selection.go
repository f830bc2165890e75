package eval

import (
	"cmp"
	"slices"
	"strings"

	"github.com/cupel-dev/cupel/internal/say"
	"github.com/cupel-dev/cupel/oatf"
	"github.com/cupel-dev/cupel/oatf/internal/profile"
)

// Selection defines which messages of a run an indicator examines, and which part of them. An indicator examines
// messages of its protocol and of its surface's kinds (see oatf.MessageKinds). In revision 2026-03, it examines
// those of its surface's operation, on its actor's connection, on its direction's side (format §6). Unknown
// properties exclude no message: all indicators examine plain payloads. In a runner's log, the role follows from
// method, direction and the actor's mode.
type Selection struct {
	IndicatorID string
	Protocol    oatf.Protocol // "": any
	Surface     oatf.Surface
	Kinds       []oatf.MessageKind // nil: any; so it is for a surface that the registry does not know
	Actor       string             // "": any; so it is under SDK01
	Direction   oatf.Direction     // "": both; so it is under SDK01
	Method      Method             // "" when the indicator has no method, or several
	Target      *string            // the wildcard dot-path of a pattern or semantic match; nil without one

	operation string // the surface by the name that operations are compared by

	// Envelope is "params" or "result" if the indicator also examines the message in that envelope, otherwise "".
	Envelope string
}

// Selection returns which messages each indicator examines, in the order of the document.
func (e *Evaluator) Selection() []Selection {
	list := make([]Selection, len(e.indicators))
	for i := range e.indicators {
		list[i] = e.indicators[i].Selection
	}
	return list
}

// envelope returns the envelope member that the surface's default target starts with, or "" (§4.1). Of expressions,
// only those on notifications see the envelope, which contains the method (format §7.1.3).
func (s *Selection) envelope(p *profile.Profile) string {
	row, _ := p.LookupSurface(s.Surface)
	if row.Target != "params" && row.Target != "result" || s.Method == Expression && s.Surface != "server_notification" {
		return ""
	}
	return row.Target
}

// expected describes the messages that an indicator examines.
func (s *Selection) expected() string {
	kinds := make([]string, len(s.Kinds))
	for i, k := range s.Kinds {
		kinds[i] = k.String()
	}
	text := cmp.Or(strings.Join(kinds, " or "), "a message")
	if s.Protocol != "" {
		text += " of protocol " + escaped(say.Preview(string(s.Protocol), say.Usual))
	}
	if s.Direction != "" {
		text += ", a " + string(s.Direction)
	}
	if s.Actor != "" {
		text += ", seen by actor " + escaped(say.Preview(s.Actor, say.Usual))
	}
	return text
}

func (s *Selection) covers(m *messageView) bool {
	switch {
	case s.Protocol != "" && m.protocol != "" && s.Protocol != m.protocol,
		s.Actor != "" && m.actor != "" && s.Actor != m.actor,
		s.Direction != "" && m.side != "" && s.Direction != m.side:
		return false
	case m.operations != nil:
		return s.Kinds == nil || slices.Contains(m.operations, s.operation)
	}
	return s.Kinds == nil || slices.ContainsFunc(s.Kinds, func(k oatf.MessageKind) bool { return k.Covers(m.kind) })
}
