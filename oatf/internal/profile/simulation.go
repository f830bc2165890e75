package profile

import (
	"cmp"
	"slices"

	"github.com/cupel-dev/cupel/oatf/model"
)

// Simulation is what the actors of a revision send, what they answer from the state of their
// phase, and what their triggers see.
type Simulation struct {
	// Actions are the entry actions that are run; others are those of protocol bindings, and
	// skipped. Replaced names the action that has taken the place of one of an earlier
	// revision.
	Actions  []EntryAction
	Replaced map[string]string

	Initial map[model.Mode]Initial // what the state of a client has for it to send when a phase begins
	Answers []Answering
	Asks    []Asking

	// Reserved says that synthesize has no meaning yet: what is stated beside it is the answer,
	// and only what states nothing is to be generated.
	Reserved bool

	// Seen is the content of an event as triggers see it, given the mode of the phase, the role
	// of the message and the params of the request that it is or answers, nil when they are not known.
	Seen func(mode model.Mode, role model.MessageRole, content model.Value, params *model.Value) model.Value

	// Unwraps says that the content {"params":…}, and nothing else, of an event is that of its
	// params.
	Unwraps bool

	// Open says that actors observe events that no mode of the registry has.
	Open bool

	Steps Steps // of the evaluation of a trigger

	// Calls is how an event learns the tool that it is about; nil where it does not.
	Calls *Calls
}

// Steps are the steps in which a trigger is evaluated, as the specification numbers them.
type Steps struct {
	Event, Qualifier, Match, Count string
}

// EntryAction is an entry action that is run.
type EntryAction struct {
	Key   string
	Modes []model.Mode // whose actors run it; nil for all
	Only  string       // why others skip it
}

// Action is the entry action with a key; nil when it is none that is run.
func (s *Simulation) Action(key string) *EntryAction {
	i := slices.IndexFunc(s.Actions, func(a EntryAction) bool { return a.Key == key })
	if i < 0 {
		return nil
	}
	return &s.Actions[i]
}

// Runs says whether actors of a mode run the action.
func (a *EntryAction) Runs(mode model.Mode) bool {
	return a.Modes == nil || slices.Contains(a.Modes, mode)
}

// Initial is a member of a client's state that holds what it sends: one message, or a list of
// them.
type Initial struct {
	Key   string
	Entry bool   // it is read as a response entry, of which when is no part
	Needs string // a member of each message that is a text, without which it is not sent; "" for none
	Asks  bool   // it is the request that the events of a stream answer
	Own   string // the event that it is to the client itself, too; "" for none
	Body  Body
	Shape *Shape // what may be generated; nil: nothing
}

// Answering says where the state of a mode has the answers to an event.
type Answering struct {
	Mode  model.Mode
	Event string
	Role  model.MessageRole // of the event; "" for requests

	// Show makes the answer from what the state shows; nil where there are entries to choose from.
	Show func(state model.Object, request model.Value, text func(string) string) Shown

	List   string // of the owners of entries, which the request names; "": the state itself has them
	What   string // one of that list
	Member string // the ordered list of entries
	Single string // an older spelling of it, with one entry; ""
	Former string // such a spelling in an earlier revision, which means nothing any more; ""

	Own      string // the event that an answer is to its actor, too; "" for none
	Body     Body
	Shape    *Shape       // what may be generated
	Fallback Fallback     // what is answered when the document has no answer at all; nil: nothing
	Defaults model.Object // members that an answer has unless it states them
}

// Shown is what the state has to show. Why says why there is nothing, when there is not.
type Shown struct {
	At    string // its place in the state
	Value model.Value
	Why   string
}

// Fallback makes an answer to a request; number counts those that a run has made, from 1 on.
type Fallback func(request model.Value, number int) model.Value

// Always is the same answer to every request.
func Always(v model.Value) Fallback { return func(model.Value, int) model.Value { return v } }

// Answer is where the state of a mode has the answers to an event; nil when it has none.
func (s *Simulation) Answer(mode model.Mode, event string, role model.MessageRole) *Answering {
	for i := range s.Answers {
		if a := &s.Answers[i]; a.Mode == mode && a.Event == event && cmp.Or(a.Role, model.RoleRequest) == role {
			return a
		}
	}
	return nil
}

// Asking is a list of the state whose entries an actor sends as requests of its own while it
// handles an event: each whose when the event satisfies.
type Asking struct {
	Mode     model.Mode
	Events   []string // requests
	Member   string
	Method   string                                             // of what is sent
	Complete func(params model.Object, number int) model.Object // what is sent; number counts it in the run, from 1 on
}

// Asked is what the state of a mode has to be asked while an event is handled; nil for nothing.
func (s *Simulation) Asked(mode model.Mode, event string) *Asking {
	for i := range s.Asks {
		if a := &s.Asks[i]; a.Mode == mode && slices.Contains(a.Events, event) {
			return a
		}
	}
	return nil
}

// Body says which members of an entry are the answer: those of some names, else one by itself;
// all of them where neither is named.
type Body struct {
	Members []string
	Whole   string

	// Enough are, where all members are the answer, those with which nothing is left to be
	// generated.
	Enough []string
}

// Said is what an entry says by itself.
type Said struct {
	Value model.Value
	Some  bool     // it needs nothing beside it
	Left  []string // the members of the entry that are no part of it
}

// Of is what an entry says with its members, without when and synthesize.
func (b *Body) Of(static model.Object) (said Said) {
	if b.Members == nil && b.Whole == "" {
		return Said{Value: static, Some: b.enough(static)}
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

// enough says whether nothing is left to be generated of what all members say.
func (b *Body) enough(static model.Object) bool {
	for _, key := range b.Enough {
		if _, there := static.Get(key); there {
			return true
		}
	}
	return false
}

// Calls is how the events of a call of a tool learn its name: the first of them has it beside
// the id, the others have the id alone.
type Calls struct {
	Begins   string   // the event with which a stream of events begins; ids of another one mean nothing
	First    []string // events that name the tool
	Others   []string
	ID, Name string // the members
}
