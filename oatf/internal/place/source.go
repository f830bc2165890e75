// Package place locates parts of a document's text: lines and columns, spans of nodes, and paths
// such as attack.indicators[0].surface.
package place

import (
	"slices"

	"go.yaml.in/yaml/v4"

	"github.com/cupel-dev/cupel/oatf/model"
)

// Source is the parsed text of a document, to locate paths on demand.
type Source struct {
	Root   *yaml.Node
	Lines  *Lines
	Limits model.Limits

	Faults    []*model.ParseError // what Parse found; those with a Rule are violations too
	Tolerated []model.Diagnostic  // unknown fields, up to the limit
	Untold    int                 // unknown fields beyond it
	Signs     []Sign              // the strongest mark of each revision that has one in the document
	Nulls     []Pair              // optional keys of the format that are null, and so count as absent
}

// Pair is a key and its value in a mapping.
type Pair struct {
	Path  *Path
	In    *yaml.Node // the mapping
	Index int        // index of the key in its parent
}

// Position implements Origin.
func (s *Source) Position(path string) model.Position { return (&Locator{Source: s}).Position(path) }

// Warnings implements Origin.
func (s *Source) Warnings() []model.Diagnostic { return slices.Clone(s.Tolerated) }

// SourceOf returns the source of a document, or nil if it was not parsed.
func SourceOf(d *model.Document) *Source {
	s, _ := d.Origin.(*Source)
	return s
}
