package parse

import (
	"slices"

	"go.yaml.in/yaml/v4"

	"github.com/cupel-dev/cupel/oatf/internal/vocabulary"
	"github.com/cupel-dev/cupel/oatf/internal/yamltext"
	"github.com/cupel-dev/cupel/oatf/model"
)

// readPredicate reads a flat mapping of dot-paths to conditions (§2.10).
func readPredicate(n node) model.MatchPredicate {
	return pairs(n, "a mapping of dot-paths to conditions", func(path string, condition node) model.MatchEntry {
		return model.MatchEntry{Path: path, Condition: readCondition(condition)}
	})
}

// readCondition parses a condition: a mapping with an operator is a set of operators, any other value is compared
// for equality.
func readCondition(n node) model.Condition {
	if n.yaml.Kind != yaml.MappingNode {
		return model.Condition{Value: n.value()}
	}
	o := n.object()
	if !slices.ContainsFunc(o.keys, isOperator) {
		return model.Condition{Value: n.value()}
	}
	operators := readOperators(o)
	operators.Exists = o.take("exists").boolean()
	o.close()
	if !o.hasOperator() {
		e := n.faults.Add(model.ParseTypeMismatch, n.yaml, n.at(), "the condition has no operator: %s is null", o.keys[slices.IndexFunc(o.keys, isOperator)].Value)
		e.Help = "give it an operand, or leave the condition out"
	}
	return model.Condition{Operators: operators}
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

// readOperators reads the operators that pattern shorthand and conditions share.
func readOperators(o *object) *model.MatchCondition {
	return &model.MatchCondition{
		Contains:   o.take("contains").optionalText(),
		StartsWith: o.take("starts_with").optionalText(),
		EndsWith:   o.take("ends_with").optionalText(),
		Regex:      o.take("regex").optionalText(),
		AnyOf:      list(o.take("any_of"), node.value),
		GT:         o.take("gt").number(),
		LT:         o.take("lt").number(),
		GTE:        o.take("gte").number(),
		LTE:        o.take("lte").number(),
	}
}
