package oatf

import (
	"slices"

	"go.yaml.in/yaml/v4"
)

// ruleSafeYAML is the rule that anchors, aliases, merge keys and custom tags break.
const ruleSafeYAML = "V-020"

// audit reports everything about the nodes that YAML allows and OATF does not, at
// every depth: anchors, aliases, merge keys, custom tags, keys that are repeated,
// too long or not scalars.
func (p *parser) audit(n *yaml.Node, at *place) {
	if n.Anchor != "" {
		p.unsafe(n, at, "anchor %q is not allowed", "&"+preview(n.Anchor)).Help = "write the value out where it is used"
	}
	p.auditTag(n, at)
	switch n.Kind {
	case yaml.AliasNode:
		p.unsafe(n, at, "alias %q is not allowed", "*"+preview(n.Value)).Help = "write the value out here"
	case yaml.SequenceNode:
		for i, item := range n.Content {
			p.audit(item, at.element(i))
		}
	case yaml.MappingNode:
		p.auditKeys(n, at)
		for i := 0; i+1 < len(n.Content); i += 2 {
			p.audit(n.Content[i+1], at.field(n.Content[i].Value))
		}
	}
}

func (p *parser) unsafe(n *yaml.Node, at *place, format string, args ...any) *ParseError {
	e := p.fault(ParseSyntax, n, at, format, args...)
	e.Rule = ruleSafeYAML
	return e
}

// auditTag allows the tags of the core schema where they agree with the node.
func (p *parser) auditTag(n *yaml.Node, at *place) {
	if n.Style&yaml.TaggedStyle == 0 {
		return
	}
	tag := n.ShortTag()
	if !slices.Contains([]string{tagNull, tagBool, tagInt, tagFloat, tagStr, tagMap, tagSeq}, tag) {
		p.unsafe(n, at, "tag %q is not allowed", preview(tag)).Help = "an OATF value is a plain YAML value: leave the tag out"
		return
	}
	agrees := tag == map[yaml.Kind]string{yaml.MappingNode: tagMap, yaml.SequenceNode: tagSeq}[n.Kind]
	if n.Kind == yaml.ScalarNode {
		_, agrees = scalarValue(n)
	}
	if !agrees {
		p.fault(ParseSyntax, n, at, "tag %q does not fit %q", tag, preview(n.Value))
	}
}

func (p *parser) auditKeys(n *yaml.Node, at *place) {
	keys := keySet{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key := n.Content[i]
		switch {
		case key.Kind == yaml.AliasNode:
			p.audit(key, at)
		case key.Kind != yaml.ScalarNode:
			p.fault(ParseSyntax, key, at, "a mapping key must be a scalar, found %s", describe(key))
		case len(key.Value) > p.limits.Key:
			p.fault(ParseSyntax, key, at, "a mapping key has %d bytes, more than the limit of %d", len(key.Value), p.limits.Key)
			key.Value = preview(key.Value)
		default:
			p.auditKey(key, &keys, at)
		}
	}
}

// auditKey checks one scalar key. Two keys are the same when their texts are: 1 and
// "1" cannot stand beside each other.
func (p *parser) auditKey(key *yaml.Node, keys *keySet, at *place) {
	if key.Anchor != "" || key.Style&yaml.TaggedStyle != 0 {
		p.audit(key, at.field(key.Value))
	}
	if isMergeKey(key) {
		p.unsafe(key, at.field(key.Value), "merge key %q is not allowed", "<<").Help = "write the merged keys out"
		return
	}
	if first := keys.add(key); first != nil {
		p.fault(ParseSyntax, key, at.field(key.Value), "key %q is repeated; it stands in line %d already", preview(key.Value), first.Line)
	}
}

// keySet finds repeated keys: in a list while they are few, as they mostly are, in a
// map from then on.
type keySet struct {
	few  [16]*yaml.Node
	size int
	many map[string]*yaml.Node
}

// add returns the key of the same text that was added before; else it adds the key.
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

// isMergeKey recognises a merge key; a quoted "<<" is an ordinary one.
func isMergeKey(key *yaml.Node) bool {
	return key.Kind == yaml.ScalarNode && key.Value == "<<" && isPlain(key)
}
