package eval

import (
	"cmp"
	"strings"

	"github.com/cupel-dev/cupel/internal/say"
	"github.com/cupel-dev/cupel/oatf"
	"github.com/cupel-dev/cupel/oatf/capture"
	"github.com/cupel-dev/cupel/oatf/internal/profile"
	"github.com/cupel-dev/cupel/oatf/internal/view"
)

// Selection says which messages of a run an indicator looks at, and where.
//
// An indicator looks at the messages of its protocol that are of one of its surface's kinds
// (see MessageKinds of package oatf). What a capture does not tell of a message excludes
// none: all indicators look at plain payloads. Of a line of a runner's log the role follows
// from its method, its direction and the mode of its actor in the document.
type Selection struct {
	IndicatorID string
	Protocol    oatf.Protocol // "": any
	Surface     oatf.Surface
	Kinds       []oatf.MessageKind // nil, for a surface that the registry does not know: any
	Method      Method             // "" when the indicator has no method, or several
	Target      *string            // the wildcard dot-path of a pattern or semantic match; nil when there is none

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
	return text
}

// covers says whether an indicator looks at a message of a protocol and a kind.
func (s *Selection) covers(protocol oatf.Protocol, kind oatf.MessageKind) bool {
	if s.Protocol != "" && protocol != "" && s.Protocol != protocol {
		return false
	}
	for _, k := range s.Kinds {
		if k.Covers(kind) {
			return true
		}
	}
	return s.Kinds == nil
}

// cast is the actors of a document: what a runner's line does not tell of its message
// follows from the mode of the actor that saw it.
type cast []*view.Actor

// mode is the mode of an actor in a phase; that of the actor, in a phase that it does not
// have. Of a document with one actor, lines with other names are of that one.
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

// complete returns the protocol and the kind of a message, with what follows from the
// actor.
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
