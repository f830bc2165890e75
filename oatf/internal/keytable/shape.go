// Package keytable is the table of the keys of OATF documents: the keys of each part with their meanings, the types of
// their values, their words, and the keys that must exist. The parser, the completion and the JSON Schema read it.
package keytable

import (
	"slices"

	"github.com/cupel-dev/cupel/oatf/internal/profile"
	"github.com/cupel-dev/cupel/oatf/internal/rules"
	"github.com/cupel-dev/cupel/oatf/internal/vocabulary"
	"github.com/cupel-dev/cupel/oatf/model"
)

// Shape describes a kind of place.
type Shape struct {
	Name    string // of its definition in a JSON Schema; "" for one that is written in its place
	Clause  string // § of the SDK specification
	Kind    Kind   // of a value without keys and elements
	Keys    []Key
	Item    *Shape   // the elements, of a list
	Each    *Shape   // content of author-defined keys
	Members []string // of a closed enumeration
	Words   []string // suggestions
	Closed  bool     // validation allows no other words
	Source  Source   // of further suggestions
	Names   Names
	State   bool                            // the keys are those of the mode's state
	Without func(*profile.Profile) []string // keys that a revision does not have

	Needs      []Need                        // keys that must be there
	NeedsOf    func(*profile.Profile) string // another one, by the revision
	Extensible bool                          // keys that begin with x- are allowed
	Free       bool                          // any other key is allowed
}

// Key is a key, its meaning, and its value.
type Key struct {
	Name, Title string
	Value       *Shape
}

// Need is a required key. Rule is violated if it is missing; the zero value is no rule.
type Need struct {
	Key  string
	Rule rules.Handle
}

// Kind is a type of values. The zero value is any type.
type Kind uint8

// The types of values.
const (
	_ Kind = iota
	Text
	Integer
	Number
	Boolean
	Object
)

// Source is a registry of words that depends on the revision.
type Source uint8

// The registries.
const (
	_ Source = iota
	Surfaces
	Events
)

// Names is the kind of names that a value refers to.
type Names uint8

// The kinds of names. Extractors can also be in templates: {{name}}, {{actor.name}}.
const (
	NoNames Names = iota
	Actors
	Extractors
)

// oneOf returns the shape of a closed enumeration.
func oneOf[E ~string](list []E) *Shape { return &Shape{Kind: Text, Members: vocabulary.Names(list)} }

// KeysOf returns the keys of a shape in a revision. The keys of a state are those of a mode, or of all modes if the
// mode is unknown.
func (s *Shape) KeysOf(p *profile.Profile, mode model.Mode) []Key {
	list := s.Keys
	if s.State {
		list = States[mode]
		if list == nil {
			for _, mode := range vocabulary.KnownModes {
				list = append(list, States[mode]...)
			}
		}
	}
	if s.Without == nil {
		return list
	}
	lacks := s.Without(p)
	return slices.DeleteFunc(slices.Clone(list), func(k Key) bool { return slices.Contains(lacks, k.Name) })
}
