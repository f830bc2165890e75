package lint

import (
	"github.com/cupel-dev/cupel/oatf/internal/profile"
	"github.com/cupel-dev/cupel/oatf/model"
)

type kinds uint8

const (
	kindText kinds = 1 << iota
	kindNumber
	kindOther // null and booleans
	kindStructure
	anyKind = kindText | kindNumber | kindOther | kindStructure
)

func kindOfValue(v model.Value) kinds {
	switch v.(type) {
	case string:
		return kindText
	case model.Number:
		return kindNumber
	case model.Object, []model.Value:
		return kindStructure
	}
	return kindOther
}

// admits returns the kinds of values that can match a condition. A contradiction admits none.
func admits(p *profile.Profile, c *model.Condition) kinds {
	if c.Operators == nil {
		return kindOfValue(c.Value)
	}
	return operatorsAdmit(p, c.Operators)
}

func operatorsAdmit(p *profile.Profile, c *model.MatchCondition) kinds {
	set := anyKind
	if comparesText(c) && p.Evaluation.Texts == profile.StringsAlone {
		set &= kindText
	}
	if comparesNumbers(c) {
		set &= kindNumber
	}
	if len(c.AnyOf) > 0 { // an empty one has a separate rule
		listed := kinds(0)
		for _, v := range c.AnyOf {
			listed |= kindOfValue(v)
		}
		set &= listed
	}
	if emptyRange(c) {
		return 0
	}
	return set
}

func comparesText(c *model.MatchCondition) bool {
	return c.Contains != nil || c.StartsWith != nil || c.EndsWith != nil || c.Regex != nil
}

func comparesNumbers(c *model.MatchCondition) bool {
	return c.GT != nil || c.LT != nil || c.GTE != nil || c.LTE != nil
}

// emptyRange reports whether no number is within the limits.
func emptyRange(c *model.MatchCondition) bool {
	above := func(low, high *model.Number, touching bool) bool {
		if low == nil || high == nil {
			return false
		}
		l, h := low.Float64(), high.Float64()
		return l > h || touching && l == h
	}
	return above(c.GT, c.LT, true) || above(c.GT, c.LTE, true) || above(c.GTE, c.LT, true) || above(c.GTE, c.LTE, false)
}

// onlyAbsence reports whether a condition requires the field to be absent.
func onlyAbsence(c *model.Condition) bool {
	return c.Operators != nil && c.Operators.Exists != nil && !*c.Operators.Exists
}

// neverHolds returns why neither a value nor its absence can match a condition, or "".
func neverHolds(p *profile.Profile, c *model.Condition) string {
	o := c.Operators
	switch {
	case o == nil:
		return ""
	case onlyAbsence(c):
		if comparesText(o) || comparesNumbers(o) || o.AnyOf != nil {
			return "exists: false excludes every other operator"
		}
		return ""
	case emptyRange(o):
		return "no number is between the bounds"
	case operatorsAdmit(p, o) == 0:
		return "the operators need values of different types"
	}
	return ""
}
