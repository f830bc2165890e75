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

// readCondition reads a condition: a mapping with at least one operator is a set of
// operators, anything else a value to compare with.
func readCondition(n node) model.Condition {
	if n.yaml.Kind != yaml.MappingNode {
		return model.Condition{Value: n.value()}
	}
	o := n.object()
	if !slices.ContainsFunc(o.keys, isOperator) {
		return model.Condition{Value: n.value()}
	}
	operators := readOperators(o)
	operators.Exists = o.takeAny("exists").boolean()
	o.close()
	return model.Condition{Operators: operators}
}

func isOperator(key *yaml.Node) bool {
	return key.Kind == yaml.ScalarNode && slices.Contains(vocabulary.ConditionOperators, key.Value)
}

// readOperators reads the operators that pattern shorthand and conditions share. None of
// them can be null.
func readOperators(o *object) *model.MatchCondition {
	return &model.MatchCondition{
		Contains:   o.takeAny("contains").optionalText(),
		StartsWith: o.takeAny("starts_with").optionalText(),
		EndsWith:   o.takeAny("ends_with").optionalText(),
		Regex:      o.takeAny("regex").optionalText(),
		AnyOf:      readAnyOf(o.takeAny("any_of")),
		GT:         o.takeAny("gt").number(),
		LT:         o.takeAny("lt").number(),
		GTE:        o.takeAny("gte").number(),
		LTE:        o.takeAny("lte").number(),
	}
}

func readAnyOf(n node) []model.Value {
	if n.isThere() && yamltext.IsNull(n.yaml) {
		n.wrongType("a list")
		return nil
	}
	return list(n, node.value)
}
