package parse

import (
	"slices"
	"strings"

	"go.yaml.in/yaml/v4"

	"github.com/cupel-dev/cupel/internal/say"
	"github.com/cupel-dev/cupel/internal/suggest"
	"github.com/cupel-dev/cupel/oatf/internal/place"
	"github.com/cupel-dev/cupel/oatf/internal/rules"
	"github.com/cupel-dev/cupel/oatf/internal/yamltext"
	"github.com/cupel-dev/cupel/oatf/model"
)

// object is a mapping. Known fields are taken one by one, and close reports the rest.
type object struct {
	node  // a mapping, or absent: then every field is absent and nothing is reported
	at    *place.Path
	keys  []*yaml.Node // the keys of the mapping
	taken []bool       // per key
	known []string     // the fields asked for
	lacks []string     // fields of the model that the revision does not have here

	present map[string]bool // existing known fields, computed on demand
}

// usualFields is the number of fields most objects of the format have at most.
const usualFields = 10

// object returns the node's mapping, or reports another type.
func (n node) object() *object {
	if !n.isThere() {
		return &object{node: n}
	}
	if n.yaml.Kind != yaml.MappingNode {
		n.wrongType("a mapping")
		return &object{node: node{parser: n.parser}}
	}
	o := &object{node: n, at: n.at(), taken: make([]bool, len(n.yaml.Content)/2), known: make([]string, 0, usualFields)}
	o.keys = make([]*yaml.Node, len(o.taken))
	for i := range o.keys {
		o.keys[i] = n.yaml.Content[2*i]
	}
	return o
}

// value returns the value of a field. Null counts as absent unless it is a value.
func (o *object) value(key string, nullable bool) node {
	if slices.Contains(o.lacks, key) {
		return node{parser: o.parser}
	}
	o.known = append(o.known, key)
	i := o.find(key)
	if i < 0 {
		return node{parser: o.parser}
	}
	for j := i; j < len(o.keys); j++ {
		if o.keys[j].Value == key { // a repeated key is the audit's business, not an unknown one
			o.taken[j] = true
		}
	}
	n := node{o.parser, o.yaml.Content[2*i+1], o.at, key, whole}
	if !nullable && yamltext.IsNull(n.yaml) {
		o.faults.Source.Nulls = append(o.faults.Source.Nulls, place.Pair{Path: o.at.Field(key), In: o.yaml, Index: 2 * i})
		n.yaml = nil
	}
	return n
}

// find returns the index of the pair with a key, or -1.
func (o *object) find(key string) int {
	return slices.IndexFunc(o.keys, func(k *yaml.Node) bool { return k.Value == key && k.Kind == yaml.ScalarNode })
}

// missing reports an absent or null required field, unless a merge key can supply it, which is reported instead.
func (o *object) missing(key string, broken rules.Handle) {
	rule := ""
	if broken != 0 {
		rule = o.profile.Rules.ID(broken)
	}
	if i := o.find(key); i >= 0 {
		e := o.faults.Add(model.ParseTypeMismatch, o.keys[i], o.at.Field(key), "required key %q is null", key)
		e.Rule, e.Help = rule, "give the key a value; indent its content further than the key"
		return
	}
	if slices.ContainsFunc(o.keys, yamltext.IsMergeKey) {
		return
	}
	e := o.faults.Add(model.ParseTypeMismatch, o.yaml, o.at.Field(key), "required key %q is missing", key)
	e.Rule = rule
	e.Position = (&place.Locator{Source: o.faults.Source}).Position(o.at.String())
}

// rest returns the remaining fields except extensions.
func (o *object) rest() (members []model.Member) {
	for i, key := range o.keys {
		if !o.taken[i] && key.Kind == yaml.ScalarNode && !isExtension(key.Value) && !yamltext.IsMergeKey(key) {
			o.taken[i] = true
			members = append(members, model.Member{Key: key.Value, Value: yamltext.Value(o.yaml.Content[2*i+1])})
		}
	}
	return members
}

// extensions collects extension fields and reports unknown keys.
func (o *object) extensions() model.Extensions {
	var list model.Extensions
	after := ""
	for i := range o.taken {
		key := o.keys[i].Value
		if !o.taken[i] && isExtension(key) {
			list = append(list, model.Extension{Key: key, Value: yamltext.Value(o.yaml.Content[2*i+1]), After: after})
			continue
		}
		if o.taken[i] && !o.absentField(i) {
			after = key
		}
	}
	o.closeExcept(isExtension)
	return list
}

// absentField reports whether a pair is a known field that is null, and so counts as absent.
func (o *object) absentField(i int) bool {
	return yamltext.IsNull(o.yaml.Content[2*i+1]) && slices.Contains(o.known, o.keys[i].Value)
}

func (o *object) close() {
	o.closeExcept(func(string) bool { return false })
}

func (o *object) closeExcept(allowed func(string) bool) {
	for i, taken := range o.taken {
		key := o.keys[i]
		if !taken && key.Kind == yaml.ScalarNode && !allowed(key.Value) && !yamltext.IsMergeKey(key) {
			o.unknownKey(key)
		}
	}
}

func (o *object) unknownKey(key *yaml.Node) {
	at := o.at.Field(key.Value)
	if o.unknown == model.WarnUnknown {
		o.warn(model.Diagnostic{
			Severity: model.DiagnosticWarning, Code: rules.ShapeID, Path: at.String(), Position: o.faults.Source.Span(key), Help: o.unknownHelp(key.Value),
			Message: "unknown key " + say.Quoted(key.Value) + " is ignored",
		})
		return
	}
	e := o.faults.Add(model.ParseTypeMismatch, key, at, "unknown key %s", say.Quoted(key.Value))
	if e.UnknownKey = true; e.Path == "" {
		return // one too many
	}
	if suggestWord(e, key.Value, o.known); e.Help == "" {
		e.Help = o.unknownHelp(key.Value)
	}
	if e.Meant != "" && o.isPresent(e.Meant) {
		e.Meant = ""
	}
}

// isPresent reports whether a known field exists. The fields are indexed once, because there can be many unknown
// keys.
func (o *object) isPresent(key string) bool {
	if o.present == nil {
		o.present = map[string]bool{}
		for i, k := range o.keys {
			if o.taken[i] {
				o.present[k.Value] = true
			}
		}
	}
	return o.present[key]
}

// unknownHelp suggests a similar key, says where the key belongs, or lists the known keys.
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
