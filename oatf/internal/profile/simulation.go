package profile

import (
	"cmp"
	"slices"

	"github.com/cupel-dev/cupel/oatf/model"
)

// Simulation defines what a revision's actors send and answer from their phase's state, and what their triggers see.
type Simulation struct {
	// Actions are the executed entry actions; others are binding-specific and skipped. Replaced
	// names the action that replaced an earlier revision's.
	Actions  []EntryAction
	Replaced map[string]string

	Initial map[model.Mode]Initial // a client's messages to send when a phase starts
	Answers []AnswerSource
	Asks    []RequestSource

	// Reserved: synthesize has no meaning yet. Stated content is the answer; only entries without
	// content are generated.
	Reserved bool

	// Seen returns an event's content as seen by triggers, given the phase's mode, the message's
	// role and the request's params, nil if unknown.
	Seen func(mode model.Mode, role model.MessageRole, content model.Value, params *model.Value) model.Value

	// Unwraps says that the content {"params":…}, and nothing else, of an event is that of its params.
	Unwraps bool

	// Open says that actors observe events that no mode of the registry has.
	Open bool

	Steps Steps // of the evaluation of a trigger

	// Calls defines how an event learns its tool; nil if it does not.
	Calls *Calls
}

// Steps are the steps of a trigger's evaluation, numbered as in the specification.
type Steps struct {
	Event, Qualifier, Match, Count string
}

// EntryAction is an entry action that is run.
type EntryAction struct {
	Key   string
	Modes []model.Mode // whose actors run it; nil for all
	Only  string       // why others skip it
}

// Action returns the supported entry action with a key, or nil.
func (s *Simulation) Action(key string) *EntryAction {
	i := slices.IndexFunc(s.Actions, func(a EntryAction) bool { return a.Key == key })
	if i < 0 {
		return nil
	}
	return &s.Actions[i]
}

// Runs reports whether actors of a mode run the action.
func (a *EntryAction) Runs(mode model.Mode) bool {
	return a.Modes == nil || slices.Contains(a.Modes, mode)
}

// Initial is a state member with a client's messages: one or a list.
type Initial struct {
	Key   string
	Entry bool   // read as a response entry without when
	Needs string // a member of each message that is a text, without which it is not sent; "" for none
	Asks  bool   // it is the request that the events of a stream answer
	Own   string // event for the client itself, or ""
	Body  Body
	Shape *Shape // form of generated content, or nil
}

// AnswerSource says where the state of a mode has the answers to an event.
type AnswerSource struct {
	Mode  model.Mode
	Event string
	Role  model.MessageRole // of the event; "" for requests

	// Show makes the answer from the state; nil if there are entries to select.
	Show func(state model.Object, request model.Value, text func(string) string) Shown

	List   string // of the owners of entries, which the request names; "": the state itself has them
	What   string // one of that list
	Member string // the ordered list of entries
	Single string // an older spelling of it, with one entry; ""
	Former string // such a spelling in an earlier revision, which means nothing any more; ""

	Own      string // event of an answer for its actor, or ""
	Body     Body
	Shape    *Shape       // form of generated content
	Fallback Fallback     // answer without any in the document; nil: none
	Defaults model.Object // members that an answer has unless it states them
}

// Shown is content from the state. Why is the reason if the content is missing.
type Shown struct {
	At    string // its place in the state
	Value model.Value
	Why   string
}

// Fallback makes an answer to a request; number counts those that a run has made, from 1 on.
type Fallback func(request model.Value, number int) model.Value

// Always is the same answer to every request.
func Always(v model.Value) Fallback { return func(model.Value, int) model.Value { return v } }

// Answer returns the place of answers to an event in a mode's state, or nil.
func (s *Simulation) Answer(mode model.Mode, event string, role model.MessageRole) *AnswerSource {
	for i := range s.Answers {
		if a := &s.Answers[i]; a.Mode == mode && a.Event == event && cmp.Or(a.Role, model.RoleRequest) == role {
			return a
		}
	}
	return nil
}

// RequestSource is a state list whose entries an actor sends as requests while it handles an event that
// satisfies their when.
type RequestSource struct {
	Mode     model.Mode
	Events   []string // requests
	Member   string
	Method   string                                             // of the sent message
	Complete func(params model.Object, number int) model.Object // builds the message; number counts from 1 in the run
}

// Asked returns the requests in a mode's state for an event, or nil.
func (s *Simulation) Asked(mode model.Mode, event string) *RequestSource {
	for i := range s.Asks {
		if a := &s.Asks[i]; a.Mode == mode && slices.Contains(a.Events, event) {
			return a
		}
	}
	return nil
}

// Body selects the answer's members of an entry: several by name, a single one, or all.
type Body struct {
	Members []string
	Whole   string

	// Enough are members that make generation unnecessary, if all members are the answer.
	Enough []string
}

// EntryContent is the content of an entry itself.
type EntryContent struct {
	Value model.Value
	Some  bool     // sufficient alone
	Left  []string // entry members that are not part of it
}

// Of returns an entry's content from its members, without when and synthesize.
func (b *Body) Of(static model.Object) (said EntryContent) {
	if b.Members == nil && b.Whole == "" {
		return EntryContent{Value: static, Some: b.enough(static)}
	}
	members := model.Object{}
	for _, m := range static {
		if slices.Contains(b.Members, m.Key) {
			members = append(members, m)
		}
	}
	if len(members) > 0 {
		said.Value, said.Some = members, true
	}
	for _, m := range static {
		switch {
		case slices.Contains(b.Members, m.Key):
		case m.Key == b.Whole && !said.Some:
			said.Value, said.Some = m.Value, true
		default:
			said.Left = append(said.Left, m.Key)
		}
	}
	return said
}

// enough reports whether nothing is left to be generated of what all members say.
func (b *Body) enough(static model.Object) bool {
	for _, key := range b.Enough {
		if _, there := static.Get(key); there {
			return true
		}
	}
	return false
}

// Calls defines the tool name's propagation: only a call's first event has it, others have the id.
type Calls struct {
	Begins   string   // event that starts a stream; other streams' ids are ignored
	First    []string // events that name the tool
	Others   []string
	ID, Name string // the members
}
