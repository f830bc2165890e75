package oatf

import (
	"math"
	"strconv"
)

func (ind *Indicator) tree() Value {
	var f fields
	f.text("id", ind.ID)
	scalar(&f, "protocol", ind.Protocol)
	f.value("surface", string(ind.Surface))
	f.text("description", ind.Description)
	f.present("pattern", ind.Pattern.tree())
	f.present("expression", ind.Expression.tree())
	f.present("semantic", ind.Semantic.tree())
	f.integer("confidence", ind.Confidence)
	scalar(&f, "severity", ind.Severity)
	texts(&f, "false_positives", ind.FalsePositives)
	return f.with(ind.Extensions)
}

func (p *PatternMatch) tree() Value {
	if p == nil {
		return nil
	}
	var f fields
	f.text("target", p.Target)
	if p.Condition != nil {
		f.value("condition", p.Condition.tree())
	}
	if p.Shorthand != nil {
		p.Shorthand.addTo(&f)
	}
	return f.list
}

func (x *ExpressionMatch) tree() Value {
	if x == nil {
		return nil
	}
	var f fields
	f.value("cel", x.CEL)
	if x.Variables != nil {
		variables := make(Object, len(x.Variables))
		for i, v := range x.Variables {
			variables[i] = Member{Key: v.Name, Value: v.Path}
		}
		f.value("variables", variables)
	}
	return f.list
}

func (s *SemanticMatch) tree() Value {
	if s == nil {
		return nil
	}
	var f fields
	f.text("target", s.Target)
	f.value("intent", s.Intent)
	scalar(&f, "intent_class", s.IntentClass)
	if s.Threshold != nil {
		f.value("threshold", numberOf(*s.Threshold))
	}
	if s.Examples != nil {
		var e fields
		texts(&e, "positive", s.Examples.Positive)
		texts(&e, "negative", s.Examples.Negative)
		f.value("examples", e.list)
	}
	return f.list
}

// numberOf spells a double so that it reads back as itself.
func numberOf(f float64) Number {
	switch {
	case math.IsNaN(f):
		return numberNaN
	case math.IsInf(f, 1):
		return numberInf
	case math.IsInf(f, -1):
		return numberNegInf
	}
	return Number(strconv.FormatFloat(f, 'g', -1, 64))
}
