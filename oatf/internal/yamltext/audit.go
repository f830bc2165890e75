package yamltext

import (
	"slices"

	"go.yaml.in/yaml/v4"

	"github.com/cupel-dev/cupel/internal/say"
	"github.com/cupel-dev/cupel/oatf/internal/place"
	"github.com/cupel-dev/cupel/oatf/internal/rules"
	"github.com/cupel-dev/cupel/oatf/model"
)

// Audit reports YAML that the parser accepts but OATF forbids: anchors, aliases, merge keys, custom tags, and keys
// that are repeated, not scalars, or too long.
func Audit(faults *Faults) { auditor{faults}.node(faults.Source.Root, nil, nowhere) }

type auditor struct{ *Faults }

// node checks a node. parent is the column of the enclosing block collection.
func (a auditor) node(n *yaml.Node, at *place.Path, parent int) {
	if n.Anchor != "" {
		a.unsafe(n, at, "anchor %q is not allowed", "&"+say.Preview(n.Anchor, say.Usual)).Help = "write the value in full where it is used"
	}
	a.tag(n, at)
	indented(a).node(n, at, parent)
	switch n.Kind {
	case yaml.AliasNode:
		a.unsafe(n, at, "alias %q is not allowed", "*"+say.Preview(n.Value, say.Usual)).Help = "write the value in full here"
	case yaml.SequenceNode:
		column := indented(a).column(n)
		for i, item := range n.Content {
			a.node(item, at.Element(i), column)
		}
	case yaml.MappingNode:
		column := indented(a).column(n)
		a.keys(n, at, column)
		for i := 0; i+1 < len(n.Content); i += 2 {
			a.node(n.Content[i+1], at.Field(n.Content[i].Value), column)
		}
	}
}

func (a auditor) unsafe(n *yaml.Node, at *place.Path, format string, args ...any) *model.ParseError {
	e := a.Add(model.ParseSyntax, n, at, format, args...)
	e.Rule = rules.PlainYAMLID
	return e
}

// tag checks that a tag is of the core schema and fits the node.
func (a auditor) tag(n *yaml.Node, at *place.Path) {
	if n.Style&yaml.TaggedStyle == 0 {
		return
	}
	tag := n.ShortTag()
	if !slices.Contains([]string{tagNull, tagBool, tagInt, tagFloat, tagStr, tagMap, tagSeq}, tag) {
		a.unsafe(n, at, "tag %q is not allowed", say.Preview(tag, say.Usual)).Help = "an OATF value is a plain YAML value: leave the tag out"
		return
	}
	agrees := tag == map[yaml.Kind]string{yaml.MappingNode: tagMap, yaml.SequenceNode: tagSeq}[n.Kind]
	if n.Kind == yaml.ScalarNode {
		_, agrees = Scalar(n)
	}
	if !agrees {
		a.Add(model.ParseSyntax, n, at, "tag %q does not fit %q", tag, say.Preview(n.Value, say.Usual))
	}
}

func (a auditor) keys(n *yaml.Node, at *place.Path, column int) {
	keys := keySet{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key := n.Content[i]
		switch {
		case key.Kind == yaml.AliasNode:
			a.node(key, at, column)
		case key.Kind != yaml.ScalarNode:
			a.Add(model.ParseSyntax, key, at, "a mapping key must be a scalar, found %s", Describe(key))
		case len(key.Value) > a.Source.Limits.Key:
			a.Add(model.ParseSyntax, key, at, "a mapping key has %d bytes, more than the limit of %d", len(key.Value), a.Source.Limits.Key)
			key.Value = say.Preview(key.Value, say.Usual)
		default:
			indented(a).key(key, at, column)
			a.key(key, &keys, at)
		}
	}
}

// key checks a scalar key. Keys are equal by text: 1 and "1" conflict.
func (a auditor) key(key *yaml.Node, keys *keySet, at *place.Path) {
	if key.Anchor != "" || key.Style&yaml.TaggedStyle != 0 {
		a.node(key, at.Field(key.Value), nowhere)
	}
	if IsMergeKey(key) {
		a.unsafe(key, at.Field(key.Value), "merge key %q is not allowed", "<<").Help = "write the merged keys in full"
		return
	}
	if first := keys.add(key); first != nil {
		a.Add(model.ParseSyntax, key, at.Field(key.Value), "key %q is repeated; it is already in line %d", say.Preview(key.Value, say.Usual), first.Line)
	}
}

// keySet detects repeated keys: a list for few, a map for many.
type keySet struct {
	few  [16]*yaml.Node
	size int
	many map[string]*yaml.Node
}

// add adds a key, or returns the equal key that was added before.
func (s *keySet) add(key *yaml.Node) (first *yaml.Node) {
	for _, k := range s.few[:min(s.size, len(s.few))] {
		if k.Value == key.Value {
			return k
		}
	}
	if first = s.many[key.Value]; first != nil {
		return first
	}
	if s.size < len(s.few) {
		s.few[s.size] = key
	} else {
		if s.many == nil {
			s.many = map[string]*yaml.Node{}
		}
		s.many[key.Value] = key
	}
	s.size++
	return nil
}

// IsMergeKey reports whether a key is a merge key. A quoted "<<" is not.
func IsMergeKey(key *yaml.Node) bool {
	return key.Kind == yaml.ScalarNode && key.Value == "<<" && IsPlain(key)
}
