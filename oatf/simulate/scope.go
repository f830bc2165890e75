package simulate

import (
	"slices"
	"strings"
)

// scope contains the captured values for templates: those of the actor by name, all by qualified name (§5.5).
type scope struct {
	names map[string]string            // for the actor that is current
	own   map[string]map[string]string // by actor
	of    string                       // the current actor
}

func newScope() *scope {
	return &scope{names: map[string]string{}, own: map[string]map[string]string{}}
}

// set stores a copy of a captured value, so that the message can be freed. It replaces an earlier value.
func (s *scope) set(actor, name, value string) {
	if s.own[actor] == nil {
		s.own[actor] = map[string]string{}
	}
	value = strings.Clone(value)
	s.own[actor][name] = value
	s.names[actor+"."+name] = value
	if s.of == actor {
		s.names[name] = value
	}
}

// forActor returns the values for an actor's templates, valid until the next call. Unqualified and qualified names
// share a map, because only qualified names have a dot.
func (s *scope) forActor(actor string) map[string]string {
	if s.of != actor {
		for name := range s.own[s.of] {
			delete(s.names, name)
		}
		for name, value := range s.own[actor] {
			s.names[name] = value
		}
		s.of = actor
	}
	return s.names
}

// captured lists an actor's captured values by name.
func (s *scope) captured(actor string) []Captured {
	list := make([]Captured, 0, len(s.own[actor]))
	for name, value := range s.own[actor] {
		list = append(list, Captured{name, value})
	}
	slices.SortFunc(list, func(a, b Captured) int { return strings.Compare(a.Name, b.Name) })
	return list
}
