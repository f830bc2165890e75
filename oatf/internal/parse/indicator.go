package parse

import (
	"github.com/cupel-dev/cupel/oatf/internal/vocabulary"
	"github.com/cupel-dev/cupel/oatf/model"
)

func readIndicator(n node) model.Indicator {
	o := n.object().without(n.profile.Keys.IndicatorLacks)
	ind := model.Indicator{
		ID:             o.take("id").optionalText(),
		Protocol:       named[model.Protocol](o.take("protocol")),
		Surface:        (*model.Surface)(o.optionalOrNeeded("surface", n.profile.Keys.IndicatorNeeds)),
		Target:         o.optionalOrNeeded("target", n.profile.Keys.IndicatorNeeds),
		Actor:          o.take("actor").optionalText(),
		Direction:      member(o.take("direction"), vocabulary.Directions),
		Method:         member(o.take("method"), vocabulary.IndicatorMethods),
		Tier:           o.take("tier").optionalText(),
		Description:    o.take("description").optionalText(),
		Pattern:        optional(o.take("pattern"), readPattern),
		Expression:     optional(o.take("expression"), readExpression),
		Semantic:       optional(o.take("semantic"), readSemantic),
		Confidence:     o.take("confidence").integer(),
		Severity:       member(o.take("severity"), vocabulary.SeverityLevels),
		FalsePositives: list(o.take("false_positives"), node.text),
	}
	ind.Extensions = o.extensions()
	return ind
}

func readPattern(n node) model.PatternMatch {
	o := n.object()
	p := model.PatternMatch{
		Target:    o.take("target").optionalText(),
		Condition: optional(o.takeAny("condition"), readCondition), // null is a value to compare with
	}
	if operators := readOperators(o); o.hasOperator() {
		p.Shorthand = operators
	}
	o.close()
	return p
}

func readExpression(n node) model.ExpressionMatch {
	o := n.object()
	x := model.ExpressionMatch{CEL: o.required("cel")}
	if variables := o.take("variables"); variables.isThere() {
		x.Variables = pairs(variables, "a mapping", func(name string, path node) model.Variable {
			return model.Variable{Name: name, Path: path.text()}
		})
	}
	o.close()
	return x
}

func readSemantic(n node) model.SemanticMatch {
	o := n.object()
	s := model.SemanticMatch{
		Target:      o.take("target").optionalText(),
		Intent:      o.required("intent"),
		IntentClass: member(o.take("intent_class"), vocabulary.IntentClasses),
		Threshold:   o.take("threshold").float(),
		Examples:    optional(o.take("examples"), readExamples),
	}
	o.close()
	return s
}

func readExamples(n node) model.SemanticExamples {
	o := n.object()
	e := model.SemanticExamples{Positive: list(o.take("positive"), node.text), Negative: list(o.take("negative"), node.text)}
	o.close()
	return e
}
