package simulate

import (
	"time"

	"github.com/cupel-dev/cupel/oatf"
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
func (e *Event) roleFor(mode oatf.Mode) (role oatf.MessageRole, ok bool) {
	role = oatf.RoleOf(mode, e.Type, true)
	switch {
	case e.Role == "":
		return defaultRole(role, mode, e.Type), true
	case role == "", role == e.Role:
		return e.Role, true
	}
	return role, false
}

// defaultRole settles the role of an event that both sides of a protocol may send: a server
// observes requests, a client observes what answers its own. A ping is a request to either.
func defaultRole(role oatf.MessageRole, mode oatf.Mode, event string) oatf.MessageRole {
	switch {
	case role != "":
		return role
	case isClient(mode) && event != "ping":
		return oatf.RoleResponse
	}
	return oatf.RoleRequest
}

// concerns says whether the event is one that an actor observes: it names the actor, or the
// registry has it for the actor's mode, or does not know that mode.
func (e *Event) concerns(a *actor) bool {
	if e.Actor != "" {
		return true
	}
	events := modeEvents(a.mode())
	return (events == nil || events[e.Type]) && (e.Protocol == "" || e.Protocol == a.protocol())
}

// request is the params of the request that the event is, or answers.
func (e *Event) request(role oatf.MessageRole) *oatf.Value {
	if role == oatf.RoleRequest {
		return &e.Content
	}
	return e.Request
}

// protocolEvent is the event as a trigger sees it.
func (e *Event) protocolEvent(role oatf.MessageRole, protocol oatf.Protocol) *oatf.ProtocolEvent {
	seen := &oatf.ProtocolEvent{EventType: e.Type, Qualifier: e.Qualifier, Content: e.Content}
	if params := e.request(role); params != nil && protocol == "mcp" {
		seen.Content = withParams(e.Content, *params)
	}
	return seen
}

// withParams is a content enriched with the params of its request (§2.25). What the content
// itself has by that name gives way: an answer must not rename the request.
func withParams(content, params oatf.Value) oatf.Value {
	members, _ := content.(model.Object)
	enriched := make(model.Object, 0, len(members)+1)
	for _, m := range members {
		if m.Key != "params" {
			enriched = append(enriched, m)
		}
	}
	return append(enriched, model.Member{Key: "params", Value: params})
}

// Observed is the event as the trigger of a phase of a mode sees it.
func (e *Event) Observed(mode oatf.Mode) *oatf.ProtocolEvent {
	role, _ := e.roleFor(mode)
	return e.protocolEvent(role, oatf.ExtractProtocol(mode))
}

// NewEvent is an event by itself: its type, perhaps with a qualifier behind a colon, and what
// it holds, nil for nothing. A content that is {"params":…} and nothing else is that of its
// params.
func NewEvent(event string, content *oatf.Value) *Event {
	e := &Event{Content: model.Object{}}
	base, qualifier, found := oatf.ParseEventQualifier(event)
	if e.Type = base; found {
		e.Qualifier = &qualifier
	}
	if content != nil {
		e.Content = unwrapped(*content)
	}
	return e
}

// unwrapped is a content without the envelope around it.
func unwrapped(content oatf.Value) oatf.Value {
	object, _ := content.(model.Object)
	if params, ok := object.Get("params"); ok && len(object) == 1 {
		return params
	}
	return content
}
