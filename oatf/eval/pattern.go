package eval

import (
	"fmt"
	"strconv"

	"github.com/cupel-dev/cupel/oatf"
	"github.com/cupel-dev/cupel/oatf/internal/expression"
	"github.com/cupel-dev/cupel/oatf/internal/primitive"
	"github.com/cupel-dev/cupel/oatf/internal/profile"
	"github.com/cupel-dev/cupel/oatf/internal/value"
	"github.com/cupel-dev/cupel/oatf/internal/view"
)

// EvaluatePattern reports whether any value at the pattern's target satisfies its condition (§4.2). A target that
// does not exist does not match. Shorthand patterns are allowed.
//
// The error is an [oatf.EvaluationError]: path_resolution for a missing target (see [EvaluateIndicator] for
// defaults), an invalid one, or one deeper than 64 levels; type_error for a missing or invalid condition;
// regex_timeout for a regular expression that could take seconds on the text, which is not started.
//
// "exists: true" matches any existing value; "exists: false" never matches.
func EvaluatePattern(p *oatf.PatternMatch, message oatf.Value) (bool, error) {
	return sdk01.EvaluatePattern(p, message)
}

// EvaluatePattern is [EvaluatePattern] under the profile. In revision 2026-03, "exists: false" alone matches a
// target that does not exist, and string operators apply to the compact JSON of other values.
func (p Profile) EvaluatePattern(match *oatf.PatternMatch, message oatf.Value) (bool, error) {
	compiled, err := compilePattern(p.profile, match, NewBudget())
	if err != nil {
		return false, err
	}
	matched, resolved := false, false
	compiled.path.Each(message, func(v oatf.Value, _ *primitive.Trail) bool {
		resolved = true
		text, isText := compiled.condition.Text(v)
		if isText && compiled.needles.Absent(text) {
			return true
		}
		if fault := compiled.tooLong(text); isText && fault != nil {
			err = fault
		} else {
			matched = compiled.condition.MatchText(v, text, isText)
		}
		return !matched
	})
	if matched || compiled.absence && !resolved {
		return true, nil // whatever was too long before it
	}
	return false, err
}

type pattern struct {
	path      primitive.Path
	condition *primitive.Condition
	key       string // the same for conditions that mean the same only
	needle    needle
	needles   expression.Needles // of its regular expression
	size      int                // instructions of its regular expression, or 0
	work      int                // steps of a search for it for each byte of a text
	textual   bool               // only a string can match
	absence   bool               // matches an unresolved target
}

func compilePattern(as *profile.Profile, p *oatf.PatternMatch, budget *Budget) (pattern, error) {
	standard := view.Standard(*p)
	if standard.Shorthand != nil {
		return pattern{}, &oatf.EvaluationError{
			Kind: oatf.EvaluationTypeError, Message: "the pattern has a condition and an operator, expected only one",
		}
	}
	path, err := compileTarget(standard.Target)
	if err != nil {
		return pattern{}, err
	}
	size := regexSize(standard.Condition)
	if err := budget.spend(size); err != nil {
		return pattern{}, err
	}
	condition, err := primitive.CompileCondition(as, standard.Condition)
	if err != nil {
		return pattern{}, err
	}
	compiled := pattern{
		path: path, condition: condition, key: conditionKey(standard.Condition), needle: needleOf(standard.Condition), size: size,
		textual: condition.Textual() && !condition.Coerced(),
		absence: as.Evaluation.Absence && primitive.IsAbsence(standard.Condition.Operators),
	}
	if size > 0 {
		compiled.work = expression.RegexWork(*standard.Condition.Operators.Regex)
		compiled.needles = expression.NeedlesOf(*standard.Condition.Operators.Regex)
	}
	if condition.Coerced() {
		compiled.key = "text of " + compiled.key
	}
	if compiled.absence {
		compiled.key = "absence"
	}
	return compiled, nil
}

// compileTarget compiles the target of a pattern or semantic match.
func compileTarget(target *string) (primitive.Path, error) {
	if target == nil {
		return primitive.Path{}, &oatf.EvaluationError{
			Kind: oatf.EvaluationPathResolution, Message: "the target is missing, and there is no surface with a default target",
		}
	}
	return primitive.CompilePath(*target)
}

// conditionKey returns a text that is equal only for equal conditions.
func conditionKey(c *oatf.Condition) string {
	if c.Operators == nil {
		return string(appendKey([]byte{'='}, c.Value))
	}
	o := c.Operators
	var key []byte
	for i, text := range []*string{o.Contains, o.StartsWith, o.EndsWith, o.Regex} {
		if text != nil {
			key = appendKey(strconv.AppendInt(key, int64(i), 10), *text)
		}
	}
	for i, number := range []*oatf.Number{o.GT, o.LT, o.GTE, o.LTE} {
		if number != nil {
			key = appendKey(append(key, "<>gl"[i]), *number)
		}
	}
	if o.AnyOf != nil {
		key = appendKey(append(key, '?'), o.AnyOf)
	}
	if o.Exists != nil {
		key = strconv.AppendBool(append(key, '!'), *o.Exists)
	}
	return string(key)
}

// appendKey appends a value as JSON, which distinguishes strings from numbers, and as formatted by
// Go, for values that JSON lacks.
func appendKey(dst []byte, v oatf.Value) []byte {
	return fmt.Appendf(value.JSON(dst, v), " %v ", v)
}
