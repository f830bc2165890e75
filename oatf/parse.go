package oatf

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v4"

	"github.com/cupel-dev/cupel/internal/suggest"
)

// UnknownFields says what Parse makes of keys that the format does not know and that
// do not begin with "x-".
type UnknownFields uint8

// The treatments of unknown keys.
const (
	RejectUnknown UnknownFields = iota // each is a ParseError of kind type_mismatch
	WarnUnknown                        // each is a Diagnostic of Document.Warnings; its value is dropped
)

// ParseOptions tune Parse.
type ParseOptions struct {
	Limits        Limits
	UnknownFields UnknownFields
}

// Parse turns the YAML text of a document into its model (§3.1). It checks types,
// required fields and closed enumerations; what depends on context is Validate's.
//
// The error, when there is one, is a ParseErrors with every fault that could be
// found, each with its place. The text is YAML 1.2: a UTF-8 stream of one document
// without anchors, aliases, merge keys and custom tags, with unique keys.
//
// When the text is YAML and its root a mapping, the document is returned even beside
// an error: it holds all that could be understood, for editors and for Validate,
// which reports those faults that break a conformance rule too.
func Parse(input []byte) (*Document, error) {
	return ParseOptions{}.Parse(input)
}

// Parse is [Parse] with options.
func (o ParseOptions) Parse(input []byte) (*Document, error) {
	o.Limits = o.Limits.withDefaults()
	root, fault := readNodes(input, o.Limits)
	if fault != nil {
		return nil, ParseErrors{fault}
	}
	p := &parser{options: o, source: &source{root: root, lines: splitLines(string(input)), limits: o.Limits}}
	if root.Kind != yaml.MappingNode {
		return nil, ParseErrors{p.notMapping(root)}
	}
	p.audit(root, nil)
	doc := p.document(root)
	doc.source = p.source
	p.foldLaterRevision(doc)
	if len(p.faults) == 0 {
		return doc, nil
	}
	p.source.faults = p.sorted()
	return doc, ParseErrors(p.source.faults)
}

// Warnings returns what WarnUnknown tolerated, in the order of the source. The code
// of each is "P-002".
func (d *Document) Warnings() []Diagnostic {
	if d.source == nil {
		return nil
	}
	return slices.Clone(d.source.warnings)
}

// parser collects the faults of one document.
type parser struct {
	*source
	options ParseOptions
	faults  []*ParseError
	more    int // faults beyond the limit
}

// place is a path on the way down; it becomes text only for a fault. The nil place
// is the root.
type place struct {
	parent *place
	key    string
	index  int // of a list's element when key is ""
}

func (at *place) String() string {
	if at == nil {
		return ""
	}
	var steps []*place
	for p := at; p != nil; p = p.parent {
		steps = append(steps, p)
	}
	var b strings.Builder
	for _, p := range slices.Backward(steps) {
		if p.key == "" && p.index >= 0 {
			b.WriteString("[" + strconv.Itoa(p.index) + "]")
			continue
		}
		if b.Len() > 0 {
			b.WriteByte('.')
		}
		b.WriteString(p.key)
	}
	return b.String()
}

func (at *place) field(key string) *place  { return &place{parent: at, key: key, index: -1} }
func (at *place) element(index int) *place { return &place{parent: at, index: index} }

// fault records a fault at a node. Its path is at.
func (p *parser) fault(kind ParseErrorKind, n *yaml.Node, at *place, format string, args ...any) *ParseError {
	if len(p.faults) >= p.limits.Errors {
		p.more++
		return &ParseError{}
	}
	e := &ParseError{Kind: kind, Message: fmt.Sprintf(format, args...), Path: at.String(), Position: p.span(n)}
	p.faults = append(p.faults, e)
	return e
}

// sorted returns the faults in the order of the source; the last one tells how many
// were left out.
func (p *parser) sorted() []*ParseError {
	slices.SortStableFunc(p.faults, func(a, b *ParseError) int {
		return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column), cmp.Compare(a.Path, b.Path))
	})
	if p.more > 0 {
		last := p.faults[len(p.faults)-1]
		p.faults = append(p.faults, syntaxError(last.Position, "%d more faults are not shown: the limit is %d", p.more, p.limits.Errors))
	}
	return p.faults
}

func (p *parser) notMapping(root *yaml.Node) *ParseError {
	if v, _ := scalarValue(root); root.Kind == yaml.ScalarNode && v == nil {
		return emptyDocument(p.span(root))
	}
	e := p.fault(ParseTypeMismatch, root, nil, "the document must be a mapping, found %s", describe(root))
	e.Help = `begin with oatf: "0.1" and attack:`
	return e
}

// describe names what a node is, for "expected …, found …".
func describe(n *yaml.Node) string {
	switch n.Kind {
	case yaml.MappingNode:
		return "a mapping"
	case yaml.SequenceNode:
		return "a list"
	case yaml.AliasNode:
		return "an alias"
	}
	v, _ := scalarValue(n)
	switch v := v.(type) {
	case nil:
		return "null"
	case bool:
		return "the boolean " + n.Value
	case Number:
		return "the number " + preview(n.Value)
	default:
		return fmt.Sprintf("the string %q", preview(v.(string)))
	}
}

// value turns a node into a free-form Value. Keys are the text of their scalars.
func (p *parser) value(n *yaml.Node) Value {
	switch n.Kind {
	case yaml.MappingNode:
		object := make(Object, 0, len(n.Content)/2)
		for i := 0; i+1 < len(n.Content); i += 2 {
			object = append(object, Member{Key: n.Content[i].Value, Value: p.value(n.Content[i+1])})
		}
		return object
	case yaml.SequenceNode:
		list := make([]Value, 0, len(n.Content))
		for _, item := range n.Content {
			list = append(list, p.value(item))
		}
		return list
	case yaml.ScalarNode:
		v, _ := scalarValue(n)
		return v
	}
	return nil // an alias: refused by audit
}

// isNull says whether a node stands for null: an optional field that is null is
// absent.
func isNull(n *yaml.Node) bool {
	if n.Kind != yaml.ScalarNode {
		return false
	}
	v, ok := scalarValue(n)
	return ok && v == nil
}

// wrongType reports that a node is not what a field wants. Aliases are refused once,
// by audit.
func (p *parser) wrongType(n *yaml.Node, at *place, want string) {
	if n.Kind == yaml.AliasNode {
		return
	}
	e := p.fault(ParseTypeMismatch, n, at, "expected %s, found %s", want, describe(n))
	if n.Kind == yaml.ScalarNode && strings.HasPrefix(want, "a string") {
		e.Help = fmt.Sprintf("write it in quotes: %q", preview(n.Value))
	}
}

// text reads a string.
func (p *parser) text(n *yaml.Node, at *place) string {
	if n.Kind == yaml.ScalarNode {
		if v, _ := scalarValue(n); v != nil {
			if s, ok := v.(string); ok {
				return s
			}
		}
	}
	p.wrongType(n, at, "a string")
	return ""
}

// enumeration reads a member of a closed enumeration. An unknown one is kept, for
// editors, and reported.
func enumeration[E ~string](p *parser, n *yaml.Node, at *place, members []E) E {
	if n.Kind != yaml.ScalarNode {
		p.wrongType(n, at, "one of "+oneOf(members))
		return ""
	}
	value := E(n.Value)
	if v, _ := scalarValue(n); v == any(n.Value) && isMember(value, members) {
		return value
	}
	e := p.fault(ParseUnknownVariant, n, at, "%q is not one of %s", preview(n.Value), oneOf(members))
	e.Rule = "V-005"
	if p.more == 0 {
		e.Help = suggest.Hint(n.Value, names(members))
	}
	return value
}

func oneOf[E ~string](members []E) string { return strings.Join(names(members), ", ") }

func names[E ~string](members []E) []string {
	out := make([]string, len(members))
	for i, m := range members {
		out[i] = string(m)
	}
	return out
}
