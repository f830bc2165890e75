package simulate

import (
	"time"

	"github.com/cupel-dev/cupel/oatf"
	"github.com/cupel-dev/cupel/oatf/internal/profile"
	"github.com/cupel-dev/cupel/oatf/internal/revision"
	"github.com/cupel-dev/cupel/oatf/model"
)

// Event is one message of the agent, or the passing of time alone.
type Event struct {
	Tick bool // only time passes

	Type      string // the base event, such as "tools/call"; "" when it is not known
	Qualifier *string
	Content   oatf.Value  // the params of a request, the result of a response, an event of a stream
	Request   *oatf.Value // of a response, the params of the request that it answers; nil when they are not known

	// What is known of the message; empty fields are not.
	Actor    string // who observes it
	Protocol oatf.Protocol
	Role     oatf.MessageRole

	At      time.Time      // when it happened; the zero time is not known
	Elapsed *time.Duration // when it happened since the run began, instead of At

	Input int // which input it is of, from 0 on
	Line  int // 1-based; 0 when it is of no line
}

// roleFor is the role that an event has for an actor of a mode; ok is false when the actor
// does not observe such events.
func (e *Event) roleFor(as *profile.Profile, mode oatf.Mode) (role oatf.MessageRole, ok bool) {
	role = oatf.RoleOf(mode, e.Type, true)
	switch {
	case e.Role == "":
		return defaultRole(as, role, mode, e.Type), true
	case role == "", role == e.Role:
		return e.Role, true
	}
	return role, false
}

// defaultRole settles the role of an event that both sides of a protocol may send: a server
// observes requests, a client observes what answers its own, or the events of a stream. A ping
// is a request to either.
func defaultRole(as *profile.Profile, role oatf.MessageRole, mode oatf.Mode, event string) oatf.MessageRole {
	switch {
	case role != "":
		return role
	case oatf.ExtractProtocol(mode) == "ag_ui" && as.Occurs(event, mode):
		return oatf.RoleEvent
	case isClient(mode) && event != "ping":
		return oatf.RoleResponse
	}
	return oatf.RoleRequest
}

// concerns says whether an event is one that an actor observes: it names the actor, or the
// actor's mode has it, in the protocol that it tells.
func (s *Simulation) concerns(a *actor, e *Event) bool {
	if e.Actor != "" {
		return true
	}
	return s.events.has(a.mode(), e.Type) && (e.Protocol == "" || e.Protocol == a.protocol())
}

// request is the params of the request that the event is, or answers.
func (e *Event) request(role oatf.MessageRole) *oatf.Value {
	if role == oatf.RoleRequest {
		return &e.Content
	}
	return e.Request
}

// protocolEvent is the event, with the content that its actor is told, as the trigger of a phase
// sees it.
func (e *Event) protocolEvent(as *profile.Profile, mode oatf.Mode, role oatf.MessageRole, content oatf.Value) *oatf.ProtocolEvent {
	return &oatf.ProtocolEvent{EventType: e.Type, Qualifier: e.Qualifier, Content: as.Simulation.Seen(mode, role, content, e.request(role))}
}

// Observed is the event as the trigger of a phase of a mode sees it, under a revision.
func (e *Event) Observed(r oatf.Revision, mode oatf.Mode) *oatf.ProtocolEvent {
	as := revision.Of(r)
	role, _ := e.roleFor(as, mode)
	return e.protocolEvent(as, mode, role, e.Content)
}

// NewEvent is an event by itself under a revision: its type, where the revision has qualifiers perhaps with one
// behind a colon, and what it holds, nil for nothing. In sdk-0.1 a content that is {"params":…}
// and nothing else is that of its params.
func NewEvent(r oatf.Revision, event string, content *oatf.Value) *Event {
	as := revision.Of(r)
	e := &Event{Content: model.Object{}}
	e.named(as, event)
	if content != nil {
		e.Content = unwrapped(as, *content)
	}
	return e
}

// named splits what names an event.
func (e *Event) named(as *profile.Profile, event string) {
	base, qualifier, found := as.SplitEvent(event)
	if e.Type = base; found {
		e.Qualifier = &qualifier
	}
}

// unwrapped is a content without the envelope around it.
func unwrapped(as *profile.Profile, content oatf.Value) oatf.Value {
	if !as.Simulation.Unwraps {
		return content
	}
	object, _ := content.(model.Object)
	if params, ok := object.Get("params"); ok && len(object) == 1 {
		return params
	}
	return content
}
