// Package place locates parts of a document's text: lines and columns, spans of nodes, and paths
// such as attack.indicators[0].surface.
package place

import (
	"slices"
	"strings"

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

// LineOf returns the lines of a key and of the first key, from 1. ok means that the key's line
// contains only the key, its whole value and a comment, with the first key's indentation.
func (s *Source) LineOf(key string) (line, first int, ok bool) {
	if s.Root.Kind != yaml.MappingNode || s.Root.Style&yaml.FlowStyle != 0 {
		return 0, 0, false
	}
	keys := s.Root.Content
	for i := 0; i+1 < len(keys); i += 2 {
		if keys[i].Value == key {
			return keys[i].Line, keys[0].Line, s.onKeyLine(keys[i], keys[i+1]) && s.begins(keys[i]) && s.begins(keys[0])
		}
	}
	return 0, 0, false
}

// onKeyLine reports whether a scalar ends on the line of its key, followed at most by a comment.
func (s *Source) onKeyLine(key, value *yaml.Node) bool {
	if value.Kind != yaml.ScalarNode || value.Line != key.Line {
		return false
	}
	rest := s.Lines.From(NodeStart(value))
	for _, spelled := range []string{value.Value, `"` + value.Value + `"`, "'" + value.Value + "'"} {
		after, found := strings.CutPrefix(rest, spelled)
		if found && (after == "" || strings.HasPrefix(strings.TrimLeft(after, " \t"), "#") || strings.Trim(after, " \t") == "") {
			return true
		}
	}
	return false
}

// begins reports whether only blanks precede a node on its line.
func (s *Source) begins(n *yaml.Node) bool {
	line := s.Lines.Line(n.Line)
	return len(line)-len(strings.TrimLeft(line, " ")) == n.Column-1
}
