// Package place knows where things are in the text of a document: lines and columns, the
// spans of nodes, and the places of paths such as attack.indicators[0].surface.
package place

import (
	"slices"

	"go.yaml.in/yaml/v4"

	"github.com/cupel-dev/cupel/oatf/model"
)

// Source is what a parsed document remembers of its text: enough to give every path
// a position when one is asked for, which costs nothing while all is well.
type Source struct {
	Root   *yaml.Node
	Lines  *Lines
	Limits model.Limits

	Faults    []*model.ParseError // what Parse found; those with a Rule are violations too
	Tolerated []model.Diagnostic  // unknown fields, up to the limit
	Untold    int                 // unknown fields beyond it
	Signs     []Sign              // the strongest mark of each revision that has one in the document
}

// Position implements Origin.
func (s *Source) Position(path string) model.Position { return (&Locator{Source: s}).Position(path) }

// Warnings implements Origin.
func (s *Source) Warnings() []model.Diagnostic { return slices.Clone(s.Tolerated) }

// SourceOf is the source of a document, nil when it was not parsed.
func SourceOf(d *model.Document) *Source {
	s, _ := d.Origin.(*Source)
	return s
}
