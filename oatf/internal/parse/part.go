package parse

import (
	"reflect"
	"slices"
	"sync"

	"go.yaml.in/yaml/v4"

	"github.com/cupel-dev/cupel/oatf/internal/keytable"
	"github.com/cupel-dev/cupel/oatf/internal/rules"
	"github.com/cupel-dev/cupel/oatf/internal/vocabulary"
	"github.com/cupel-dev/cupel/oatf/internal/yamltext"
	"github.com/cupel-dev/cupel/oatf/model"
)

// plan lists the fields that a shape has in a type of the model.
type plan struct {
	fields              []field
	binding, extensions int // index of the field, or -1
}

type field struct {
	*keytable.Key
	index    int
	nullable bool // null is a value
	required bool
	rule     rules.Handle // violated if the key is missing or has another type
}

type planKey struct {
	part  reflect.Type
	shape *keytable.Shape
}

var plans sync.Map // a *plan for each planKey

func planOf(part reflect.Type, s *keytable.Shape) *plan {
	if p, ok := plans.Load(planKey{part, s}); ok {
		return p.(*plan)
	}
	p := &plan{binding: -1, extensions: -1}
	fields := map[string]int{}
	for i := range part.NumField() {
		f := part.Field(i)
		fields[f.Tag.Get("yaml")] = i
		switch f.Type {
		case reflect.TypeFor[model.Extensions]():
			p.extensions = i
		case reflect.TypeFor[[]model.Member]():
			p.binding = i
		}
	}
	for i := range s.Keys {
		f := field{Key: &s.Keys[i]}
		var known bool
		if f.index, known = fields[f.Name]; !known {
			continue
		}
		f.nullable = part.Field(f.index).Type == reflect.TypeFor[*model.Condition]()
		for _, need := range s.Needs {
			if need.Key == f.Name {
				f.required, f.rule = true, need.Rule
			}
		}
		p.fields = append(p.fields, f)
	}
	plans.Store(planKey{part, s}, p)
	return p
}

// read sets a part of the model to the node's value. It reports whether the value is of use.
func (n node) read(part reflect.Value, s *keytable.Shape) bool {
	switch part := part.Addr().Interface().(type) {
	case *model.Value:
		if s.Kind == keytable.Object && n.yaml.Kind != yaml.MappingNode {
			n.wrongType("a mapping")
			return false
		}
		*part = yamltext.Value(n.yaml)
		return true
	case *int64:
		return n.integer(part)
	case *float64:
		return n.float(part)
	case *model.Number:
		return n.number(part)
	case *bool:
		return n.boolean(part)
	case *model.MatchPredicate:
		*part = pairs(n, "a mapping of dot-paths to conditions", func(path string, condition node) model.MatchEntry {
			return model.MatchEntry{Path: path, Condition: condition.condition()}
		})
		return true
	case *[]model.Variable:
		*part = pairs(n, "a mapping", func(name string, path node) model.Variable { return model.Variable{Name: name, Path: path.text()} })
		return true
	case *model.Condition:
		*part = n.condition()
		return true
	case *model.PatternMatch:
		n.pattern(part, s)
		return true
	case *model.Severity:
		if n.yaml.Kind == yaml.ScalarNode {
			part.Level, part.Scalar = model.SeverityLevel(n.member(s.Members)), true
			return true
		}
	}
	switch part.Kind() {
	case reflect.Pointer:
		fresh := reflect.New(part.Type().Elem())
		if n.read(fresh.Elem(), s) {
			part.Set(fresh)
		}
	case reflect.Slice:
		n.list(part, s.Item)
	case reflect.Struct:
		n.fields(part, s)
	default:
		if s.Members != nil {
			part.SetString(n.member(s.Members))
		} else {
			part.SetString(n.text())
		}
	}
	return true
}

// list reads a list. The elements report null.
func (n node) list(part reflect.Value, item *keytable.Shape) {
	if n.yaml.Kind != yaml.SequenceNode {
		n.wrongType("a list")
		part.Set(reflect.MakeSlice(part.Type(), 0, 0)) // there, though useless: rules about absence have nothing to say
		return
	}
	at, items := n.at(), reflect.MakeSlice(part.Type(), len(n.yaml.Content), len(n.yaml.Content))
	for i, element := range n.yaml.Content {
		node{n.parser, element, at, "", i}.read(items.Index(i), item)
	}
	part.Set(items)
}

// fields reads a mapping with the keys of the format.
func (n node) fields(part reflect.Value, s *keytable.Shape) {
	o := n.object()
	if !o.isThere() {
		return
	}
	if s.Without != nil {
		o.lacks = s.Without(n.profile)
	}
	plan := o.take(part, s)
	if plan.binding >= 0 {
		part.Field(plan.binding).Set(reflect.ValueOf(o.rest()))
	}
	if plan.extensions >= 0 {
		part.Field(plan.extensions).Set(reflect.ValueOf(o.extensions()))
	} else {
		o.close()
	}
}

// take sets the fields of a part that the shape has.
func (o *object) take(part reflect.Value, s *keytable.Shape) *plan {
	plan, needed := planOf(part.Type(), s), ""
	if s.NeedsOf != nil {
		needed = s.NeedsOf(o.profile)
	}
	for _, f := range plan.fields {
		n := o.value(f.Name, f.nullable)
		before := len(o.faults.All())
		switch {
		case n.isThere():
			n.read(part.Field(f.index), f.Value)
		case f.required || f.Name == needed:
			o.missing(f.Name, f.rule)
		}
		if f.rule == 0 || !n.isThere() || len(o.faults.All()) == before {
			continue
		}
		if f.Value.Kind == keytable.Text || f.Value.Keys != nil && n.yaml.Kind != yaml.MappingNode {
			o.faults.All()[before].Rule = o.profile.Rules.ID(f.rule)
		}
	}
	return plan
}

// condition parses a condition: a mapping with an operator is a set of operators, any other value is compared
// for equality.
func (n node) condition() model.Condition {
	if n.yaml.Kind != yaml.MappingNode {
		return model.Condition{Value: yamltext.Value(n.yaml)}
	}
	o := n.object()
	if !slices.ContainsFunc(o.keys, isOperator) {
		return model.Condition{Value: yamltext.Value(n.yaml)}
	}
	operators := &model.MatchCondition{}
	o.take(reflect.ValueOf(operators).Elem(), keytable.Condition)
	o.close()
	if !o.hasOperator() {
		e := n.faults.Add(model.ParseTypeMismatch, n.yaml, n.at(), "the condition has no operator: %s is null", o.keys[slices.IndexFunc(o.keys, isOperator)].Value)
		e.Help = "give it an operand, or leave the condition out"
	}
	return model.Condition{Operators: operators}
}

// pattern reads a pattern, which can have operators as keys.
func (n node) pattern(p *model.PatternMatch, s *keytable.Shape) {
	o := n.object()
	if !o.isThere() {
		return
	}
	operators := &model.MatchCondition{}
	o.take(reflect.ValueOf(p).Elem(), s)
	o.take(reflect.ValueOf(operators).Elem(), s)
	if o.hasOperator() {
		p.Shorthand = operators
	}
	o.close()
}

// hasOperator reports whether a requested operator exists and is not null.
func (o *object) hasOperator() bool {
	for i, key := range o.keys {
		if isOperator(key) && slices.Contains(o.known, key.Value) && !yamltext.IsNull(o.yaml.Content[2*i+1]) {
			return true
		}
	}
	return false
}

func isOperator(key *yaml.Node) bool {
	return key.Kind == yaml.ScalarNode && slices.Contains(vocabulary.ConditionOperators, key.Value)
}
