// Package keys describes the possible content of each place of an OATF document, for editors: keys
// with their meaning, possible words, and references.
//
//	place := keys.At(oatf.SDK01, []string{"attack", "indicators", "[]"}, keys.Where{})
//	place.Keys[0] // {Text: "id", Title: "…", Clause: "OATF SDK specification 0.1, §2.12"}
//
// The parser is authoritative; a test keeps the table consistent with it. Of a phase's
// protocol-specific state, it has only the keys with a meaning in the format.
package keys

import (
	"slices"

	"github.com/cupel-dev/cupel/oatf/internal/profile"
	"github.com/cupel-dev/cupel/oatf/internal/revision"
	"github.com/cupel-dev/cupel/oatf/internal/vocabulary"
	"github.com/cupel-dev/cupel/oatf/model"
)

// Word is a key or a possible value.
type Word struct {
	Text   string
	Title  string // meaning, in lower case, without a full stop
	Clause string // of the specification
	Nested bool   // of a key: its value is a mapping or a list
}

// Names is the kind of names that a value refers to.
type Names uint8

// What values refer to.
const (
	NoNames Names = iota
	Actors
	Extractors // in templates: {{name}}, {{actor.name}}
)

// Place is the possible content of a place.
type Place struct {
	Keys  []Word // of a mapping there
	Words []Word // possible values; not exhaustive where the format is open
	Names Names
}

// Where is the context of a place. Unknown fields are "".
type Where struct {
	Mode     model.Mode     // of the phase that the place is in
	Protocol model.Protocol // of the indicator that the place is in
}

// Element is the step of a path to the elements of a list.
const Element = "[]"

// At returns the possible content at a path of keys from the root, with Element for list elements. An unknown path
// has no content.
func At(r model.Revision, path []string, where Where) Place {
	g := guide{revision.Of(r), where}
	s := document
	for _, step := range path {
		if s = g.below(s, step); s == nil {
			return Place{}
		}
	}
	return g.place(s)
}

// guide describes one revision.
type guide struct {
	*profile.Profile
	Where
}

// shape describes a kind of place.
type shape struct {
	name    string // of its definition in a JSON Schema; "" for one that is written in its place
	clause  string // § of the SDK specification
	is      scalar // of a value without keys and elements
	keys    []key
	item    *shape // the elements, of a list
	each    *shape // content of author-defined keys
	words   func(guide) []Word
	closed  bool // no other words are allowed
	names   Names
	state   bool                            // the keys are those of the mode's state
	without func(*profile.Profile) []string // keys that a revision does not have

	needs      []string                      // keys that must be there
	needsOf    func(*profile.Profile) string // another one, by the revision
	extensible bool                          // keys that begin with x- are allowed
	free       bool                          // any other key is allowed
}

type scalar uint8

// The types of values. The zero value is any type.
const (
	_ scalar = iota
	isText
	isInteger
	isNumber
	isBoolean
	isObject
)

type key struct {
	name, title string
	value       *shape
}

// below returns the shape after one step of a path, or nil.
func (g guide) below(s *shape, step string) *shape {
	if step == Element {
		return s.item
	}
	for _, k := range g.keysOf(s) {
		if k.name == step {
			return k.value
		}
	}
	return s.each
}

func (g guide) keysOf(s *shape) []key {
	list := s.keys
	if s.state {
		list = states[g.Mode]
		if list == nil {
			list = slices.Concat(states["mcp_server"], states["mcp_client"], states["a2a_server"], states["a2a_client"], states["ag_ui_client"])
		}
	}
	if s.without == nil {
		return list
	}
	lacks := s.without(g.Profile)
	return slices.DeleteFunc(slices.Clone(list), func(k key) bool { return slices.Contains(lacks, k.name) })
}

func (g guide) place(s *shape) (p Place) {
	told := map[string]bool{}
	for _, k := range g.keysOf(s) {
		if told[k.name] {
			continue // a key of several modes
		}
		told[k.name] = true
		w := Word{Text: k.name, Title: k.title, Clause: g.clause(s.clause)}
		w.Nested = k.value.item != nil || k.value.each != nil || k.value.state || len(k.value.keys) > 0
		p.Keys = append(p.Keys, w)
	}
	if s.words != nil {
		p.Words = s.words(g)
	}
	p.Names = s.names
	return p
}

// clause returns a paragraph of the SDK specification of the revision.
func (g guide) clause(paragraph string) string {
	if paragraph == "" {
		return ""
	}
	return "OATF SDK specification " + revisionNames[g.Revision] + ", §" + paragraph
}

var revisionNames = map[model.Revision]string{"sdk-0.1": "0.1", "2026-03": "2026-03"}

func members[E ~string](list []E) func(guide) []Word {
	return func(g guide) []Word {
		words := make([]Word, len(list))
		for i, m := range list {
			words[i] = Word{Text: string(m), Title: titles[string(m)], Clause: g.clause("2.20")}
		}
		return words
	}
}

func closed[E ~string](list []E) *shape {
	return &shape{is: isText, closed: true, words: members(list)}
}

// open returns the words of an enumeration that authors can extend.
func open(list ...string) func(guide) []Word { return members(list) }

func surfaces(g guide) (words []Word) {
	for _, row := range g.Surfaces {
		if g.Protocol == "" || row.Protocol == g.Protocol {
			title := "a surface of " + string(row.Protocol)
			if row.Target != "" {
				title += ", looked at in " + row.Target
			}
			words = append(words, Word{Text: string(row.Surface), Title: title, Clause: g.clause("2.21")})
		}
	}
	return words
}

func events(g guide) (words []Word) {
	for _, e := range g.Events {
		if g.Mode == "" || e.Modes&profile.SetOf(g.Mode) != 0 {
			words = append(words, Word{Text: e.Name, Title: "an event of " + vocabulary.OneOf(e.Modes.Names()), Clause: g.clause("2.22")})
		}
	}
	return words
}
