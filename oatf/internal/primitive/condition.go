package primitive

import (
	"regexp"
	"strings"

	"github.com/cupel-dev/cupel/internal/say"
	"github.com/cupel-dev/cupel/oatf/internal/expression"
	"github.com/cupel-dev/cupel/oatf/internal/profile"
	"github.com/cupel-dev/cupel/oatf/internal/value"
	"github.com/cupel-dev/cupel/oatf/model"
)

// Condition is a compiled condition on a value (§5.3).
type Condition struct {
	tests   []test // all must hold; at least one
	textual bool   // one of them compares strings
	coerced bool   // treats non-string values as text
}

// test is an operator of a condition, or the equality with a bare value.
type test struct {
	operator string
	match    func(model.Value) bool        // nil for an operator that compares strings
	text     func(string) bool             // nil for any other
	span     func(string) (start, end int) // where in a string that matches; nil is all of it
}

// Equality is the operator that Why returns for the comparison with a bare value.
const Equality = "equality"

// CompileCondition compiles a condition. It returns an error of kind type_error for a missing or empty condition or
// an invalid regular expression. Conditions apply to existing values: "exists: true" is satisfied and "exists:
// false" is not.
func CompileCondition(p *profile.Profile, c *model.Condition) (*Condition, error) {
	if c == nil {
		return nil, fault(model.EvaluationTypeError, "there is no condition")
	}
	if c.Operators == nil {
		return &Condition{tests: []test{{operator: Equality, match: func(v model.Value) bool { return value.Equal(v, c.Value) }}}}, nil
	}
	compiled := &Condition{}
	o := c.Operators
	compiled.texts(o)
	if o.Regex != nil {
		regex, _, err := compileRegex(*o.Regex)
		if err != nil {
			return nil, err
		}
		compiled.regex(regex)
	}
	compiled.textual = len(compiled.tests) > 0
	compiled.coerced = compiled.textual && p.Evaluation.Texts == profile.CompactJSON
	if o.AnyOf != nil {
		compiled.tests = append(compiled.tests, test{operator: "any_of", match: anyOf(o.AnyOf)})
	}
	compiled.numbers(o)
	if o.Exists != nil {
		exists := *o.Exists
		compiled.tests = append(compiled.tests, test{operator: "exists", match: func(model.Value) bool { return exists }})
	}
	if len(compiled.tests) == 0 {
		return nil, fault(model.EvaluationTypeError, "the condition has no operator")
	}
	return compiled, nil
}

// compileRegex compiles a regular expression; the size is that of expression.CompileRegex.
func compileRegex(pattern string) (regex *regexp.Regexp, size int, err error) {
	if err = expression.CheckRegex(pattern); err == nil {
		regex, size, err = expression.CompileRegex(pattern)
	}
	if err != nil {
		return nil, 0, fault(model.EvaluationTypeError, "invalid regular expression %s: %v", say.Quoted(pattern), err)
	}
	return regex, size, nil
}

// texts adds the operators that compare strings.
func (c *Condition) texts(o *model.MatchCondition) {
	for _, x := range []struct {
		operator string
		operand  *string
		holds    func(s, operand string) bool
		span     func(s, operand string) (start, end int)
	}{
		{"contains", o.Contains, strings.Contains, func(s, operand string) (int, int) {
			start := strings.Index(s, operand)
			return start, start + len(operand)
		}},
		{"starts_with", o.StartsWith, strings.HasPrefix, func(_, operand string) (int, int) { return 0, len(operand) }},
		{"ends_with", o.EndsWith, strings.HasSuffix, func(s, operand string) (int, int) { return len(s) - len(operand), len(s) }},
	} {
		if x.operand == nil {
			continue
		}
		operand := *x.operand
		c.tests = append(c.tests, test{
			operator: x.operator,
			text:     func(s string) bool { return x.holds(s, operand) },
			span:     func(s string) (int, int) { return x.span(s, operand) },
		})
	}
}

func (c *Condition) regex(regex *regexp.Regexp) {
	c.tests = append(c.tests, test{
		operator: "regex",
		text:     regex.MatchString,
		span: func(s string) (int, int) {
			at := regex.FindStringIndex(s)
			return at[0], at[1]
		},
	})
}

// anyOf returns a test for equality with one of a list. Strings are looked up in a map, because documents list
// thousands.
func anyOf(list []model.Value) func(model.Value) bool {
	texts := map[string]bool{}
	var others []model.Value
	for _, v := range list {
		if s, ok := v.(string); ok {
			texts[s] = true
		} else {
			others = append(others, v)
		}
	}
	return func(v model.Value) bool {
		if s, ok := v.(string); ok {
			return texts[s]
		}
		for _, other := range others {
			if value.Equal(v, other) {
				return true
			}
		}
		return false
	}
}

// numbers adds the operators that compare numbers.
func (c *Condition) numbers(o *model.MatchCondition) {
	for _, x := range []struct {
		operator string
		operand  *model.Number
		holds    func(order int) bool
	}{
		{"gt", o.GT, func(order int) bool { return order > 0 }},
		{"lt", o.LT, func(order int) bool { return order < 0 }},
		{"gte", o.GTE, func(order int) bool { return order >= 0 }},
		{"lte", o.LTE, func(order int) bool { return order <= 0 }},
	} {
		if x.operand == nil {
			continue
		}
		operand, ok := value.ReadDecimal(*x.operand)
		c.tests = append(c.tests, test{operator: x.operator, match: func(v model.Value) bool {
			n, isNumber := v.(model.Number)
			if !isNumber || !ok {
				return false
			}
			d, okD := value.ReadDecimal(n)
			return okD && x.holds(d.Compare(operand))
		}})
	}
}

// Match reports whether a value satisfies every operator. A value of the wrong type does not.
func (c *Condition) Match(v model.Value) bool {
	text, isText := c.Text(v)
	return c.MatchText(v, text, isText)
}

// Coerced reports whether the condition treats non-string values as text.
func (c *Condition) Coerced() bool { return c.coerced }

// Textual reports whether only text values can match.
func (c *Condition) Textual() bool { return c.textual }

// Text returns the text that string operators apply to; ok is false if there is none.
func (c *Condition) Text(v model.Value) (text string, ok bool) {
	if text, ok = v.(string); ok || !c.coerced {
		return text, ok
	}
	return string(value.Sorted(nil, v)), true
}

// MatchText is [Condition.Match] for callers that already have the result of Text.
func (c *Condition) MatchText(v model.Value, text string, isText bool) bool {
	for i := range c.tests {
		t := &c.tests[i]
		switch {
		case t.text == nil:
			if !t.match(v) {
				return false
			}
		case !isText || !t.text(text):
			return false
		}
	}
	return true
}

// Why returns the operator that matches a value: the first in the order of §5.3, or Equality. start and end are the
// matching bytes of the value's text, or 0.
func (c *Condition) Why(v model.Value) (operator string, start, end int) {
	first := &c.tests[0]
	s, ok := c.Text(v)
	switch {
	case !ok:
	case first.span == nil:
		end = len(s)
	case first.text(s):
		start, end = first.span(s)
	}
	return first.operator, start, end
}
