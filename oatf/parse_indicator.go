package oatf

import (
	"slices"

	"go.yaml.in/yaml/v4"
)

func (p *parser) indicator(n *yaml.Node, at *place) Indicator {
	o := p.object(n, at)
	ind := Indicator{
		ID:          o.text("id"),
		Protocol:    named[Protocol](o, "protocol"),
		Surface:     Surface(o.required("surface", "")),
		Description: o.text("description"),
	}
	if n := o.take("pattern"); n != nil {
		ind.Pattern = p.pattern(n, at.field("pattern"))
	}
	if n := o.take("expression"); n != nil {
		ind.Expression = p.expression(n, at.field("expression"))
	}
	if n := o.take("semantic"); n != nil {
		ind.Semantic = p.semantic(n, at.field("semantic"))
	}
	ind.Confidence = o.integer("confidence")
	ind.Severity = member(o, "severity", severityLevels)
	ind.FalsePositives = list(o, "false_positives", (*parser).text)
	ind.Extensions = o.extensions()
	return ind
}

func (p *parser) pattern(n *yaml.Node, at *place) *PatternMatch {
	o := p.object(n, at)
	pm := &PatternMatch{Target: o.text("target")}
	if c := o.takeAny("condition"); c != nil { // null is a value to compare with
		condition := p.condition(c, at.field("condition"))
		pm.Condition = &condition
	}
	if operators := o.operators(); slices.ContainsFunc(o.keys, isShorthandOperator) {
		pm.Shorthand = operators
	}
	o.close()
	return pm
}

func (p *parser) expression(n *yaml.Node, at *place) *ExpressionMatch {
	o := p.object(n, at)
	x := &ExpressionMatch{CEL: o.required("cel", "")}
	if n := o.take("variables"); n != nil {
		x.Variables = p.variables(n, at.field("variables"))
	}
	o.close()
	return x
}

func (p *parser) variables(n *yaml.Node, at *place) []Variable {
	if n.Kind != yaml.MappingNode {
		p.wrongType(n, at, "a mapping")
		return nil
	}
	variables := make([]Variable, 0, len(n.Content)/2)
	for i := 0; i+1 < len(n.Content); i += 2 {
		name := n.Content[i].Value
		variables = append(variables, Variable{Name: name, Path: p.text(n.Content[i+1], at.field(name))})
	}
	return variables
}

func (p *parser) semantic(n *yaml.Node, at *place) *SemanticMatch {
	o := p.object(n, at)
	s := &SemanticMatch{
		Target:      o.text("target"),
		Intent:      o.required("intent", ""),
		IntentClass: member(o, "intent_class", intentClasses),
		Threshold:   o.float("threshold"),
	}
	if n := o.take("examples"); n != nil {
		e := p.object(n, at.field("examples"))
		s.Examples = &SemanticExamples{Positive: list(e, "positive", (*parser).text), Negative: list(e, "negative", (*parser).text)}
		e.close()
	}
	o.close()
	return s
}

// predicate reads a flat mapping of dot-paths to conditions (§2.10).
func (p *parser) predicate(n *yaml.Node, at *place) MatchPredicate {
	if n.Kind != yaml.MappingNode {
		p.wrongType(n, at, "a mapping of dot-paths to conditions")
		return nil
	}
	predicate := make(MatchPredicate, 0, len(n.Content)/2)
	for i := 0; i+1 < len(n.Content); i += 2 {
		path := n.Content[i].Value
		predicate = append(predicate, MatchEntry{Path: path, Condition: p.condition(n.Content[i+1], at.field(path))})
	}
	return predicate
}

// condition reads a condition: a mapping with at least one operator is a set of
// operators, anything else a value to compare with.
func (p *parser) condition(n *yaml.Node, at *place) Condition {
	if n.Kind != yaml.MappingNode {
		return Condition{Value: p.value(n)}
	}
	o := p.object(n, at)
	if !slices.ContainsFunc(o.keys, isOperator) {
		return Condition{Value: p.value(n)}
	}
	operators := o.operators()
	operators.Exists = o.boolean("exists")
	o.close()
	return Condition{Operators: operators}
}

// conditionOperators are the keys of a MatchCondition; all but the last may stand
// directly on a pattern.
var conditionOperators = []string{"contains", "starts_with", "ends_with", "regex", "any_of", "gt", "lt", "gte", "lte", "exists"}

func isOperator(key *yaml.Node) bool {
	return key.Kind == yaml.ScalarNode && slices.Contains(conditionOperators, key.Value)
}

func isShorthandOperator(key *yaml.Node) bool { return isOperator(key) && key.Value != "exists" }

// operators reads the operators that pattern shorthand and conditions share.
func (o *object) operators() *MatchCondition {
	return &MatchCondition{
		Contains:   o.operand("contains"),
		StartsWith: o.operand("starts_with"),
		EndsWith:   o.operand("ends_with"),
		Regex:      o.operand("regex"),
		AnyOf:      o.anyOf(),
		GT:         o.number("gt"),
		LT:         o.number("lt"),
		GTE:        o.number("gte"),
		LTE:        o.number("lte"),
	}
}

// operand reads the string of an operator; unlike a field, it cannot be null.
func (o *object) operand(key string) *string {
	n := o.takeAny(key)
	if n == nil {
		return nil
	}
	s := o.parser.text(n, o.at.field(key))
	return &s
}

func (o *object) boolean(key string) *bool {
	n := o.takeAny(key)
	if n == nil {
		return nil
	}
	if b, ok := o.value(n).(bool); ok {
		return &b
	}
	o.wrongType(n, o.at.field(key), "true or false")
	return nil
}

func (o *object) anyOf() []Value {
	if i := o.find("any_of"); i >= 0 && isNull(o.node.Content[2*i+1]) {
		o.wrongType(o.takeAny("any_of"), o.at.field("any_of"), "a list")
		return nil
	}
	return list(o, "any_of", (*parser).anything)
}

func (p *parser) anything(n *yaml.Node, _ *place) Value { return p.value(n) }
