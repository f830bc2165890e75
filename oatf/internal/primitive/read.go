package primitive

import (
	"errors"
	"fmt"
	"slices"

	"github.com/cupel-dev/cupel/internal/say"
	"github.com/cupel-dev/cupel/oatf/internal/vocabulary"
	"github.com/cupel-dev/cupel/oatf/model"
)

// ReadCondition makes a condition of a value (§2.13): an object with an operator's key is
// a set of operators, and any other value is itself what is compared with. An operator
// that is null counts as absent. An object of operators with a key that is none, an operand
// of a wrong type or no operator that is not null is an error.
func ReadCondition(value model.Value) (model.Condition, error) {
	object, _ := value.(model.Object)
	if !slices.ContainsFunc(object, func(m model.Member) bool { return slices.Contains(vocabulary.ConditionOperators, m.Key) }) {
		return model.Condition{Value: value}, nil
	}
	operators, some := &model.MatchCondition{}, false
	for _, m := range object {
		if !slices.Contains(vocabulary.ConditionOperators, m.Key) {
			return model.Condition{}, fmt.Errorf("%s is no operator", say.Quoted(m.Key))
		}
		if m.Value == nil {
			continue
		}
		some = true
		if want := setOperator(operators, m); want != "" {
			return model.Condition{}, fmt.Errorf("%s: expected %s", m.Key, want)
		}
	}
	if !some {
		return model.Condition{}, fmt.Errorf("the condition has no operator: %s is null", object[0].Key)
	}
	return model.Condition{Operators: operators}, nil
}

// setOperator sets one operator; want is what its operand should have been, "" when it is.
func setOperator(o *model.MatchCondition, m model.Member) (want string) {
	switch m.Key {
	case "any_of":
		return setOperand(&o.AnyOf, m.Value, "a list")
	case "exists":
		return setOptional(&o.Exists, m.Value, "true or false")
	case "gt", "lt", "gte", "lte":
		operand := map[string]**model.Number{"gt": &o.GT, "lt": &o.LT, "gte": &o.GTE, "lte": &o.LTE}[m.Key]
		return setOptional(operand, m.Value, "a number")
	}
	operand := map[string]**string{"contains": &o.Contains, "starts_with": &o.StartsWith, "ends_with": &o.EndsWith, "regex": &o.Regex}[m.Key]
	return setOptional(operand, m.Value, "a string")
}

func setOperand[T any](field *T, value model.Value, want string) string {
	operand, ok := value.(T)
	if !ok {
		return want
	}
	*field = operand
	return ""
}

func setOptional[T any](field **T, value model.Value, want string) string {
	*field = new(T)
	return setOperand(*field, value, want)
}

// ReadPredicate makes a predicate (§2.10) of an object; anything else is an error, and so
// is an entry that is no condition.
func ReadPredicate(value model.Value) (model.MatchPredicate, error) {
	object, ok := value.(model.Object)
	if !ok {
		return nil, errors.New("expected an object of dot-paths and conditions")
	}
	predicate := make(model.MatchPredicate, 0, len(object))
	for _, m := range object {
		condition, err := ReadCondition(m.Value)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", say.Quoted(m.Key), err)
		}
		predicate = append(predicate, model.MatchEntry{Path: m.Key, Condition: condition})
	}
	return predicate, nil
}
