// Package keys describes the possible content of each place of an OATF document, for editors: keys
// with their meaning, possible words, and references.
//
//	place := keys.At(oatf.SDK01, []string{"attack", "indicators", "[]"}, keys.Where{})
//	place.Keys[0] // {Text: "id", Title: "…", Clause: "OATF SDK specification 0.1, §2.12"}
//
// The parser reads the same table. Of a phase's protocol-specific state, it has only the keys with a meaning in the
// format.
package keys

import (
	"slices"

	"github.com/cupel-dev/cupel/oatf/internal/keytable"
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

// What values refer to, in the order of the table.
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
	s := keytable.Document
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

// below returns the shape after one step of a path, or nil.
func (g guide) below(s *keytable.Shape, step string) *keytable.Shape {
	if step == Element {
		return s.Item
	}
	for _, k := range g.keysOf(s) {
		if k.Name == step {
			return k.Value
		}
	}
	return s.Each
}

func (g guide) keysOf(s *keytable.Shape) []keytable.Key { return s.KeysOf(g.Profile, g.Mode) }

func (g guide) place(s *keytable.Shape) (p Place) {
	told := map[string]bool{}
	for _, k := range g.keysOf(s) {
		if told[k.Name] {
			continue // a key of several modes
		}
		told[k.Name] = true
		w := Word{Text: k.Name, Title: k.Title, Clause: g.clause(s.Clause)}
		w.Nested = k.Value.Item != nil || k.Value.Each != nil || k.Value.State || len(k.Value.Keys) > 0
		p.Keys = append(p.Keys, w)
	}
	p.Words, p.Names = g.words(s), Names(s.Names)
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

// words returns the possible values of a shape.
func (g guide) words(s *keytable.Shape) (words []Word) {
	for _, word := range slices.Concat(s.Members, s.Words) {
		words = append(words, Word{Text: word, Title: titles[word], Clause: g.clause("2.20")})
	}
	switch s.Source {
	case keytable.Surfaces:
		return g.surfaces()
	case keytable.Events:
		return g.events()
	}
	return words
}

func (g guide) surfaces() (words []Word) {
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

func (g guide) events() (words []Word) {
	for _, e := range g.Events {
		if g.Mode == "" || e.Modes&profile.SetOf(g.Mode) != 0 {
			words = append(words, Word{Text: e.Name, Title: "an event of " + vocabulary.OneOf(e.Modes.Names()), Clause: g.clause("2.22")})
		}
	}
	return words
}
