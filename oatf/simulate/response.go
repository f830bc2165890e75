package simulate

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/cupel-dev/cupel/internal/say"
	"github.com/cupel-dev/cupel/oatf"
	"github.com/cupel-dev/cupel/oatf/internal/primitive"
	"github.com/cupel-dev/cupel/oatf/model"
)

// answering says where the state of a mode has the answers to a request.
type answering struct {
	mode   oatf.Mode
	event  string
	list   string // of the owners of answers, which the request names; "": the state itself has them
	what   string // one of that list
	member string // the ordered list of answers
	single string // an older spelling of it, with one answer; ""

	shape    *generatable // what may be generated
	fallback model.Object // what is answered when the document has no answer at all; nil: nothing
	defaults model.Object // members that an answer has unless it states them
}

var answerings = [...]answering{
	{
		mode: "mcp_server", event: "tools/call", list: "tools", what: "tool", member: "responses", single: "response",
		shape: &toolAnswer, fallback: model.Object{{Key: "content", Value: []oatf.Value{}}},
	},
	{mode: "mcp_server", event: "prompts/get", list: "prompts", what: "prompt", member: "responses", single: "response", shape: &promptAnswer},
	{mode: "mcp_client", event: "sampling/createMessage", member: "sampling_responses", shape: &sampled},
	{
		mode: "mcp_client", event: "elicitation/create", member: "elicitation_responses",
		shape: &elicited, defaults: model.Object{{Key: "action", Value: "accept"}},
	},
	{mode: "a2a_server", event: "message/send", member: "task_responses", shape: &taskAnswer},
	{mode: "a2a_server", event: "message/stream", member: "task_responses", shape: &taskAnswer},
}

func answeringOf(mode oatf.Mode, event string) *answering {
	for i := range answerings {
		if answerings[i].mode == mode && answerings[i].event == event {
			return &answerings[i]
		}
	}
	return nil
}

// choice is what is answered to a request, or sent.
type choice struct {
	at    string              // its place in the state; "" when there is none
	entry *oatf.ResponseEntry // nil: nothing is answered
	owner model.Object        // the tool or prompt that it is of; nil for others
	shape *generatable        // what may be generated in its place; nil: nothing
	none  string              // why nothing is answered
}

// answers is a list of answers that requests choose from.
type answers struct {
	entries []oatf.ResponseEntry
	places  []string
	chooser *primitive.Responses
}

// choose selects the answer to a request (§5.7). What it has to interpolate for that is
// reported to the interpolation.
func (p *answering) choose(a *actor, request oatf.Value, in *primitive.Interpolation) (*choice, error) {
	c := &choice{shape: p.shape}
	at, number := "", whole
	if p.list != "" {
		if number = p.owner(c, a.state, request, in); number < 0 {
			return c, nil
		}
		at = element(p.list, number)
	} else {
		c.owner = nil
	}
	list, err := p.answers(a, c.owner, at, number, in)
	if err != nil {
		return nil, err
	}
	switch i := list.chooser.Select(request); {
	case i >= 0:
		c.at, c.entry = list.places[i], &list.entries[i]
	case len(list.entries) > 0:
		c.none = "no response matches the request"
	case p.fallback != nil:
		c.at, c.entry = at, &oatf.ResponseEntry{Static: p.fallback}
	default:
		c.none = "the state has no " + p.member
	}
	return c, nil
}

// whole is the number of an owner when the state itself has the answers.
const whole = -1

// owner finds what the request names, -1 when there is none.
func (p *answering) owner(c *choice, state model.Object, request oatf.Value, in *primitive.Interpolation) int {
	value, _ := oatf.ResolveSimplePath("name", request)
	name, ok := value.(string)
	if !ok {
		c.none = "the request has no name"
		return -1
	}
	list, _ := member[[]oatf.Value](state, p.list)
	for i, v := range list {
		o, _ := v.(model.Object)
		if own, ok := member[string](o, "name"); ok && (own == name || templated(own) && in.Template(own) == name) {
			c.owner = o
			return i
		}
	}
	c.none = "the state has no " + p.what + " " + say.Quoted(name)
	return -1
}

// answers reads the answers that an owner has, or the state. They are kept for the phase unless
// their predicates have templates, which are part of the state and resolved for each request.
func (p *answering) answers(a *actor, owner model.Object, at string, number int, in *primitive.Interpolation) (*answers, error) {
	key := answersKey{p.member, p.list, number}
	if kept := a.answers[key]; kept != nil {
		return kept, nil
	}
	if number == whole {
		owner = a.state
	}
	values, places := p.values(owner, at)
	list := &answers{entries: make([]oatf.ResponseEntry, len(values)), places: places}
	changes := false
	for i, v := range values {
		if object, ok := v.(model.Object); ok {
			if when, _ := object.Get("when"); templatedIn(when) {
				changes = true
				v = with(object, "when", in.Value(when))
			}
		}
		entry, err := oatf.ResponseOf(v)
		if err != nil {
			return nil, fmt.Errorf("state.%s: %w", places[i], err)
		}
		list.entries[i] = *entry
	}
	var err error
	if list.chooser, err = primitive.CompileResponses(a.profile, list.entries); err != nil {
		return nil, fmt.Errorf("state.%s: %w", field(at, p.member), err)
	}
	if !changes {
		a.answers[key] = list
	}
	return list, nil
}

// answersKey names a list of answers in the state of a phase.
type answersKey struct {
	member, list string
	number       int
}

// values are the answers that an owner has, with their places.
func (p *answering) values(owner model.Object, at string) (values []oatf.Value, places []string) {
	list, ok := member[[]oatf.Value](owner, p.member)
	if single, _ := owner.Get(p.single); !ok && p.single != "" && single != nil {
		return []oatf.Value{single}, []string{field(at, p.single)}
	}
	for i := range list {
		places = append(places, element(field(at, p.member), i))
	}
	return list, places
}

// withDefaults is a body that has the members which it does not state.
func (p *answering) withDefaults(body model.Object) model.Object {
	for _, m := range p.defaults {
		if _, stated := body.Get(m.Key); !stated {
			body = append(slices.Clip(body), m)
		}
	}
	return body
}

// with is an object with another value of a member.
func with(o model.Object, key string, v oatf.Value) model.Object {
	o = slices.Clone(o)
	for i := range o {
		if o[i].Key == key {
			o[i].Value = v
		}
	}
	return o
}

// without is an object that lacks some members.
func without(o model.Object, keys ...string) model.Object {
	return slices.DeleteFunc(slices.Clone(o), func(m model.Member) bool { return slices.Contains(keys, m.Key) })
}

func templated(s string) bool { return strings.Contains(s, "{{") }

// templatedIn says whether a value has a template anywhere.
func templatedIn(v oatf.Value) bool {
	switch v := v.(type) {
	case string:
		return templated(v)
	case []oatf.Value:
		return slices.ContainsFunc(v, templatedIn)
	case model.Object:
		return slices.ContainsFunc(v, func(m model.Member) bool { return templatedIn(m.Value) })
	}
	return false
}

// member is the member of an object when it has the type.
func member[T any](o model.Object, key string) (T, bool) {
	v, _ := o.Get(key)
	t, ok := v.(T)
	return t, ok
}

// field and element spell places in the state.
func field(at, key string) string {
	if at == "" {
		return key
	}
	return at + "." + key
}

func element(at string, i int) string { return at + "[" + strconv.Itoa(i) + "]" }
