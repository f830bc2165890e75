package eval

import (
	"cmp"
	"slices"
	"strings"

	"github.com/cupel-dev/cupel/internal/say"
	"github.com/cupel-dev/cupel/oatf"
	"github.com/cupel-dev/cupel/oatf/internal/profile"
)

// Selection says which messages of a run an indicator looks at, and where.
//
// An indicator looks at the messages of its protocol that are of one of its surface's kinds
// (see MessageKinds of package oatf); under the revision 2026-03 at those of the operation that
// its surface is, on the connection of its actor, on the side that its direction names (format
// §6). What a capture does not tell of a message excludes none: all indicators look at plain
// payloads. Of a line of a runner's log the role follows from its method, its direction and
// the mode of its actor in the document.
type Selection struct {
	IndicatorID string
	Protocol    oatf.Protocol // "": any
	Surface     oatf.Surface
	Kinds       []oatf.MessageKind // nil: any; so it is for a surface that the registry does not know
	Actor       string             // "": any; so it is under SDK01
	Direction   oatf.Direction     // "": both; so it is under SDK01
	Method      Method             // "" when the indicator has no method, or several
	Target      *string            // the wildcard dot-path of a pattern or semantic match; nil when there is none

	operation string // the surface by the name that operations are compared by

	// Envelope is "params" or "result" when the indicator looks at the message inside of
	// such an envelope as well, "" when it does not.
	Envelope string
}

// Selection returns which messages each indicator looks at, in the order of the document.
func (e *Evaluator) Selection() []Selection {
	list := make([]Selection, len(e.indicators))
	for i := range e.indicators {
		list[i] = e.indicators[i].Selection
	}
	return list
}

// envelope is the member of a message's envelope with which the default target of the
// surface begins; "" when it begins at what an indicator sees of messages (§4.1). Of
// expressions, those on notifications alone see the envelope: the method of a notification
// stands in it (format §7.1.3).
func (s *Selection) envelope(p *profile.Profile) string {
	row, _ := p.LookupSurface(s.Surface)
	if row.Target != "params" && row.Target != "result" || s.Method == Expression && s.Surface != "server_notification" {
		return ""
	}
	return row.Target
}

// expected names the messages that an indicator looks at.
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

// covers says whether an indicator looks at a message.
func (s *Selection) covers(m *sight) bool {
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
