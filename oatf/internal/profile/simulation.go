package profile

import (
	"cmp"
	"slices"

	"github.com/cupel-dev/cupel/oatf/model"
)

// Simulation defines the messages and answers of a revision's actors, and what their triggers see.
type Simulation struct {
	// Actions are the executed entry actions. Others are binding-specific and skipped. Replaced maps an earlier
	// revision's action to its replacement.
	Actions  []EntryAction
	Replaced map[string]string

	Initial map[model.Mode]Initial // a client's messages to send when a phase starts
	Answers []AnswerSource
	Asks    []RequestSource

	// Reserved means that synthesize is ignored next to stated content: only entries without content are generated.
	Reserved bool

	// Seen returns an event's content as seen by triggers, for the phase's mode, the message's role and the
	// request's params (nil if unknown).
	Seen func(mode model.Mode, role model.MessageRole, content model.Value, params *model.Value) model.Value

	// Unwraps means that an event content of only {"params":…} is replaced by its params.
	Unwraps bool

	// Open means that actors also observe events that no mode of the registry has.
	Open bool

	Steps Steps // of the evaluation of a trigger

	// Calls defines how an event gets its tool name, or is nil.
	Calls *Calls
}

// Steps are the steps of a trigger's evaluation, with their numbers in the specification.
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

// Initial is a state member with a client's messages: one message or a list.
type Initial struct {
	Key   string
	Entry bool   // read as a response entry without when
	Needs string // a member of each message that is a text, without which it is not sent; "" for none
	Asks  bool   // it is the request that the events of a stream answer
	Own   string // event for the client itself, or ""
	Body  Body
	Shape *Shape // form of generated content, or nil
}

// AnswerSource defines where the state of a mode has the answers to an event.
type AnswerSource struct {
	Mode  model.Mode
	Event string
	Role  model.MessageRole // of the event; "" for requests

	// Show builds the answer from the state. It is nil if the answer is selected from entries.
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

// Fallback builds an answer to a request. number counts the fallback answers of a run from 1.
type Fallback func(request model.Value, number int) model.Value

// Always returns a Fallback with a constant answer.
func Always(v model.Value) Fallback { return func(model.Value, int) model.Value { return v } }

// Answer returns the AnswerSource of an event in a mode, or nil.
func (s *Simulation) Answer(mode model.Mode, event string, role model.MessageRole) *AnswerSource {
	for i := range s.Answers {
		if a := &s.Answers[i]; a.Mode == mode && a.Event == event && cmp.Or(a.Role, model.RoleRequest) == role {
			return a
		}
	}
	return nil
}

// RequestSource is a state list of requests. An actor sends an entry while it handles an event that matches the
// entry's when.
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

// Body selects the members of an entry that form the answer: several by name, a single member, or all.
type Body struct {
	Members []string
	Whole   string

	// Enough lists members that make generation unnecessary if all members form the answer.
	Enough []string
}

// EntryContent is the content of an entry.
type EntryContent struct {
	Value model.Value
	Some  bool     // sufficient alone
	Left  []string // entry members that are not part of it
}

// Of returns an entry's content, without when and synthesize.
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

// enough reports whether the stated members leave nothing to generate.
func (b *Body) enough(static model.Object) bool {
	for _, key := range b.Enough {
		if _, there := static.Get(key); there {
			return true
		}
	}
	return false
}

// Calls defines how events get a tool's name from the first event of a call: later events have only the call's id.
type Calls struct {
	Begins   string   // event that starts a stream; other streams' ids are ignored
	First    []string // events that name the tool
	Others   []string
	ID, Name string // the members
}
