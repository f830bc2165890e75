package oatf

import (
	"math"
	"strconv"

	"github.com/cupel-dev/cupel/oatf/internal/profile"
	"github.com/cupel-dev/cupel/oatf/model"
)

func indicatorTree(ind *model.Indicator, keys profile.Keys) model.Value {
	var f fields
	f.text("id", ind.ID)
	scalar(&f, "protocol", ind.Protocol)
	if ind.Surface != nil || keys.IndicatorNeeds == "surface" {
		f.value("surface", string(ind.SurfaceName()))
	}
	f.text("target", ind.Target)
	f.text("actor", ind.Actor)
	scalar(&f, "direction", ind.Direction)
	scalar(&f, "method", ind.Method)
	f.text("tier", ind.Tier)
	f.text("description", ind.Description)
	f.present("pattern", patternMatchTree(ind.Pattern))
	f.present("expression", expressionMatchTree(ind.Expression))
	f.present("semantic", semanticMatchTree(ind.Semantic))
	f.integer("confidence", ind.Confidence)
	scalar(&f, "severity", ind.Severity)
	texts(&f, "false_positives", ind.FalsePositives)
	return f.with(ind.Extensions)
}

func patternMatchTree(p *model.PatternMatch) model.Value {
	if p == nil {
		return nil
	}
	var f fields
	f.text("target", p.Target)
	if p.Condition != nil {
		f.value("condition", conditionTree(p.Condition))
	}
	if p.Shorthand != nil {
		addOperators(&f, p.Shorthand)
	}
	return f.list
}

func expressionMatchTree(x *model.ExpressionMatch) model.Value {
	if x == nil {
		return nil
	}
	var f fields
	f.value("cel", x.CEL)
	if x.Variables != nil {
		variables := make(model.Object, len(x.Variables))
		for i, v := range x.Variables {
			variables[i] = model.Member{Key: v.Name, Value: v.Path}
		}
		f.value("variables", variables)
	}
	return f.list
}

func semanticMatchTree(s *model.SemanticMatch) model.Value {
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

// numberOf formats a double such that it round-trips.
func numberOf(f float64) model.Number {
	switch {
	case math.IsNaN(f):
		return model.NaN
	case math.IsInf(f, 1):
		return model.Inf
	case math.IsInf(f, -1):
		return model.NegInf
	}
	return model.Number(strconv.FormatFloat(f, 'g', -1, 64))
}
