package lspcmd

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/cupel-dev/cupel/internal/draft"
)

// schemaPlace is a position in a JSON Schema, reduced to what completion needs: internal references, ordered
// properties, elements, enumerations, alternatives, and conditions on another key.
type schemaPlace struct {
	root *schemaNode
}

type schemaNode struct {
	Ref         string        `json:"$ref"`
	Description string        `json:"description"`
	Type        any           `json:"type"`
	Const       any           `json:"const"`
	Enum        []any         `json:"enum"`
	Properties  schemaMembers `json:"properties"`
	Items       *schemaNode   `json:"items"`
	AnyOf       []*schemaNode `json:"anyOf"`
	OneOf       []*schemaNode `json:"oneOf"`
	AllOf       []*schemaNode `json:"allOf"`
	If          *schemaNode   `json:"if"`
	Then        *schemaNode   `json:"then"`
	Defs        schemaMembers `json:"$defs"`
}

// schemaMembers are schemas by name, in order.
type schemaMembers []schemaMember

type schemaMember struct {
	name string
	node *schemaNode
}

func (m *schemaMembers) UnmarshalJSON(text []byte) error {
	d := json.NewDecoder(strings.NewReader(string(text)))
	if _, err := d.Token(); err != nil {
		return err
	}
	for d.More() {
		name, err := d.Token()
		if err != nil {
			return err
		}
		node := &schemaNode{}
		var raw json.RawMessage
		if err := d.Decode(&raw); err != nil {
			return err
		}
		if string(raw) != "true" {
			if err := json.Unmarshal(raw, node); err != nil {
				return err
			}
		}
		*m = append(*m, schemaMember{name.(string), node})
	}
	return nil
}

func (m schemaMembers) get(name string) *schemaNode {
	i := slices.IndexFunc(m, func(x schemaMember) bool { return x.name == name })
	if i < 0 {
		return nil
	}
	return m[i].node
}

// newSchemaPlace reads a schema that is part of the program.
func newSchemaPlace(text string) schemaPlace {
	s := schemaPlace{&schemaNode{}}
	if err := json.Unmarshal([]byte(text), s.root); err != nil {
		panic("newSchemaPlace: " + err.Error()) // a bug
	}
	return s
}

func (s schemaPlace) at(n *draft.Node) (place editorPlace) {
	if len(n.Path()) > maxEditorPath {
		return place
	}
	for _, schema := range s.of(n) {
		for _, p := range schema.Properties {
			w := editorWord{text: p.name, behind: ": "}
			for _, one := range s.whole([]*schemaNode{p.node}, nil) {
				if w.title == "" {
					w.title = one.Description
				}
				if one.Items != nil || len(one.Properties) > 0 {
					w.behind = ":"
				}
			}
			if !slices.ContainsFunc(place.keys, func(k editorWord) bool { return k.text == w.text }) {
				place.keys = append(place.keys, w)
			}
		}
		for _, v := range schema.Enum {
			if word, ok := v.(string); ok {
				place.words = append(place.words, editorWord{text: word, title: schema.Description})
			}
		}
		if schema.Type == "boolean" {
			place.words = append(place.words, editorWord{text: "true", title: schema.Description}, editorWord{text: "false", title: schema.Description})
		}
	}
	return place
}

func (s schemaPlace) of(n *draft.Node) []*schemaNode {
	if n.Parent == nil {
		return s.whole([]*schemaNode{s.root}, n)
	}
	var below []*schemaNode
	for _, schema := range s.of(n.Parent) {
		switch {
		case n.Element() && schema.Items != nil:
			below = append(below, schema.Items)
		case !n.Element():
			if member := schema.Properties.get(n.Key); member != nil {
				below = append(below, member)
			}
		}
	}
	return s.whole(below, n)
}

// maxSchemas limits the schemas that apply at a position.
const maxSchemas = 64

// whole adds referenced schemas, and conditional ones if the node fulfills the condition.
func (s schemaPlace) whole(list []*schemaNode, n *draft.Node) []*schemaNode {
	for i := 0; i < len(list) && len(list) < maxSchemas; i++ {
		schema := list[i]
		if name, ok := strings.CutPrefix(schema.Ref, "#/$defs/"); ok {
			if def := s.root.Defs.get(name); def != nil {
				list = append(list, def)
			}
		}
		list = slices.Concat(list, schema.AnyOf, schema.OneOf, schema.AllOf)
		if schema.If != nil && schema.Then != nil && n != nil && schema.If.holds(n) {
			list = append(list, schema.Then)
		}
	}
	return list
}

// holds reports whether a node has the constants that a condition requires.
func (s *schemaNode) holds(n *draft.Node) bool {
	for _, p := range s.Properties {
		if p.node.Const != n.Text(p.name) {
			return false
		}
	}
	return true
}
