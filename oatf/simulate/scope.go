package simulate

import (
	"slices"
	"strings"
)

// scope is what extractors took, as the templates of each actor see it: its own by their
// names, those of every actor by qualified ones (§5.5).
type scope struct {
	names map[string]string            // for the actor that is current
	own   map[string]map[string]string // by actor
	of    string                       // the current actor
}

func newScope() *scope {
	return &scope{names: map[string]string{}, own: map[string]map[string]string{}}
}

// set keeps what an extractor of an actor took; the last one wins. The value is copied, so
// that it does not keep the message alive that it is a part of.
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

// forActor returns what the templates of an actor see. It is valid until the next call. One map serves
// all actors: qualified names have a dot, and an actor's own have none.
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

// captured lists what the extractors of an actor took, by name.
func (s *scope) captured(actor string) []Captured {
	list := make([]Captured, 0, len(s.own[actor]))
	for name, value := range s.own[actor] {
		list = append(list, Captured{name, value})
	}
	slices.SortFunc(list, func(a, b Captured) int { return strings.Compare(a.Name, b.Name) })
	return list
}
