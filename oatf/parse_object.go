package oatf

import (
	"math"
	"slices"
	"strings"

	"go.yaml.in/yaml/v4"

	"github.com/cupel-dev/cupel/internal/suggest"
)

// object is a mapping of the format while Parse takes its fields out one by one; the
// fields asked for are the ones the format knows. Close reports the rest.
type object struct {
	*parser
	node  *yaml.Node // a mapping, or nil: then every field is absent and nothing is reported
	at    *place
	keys  []*yaml.Node // the keys of the mapping
	taken []bool       // per key
	known []string     // the fields asked for
}

// object opens a mapping; anything else is reported.
func (p *parser) object(n *yaml.Node, at *place) *object {
	if n == nil {
		return &object{parser: p, at: at}
	}
	if n.Kind != yaml.MappingNode {
		p.wrongType(n, at, "a mapping")
		return &object{parser: p, at: at}
	}
	o := &object{parser: p, node: n, at: at, taken: make([]bool, len(n.Content)/2)}
	o.keys = make([]*yaml.Node, len(o.taken))
	for i := range o.keys {
		o.keys[i] = n.Content[2*i]
	}
	return o
}

// take returns the value of a field, or nil when it is absent or null.
func (o *object) take(key string) *yaml.Node {
	n := o.takeAny(key)
	if n == nil || isNull(n) {
		return nil
	}
	return n
}

// takeAny is take for fields in which null is a value.
func (o *object) takeAny(key string) *yaml.Node {
	o.known = append(o.known, key)
	i := o.find(key)
	if i < 0 {
		return nil
	}
	for j := i; j < len(o.keys); j++ {
		if o.keys[j].Value == key { // a repeated key is audit's business, not an unknown one
			o.taken[j] = true
		}
	}
	return o.node.Content[2*i+1]
}

// find returns the index of the pair with a key, -1 when there is none.
func (o *object) find(key string) int {
	return slices.IndexFunc(o.keys, func(k *yaml.Node) bool { return k.Value == key && k.Kind == yaml.ScalarNode })
}

// absent says whether a field is missing or null.
func (o *object) absent(key string) bool {
	i := o.find(key)
	return i < 0 || isNull(o.node.Content[2*i+1])
}

// close reports the keys that nobody asked for.
func (o *object) close() {
	o.closeExcept(func(string) bool { return false })
}

// extensions collects the extension fields, and reports the other keys that nobody
// asked for.
func (o *object) extensions() Extensions {
	var list Extensions
	after := ""
	for i := range o.taken {
		key := o.keys[i].Value
		if !o.taken[i] && isExtension(key) {
			list = append(list, Extension{Key: key, Value: o.value(o.node.Content[2*i+1]), After: after})
			continue
		}
		if o.taken[i] && !o.absentField(i) {
			after = key
		}
	}
	o.closeExcept(isExtension)
	return list
}

// absentField says whether a pair is a field of the format that is null and so counts
// as absent.
func (o *object) absentField(i int) bool {
	return isNull(o.node.Content[2*i+1]) && slices.Contains(o.known, o.keys[i].Value)
}

func isExtension(key string) bool { return strings.HasPrefix(key, "x-") }

func (o *object) closeExcept(allowed func(string) bool) {
	for i, taken := range o.taken {
		key := o.keys[i]
		if !taken && key.Kind == yaml.ScalarNode && !allowed(key.Value) && !isMergeKey(key) {
			o.unknown(key)
		}
	}
}

// unknown reports a key that the format does not have here.
func (o *object) unknown(key *yaml.Node) {
	at := o.at.field(key.Value)
	if o.options.UnknownFields == WarnUnknown {
		if len(o.warnings) < o.limits.Errors {
			o.warnings = append(o.warnings, Diagnostic{
				Severity: DiagnosticWarning, Code: "P-002", Path: at.String(), Position: o.span(key), Help: o.unknownHelp(key.Value),
				Message: "unknown key " + quoted(key.Value) + " is ignored",
			})
		}
		return
	}
	e := o.fault(ParseTypeMismatch, key, at, "unknown key %s", quoted(key.Value))
	if e.Path != "" { // else it was one too many
		e.Help = o.unknownHelp(key.Value)
	}
	e.unknownKey = true
}

// unknownHelp says which key may have been meant, where it belongs, or which keys
// there are.
func (o *object) unknownHelp(key string) string {
	if hint := suggest.Hint(key, o.known); hint != "" {
		return hint
	}
	switch {
	case key == "exists" && slices.Contains(o.known, "condition"):
		return "write condition: {exists: …}; exists has no shorthand"
	case key == "target" && slices.Contains(o.known, "semantic"):
		return "target belongs inside pattern or semantic"
	}
	return "known here: " + strings.Join(o.known, ", ")
}

// missing reports a required field that is absent. A mapping with a merge key may
// have it from there; the merge key is reported instead.
func (o *object) missing(key, rule string) {
	if o.node == nil || o.merged() {
		return
	}
	e := o.fault(ParseTypeMismatch, o.node, o.at.field(key), "required key %q is missing", key)
	e.Rule = rule
	e.Position = (&locator{source: o.source}).position(o.at.String())
}

func (o *object) merged() bool {
	for i := range o.taken {
		if isMergeKey(o.keys[i]) {
			return true
		}
	}
	return false
}

// text returns an optional string.
func (o *object) text(key string) *string {
	n := o.take(key)
	if n == nil {
		return nil
	}
	s := o.parser.text(n, o.at.field(key))
	return &s
}

// required returns a string that must be there. Its absence breaks rule, if any.
func (o *object) required(key, rule string) string {
	n := o.take(key)
	if n == nil {
		o.missing(key, rule)
		return ""
	}
	before := len(o.faults)
	s := o.parser.text(n, o.at.field(key))
	for _, e := range o.faults[before:] {
		e.Rule = rule
	}
	return s
}

// named returns an optional string of one of the open enumerations and the like.
func named[S ~string](o *object, key string) *S {
	s := o.text(key)
	if s == nil {
		return nil
	}
	value := S(*s)
	return &value
}

// member returns an optional member of a closed enumeration.
func member[E ~string](o *object, key string, members []E) *E {
	n := o.take(key)
	if n == nil {
		return nil
	}
	value := enumeration(o.parser, n, o.at.field(key), members)
	return &value
}

// requiredMember returns a member of a closed enumeration that must be there.
func requiredMember[E ~string](o *object, key string, members []E) E {
	value := member(o, key, members)
	if value == nil {
		o.missing(key, "")
		return ""
	}
	return *value
}

// integer returns an optional integer.
func (o *object) integer(key string) *int64 {
	n := o.take(key)
	if n == nil {
		return nil
	}
	if number, ok := o.value(n).(Number); ok {
		if i, ok := number.Int64(); ok {
			return &i
		}
	}
	o.wrongType(n, o.at.field(key), "an integer of 64 bits")
	return nil
}

// number returns an optional number as it is spelled.
func (o *object) number(key string) *Number {
	n := o.takeAny(key)
	if n == nil {
		return nil
	}
	if number, ok := o.value(n).(Number); ok {
		return &number
	}
	o.wrongType(n, o.at.field(key), "a number")
	return nil
}

// float returns an optional number as a double.
func (o *object) float(key string) *float64 {
	n := o.take(key)
	if n == nil {
		return nil
	}
	number, ok := o.value(n).(Number)
	if !ok {
		o.wrongType(n, o.at.field(key), "a number")
		return nil
	}
	f := number.Float64()
	if math.IsInf(f, 0) && number != numberInf && number != numberNegInf {
		o.wrongType(n, o.at.field(key), "a number that a double can hold")
		return nil
	}
	return &f
}

// mapping returns an optional free-form mapping.
func (o *object) mapping(key string) Value {
	n := o.take(key)
	if n == nil {
		return nil
	}
	if n.Kind != yaml.MappingNode {
		o.wrongType(n, o.at.field(key), "a mapping")
		return nil
	}
	return o.value(n)
}

// list returns an optional list. An element that is null is reported by read.
func list[T any](o *object, key string, read func(*parser, *yaml.Node, *place) T) []T {
	n := o.take(key)
	if n == nil {
		return nil
	}
	at := o.at.field(key)
	if n.Kind != yaml.SequenceNode {
		o.wrongType(n, at, "a list")
		return []T{} // there, though useless: rules about absence have nothing to say
	}
	items := make([]T, 0, len(n.Content))
	for i, item := range n.Content {
		items = append(items, read(o.parser, item, at.element(i)))
	}
	return items
}

// members reads a list's elements as a closed enumeration.
func members[E ~string](all []E) func(*parser, *yaml.Node, *place) E {
	return func(p *parser, n *yaml.Node, at *place) E { return enumeration(p, n, at, all) }
}
