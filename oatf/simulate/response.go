package simulate

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/cupel-dev/cupel/internal/say"
	"github.com/cupel-dev/cupel/oatf"
	"github.com/cupel-dev/cupel/oatf/internal/primitive"
	"github.com/cupel-dev/cupel/oatf/internal/profile"
	"github.com/cupel-dev/cupel/oatf/model"
)

// choice is the selected content of an answer or message.
type choice struct {
	of    *profile.AnswerSource
	at    string              // its place in the state, or ""
	entry *oatf.ResponseEntry // nil: none is chosen
	owner model.Object        // the tool or prompt that it is of; nil for others
	none  string              // why nothing is answered
}

type answers struct {
	entries []oatf.ResponseEntry
	places  []string
	chooser *primitive.Responses
}

// choose selects the answer to a request (§5.7). in collects the diagnostics of interpolations.
func (s *Simulation) choose(a *actor, p *profile.AnswerSource, request oatf.Value, in *primitive.Interpolation) (*choice, error) {
	c := &choice{of: p}
	at, number := "", whole
	if p.List != "" {
		if number = c.find(p, a.state, request, in); number < 0 {
			return c, nil
		}
		at = element(p.List, number)
	}
	list, err := s.answers(a, p, c.owner, at, number, in)
	if err != nil {
		return nil, err
	}
	switch i := list.chooser.Select(request); {
	case i >= 0:
		c.at, c.entry = list.places[i], &list.entries[i]
	case len(list.entries) > 0:
		c.none = "no response matches the request"
	case p.Fallback != nil:
		c.at = cmp.Or(at, p.Member)
	default:
		c.none = "the state has no " + p.Member
	}
	return c, nil
}

// whole is the owner index if the state itself has the answers.
const whole = -1

// find returns the index of the element that the request names and that owns the answers, or -1.
func (c *choice) find(p *profile.AnswerSource, state model.Object, req oatf.Value, in *primitive.Interpolation) int {
	value, _ := oatf.ResolveSimplePath("name", req)
	name, ok := value.(string)
	if !ok {
		c.none = "the request has no name"
		return -1
	}
	list, _ := member[[]oatf.Value](state, p.List)
	for i, v := range list {
		o, _ := v.(model.Object)
		if own, ok := member[string](o, "name"); ok && (own == name || templated(own) && in.Template(own) == name) {
			c.owner = o
			return i
		}
	}
	c.none = "the state has no " + p.What + " " + say.Quoted(name)
	return -1
}

// answers returns the answers of an owner or of the state. They are cached per phase, unless their predicates have
// templates, which depend on the request.
func (s *Simulation) answers(a *actor, p *profile.AnswerSource, owner model.Object, at string, number int, in *primitive.Interpolation) (*answers, error) {
	key := answersKey{p.Member, p.List, number}
	if kept := a.answers[key]; kept != nil {
		return kept, nil
	}
	if number == whole {
		owner = a.state
	}
	values, places := entriesOf(p, owner, at)
	list := &answers{entries: make([]oatf.ResponseEntry, len(values)), places: places}
	changes, under := false, oatf.Under(s.as.Revision)
	for i, v := range values {
		if object, ok := v.(model.Object); ok {
			if when, _ := object.Get("when"); templatedIn(when) {
				changes = true
				v = with(object, "when", in.Value(when))
			}
		}
		entry, err := under.ResponseOf(v)
		if err != nil {
			return nil, inState(places[i], err)
		}
		list.entries[i] = *entry
	}
	var err error
	if list.chooser, err = primitive.CompileResponses(s.as, list.entries); err != nil {
		return nil, inState(field(at, p.Member), err)
	}
	if !changes {
		a.answers[key] = list
	}
	return list, nil
}

// answersKey identifies a list of answers in the state of a phase.
type answersKey struct {
	member, list string
	number       int
}

func entriesOf(p *profile.AnswerSource, owner model.Object, at string) (values []oatf.Value, places []string) {
	list, ok := member[[]oatf.Value](owner, p.Member)
	if single, _ := owner.Get(p.Single); !ok && p.Single != "" && single != nil {
		return []oatf.Value{single}, []string{field(at, p.Single)}
	}
	for i := range list {
		places = append(places, element(field(at, p.Member), i))
	}
	return list, places
}

func withDefaults(p *profile.AnswerSource, body model.Object) model.Object {
	for _, m := range p.Defaults {
		if _, stated := body.Get(m.Key); !stated {
			body = append(slices.Clip(body), m)
		}
	}
	return body
}

func with(o model.Object, key string, v oatf.Value) model.Object {
	o = slices.Clone(o)
	for i := range o {
		if o[i].Key == key {
			o[i].Value = v
		}
	}
	return o
}

// without returns an object that lacks some members.
func without(o model.Object, keys ...string) model.Object {
	return slices.DeleteFunc(slices.Clone(o), func(m model.Member) bool { return slices.Contains(keys, m.Key) })
}

func templated(s string) bool { return strings.Contains(s, "{{") }

// templatedIn reports whether a value has a template anywhere.
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

// member returns a member of an object if it has the type.
func member[T any](o model.Object, key string) (T, bool) {
	v, _ := o.Get(key)
	t, ok := v.(T)
	return t, ok
}

// field and element format places in the state.
func field(at, key string) string {
	if at == "" {
		return key
	}
	return at + "." + key
}

func element(at string, i int) string { return at + "[" + strconv.Itoa(i) + "]" }

func inState(place string, err error) error { return fmt.Errorf("state.%s: %w", place, err) }
