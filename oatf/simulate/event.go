package simulate

import (
	"time"

	"github.com/cupel-dev/cupel/oatf"
	"github.com/cupel-dev/cupel/oatf/internal/profile"
	"github.com/cupel-dev/cupel/oatf/internal/revision"
	"github.com/cupel-dev/cupel/oatf/model"
)

// Event is a message of the agent, or only a passage of time.
type Event struct {
	Tick bool // only time passes

	Type      string // the base event, such as "tools/call"; "" when it is not known
	Qualifier *string
	Content   oatf.Value  // the params of a request, the result of a response, an event of a stream
	Request   *oatf.Value // of a response, the params of the request that it answers; nil when they are not known

	// Message data; empty fields are unknown.
	Actor    string // who observes it
	Protocol oatf.Protocol
	Role     oatf.MessageRole

	At      time.Time      // when it happened; the zero time is not known
	Elapsed *time.Duration // when it happened since the run began, instead of At

	Input int // which input it is of, from 0 on
	Line  int // 1-based; 0 when it is of no line
}

// roleFor returns the role of an event for an actor of a mode. ok is false if the actor does not observe such
// events.
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

// defaultRole returns the role of an ambiguous event: servers observe requests, clients observe answers or stream
// events. A ping is a request for both.
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

// concerns reports whether an actor observes an event: the event names the actor, or its mode has the event in a
// matching protocol.
func (s *Simulation) concerns(a *actor, e *Event) bool {
	if e.Actor != "" {
		return true
	}
	return s.events.has(a.mode(), e.Type) && (e.Protocol == "" || e.Protocol == a.protocol())
}

func (e *Event) request(role oatf.MessageRole) *oatf.Value {
	if role == oatf.RoleRequest {
		return &e.Content
	}
	return e.Request
}

// protocolEvent converts the event to the form that a phase's trigger evaluates.
func (e *Event) protocolEvent(as *profile.Profile, mode oatf.Mode, role oatf.MessageRole, content oatf.Value) *oatf.ProtocolEvent {
	return &oatf.ProtocolEvent{EventType: e.Type, Qualifier: e.Qualifier, Content: as.Simulation.Seen(mode, role, content, e.request(role))}
}

// Observed converts the event to the form that triggers of a revision and mode evaluate.
func (e *Event) Observed(r oatf.Revision, mode oatf.Mode) *oatf.ProtocolEvent {
	as := revision.Of(r)
	role, _ := e.roleFor(as, mode)
	return e.protocolEvent(as, mode, role, e.Content)
}

// NewEvent returns an event of a revision. The event type can have a qualifier after a colon if the revision has
// qualifiers. content can be nil. In sdk-0.1 a content of only {"params":…} means its params.
func NewEvent(r oatf.Revision, event string, content *oatf.Value) *Event {
	as := revision.Of(r)
	e := &Event{Content: model.Object{}}
	e.named(as, event)
	if content != nil {
		e.Content = unwrapped(as, *content)
	}
	return e
}

func (e *Event) named(as *profile.Profile, event string) {
	base, qualifier, found := as.SplitEvent(event)
	if e.Type = base; found {
		e.Qualifier = &qualifier
	}
}

// unwrapped returns a content without the params envelope.
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
