package conformance

import (
	"errors"

	"github.com/cupel-dev/cupel/oatf"
	"github.com/cupel-dev/cupel/oatf/internal/primitive"
)

// answers are the primitives of §5 as questions: each takes the input of a fixture and
// gives the answer as the fixture would spell it.
var answers = map[string]func(input oatf.Object) (oatf.Value, error){
	"resolve-simple-path":   simplePath,
	"resolve-wildcard-path": wildcardPath,
	"evaluate-condition":    condition,
	"evaluate-predicate":    predicate,
	"extract-protocol":      protocol,
	"parse-event-qualifier": eventQualifier,
}

// runPrimitive runs a fixture of one of them. It holds when the answer is the expected
// one, or the error is of the kind that is expected.
func runPrimitive(answer func(oatf.Object) (oatf.Value, error)) runner {
	return func(c *Case, f fixture) {
		input, _ := f.input.(oatf.Object)
		got, err := answer(input)
		if err != nil {
			c.fails(f, err)
			return
		}
		c.answers(f.expected, got)
	}
}

// answers completes a case whose answer is a value.
func (c *Case) answers(want, got oatf.Value) {
	c.Expected, c.Got = compact(want), compact(got)
	c.Pass = c.Expected == c.Got || primitive.Equal(want, got)
}

// fails completes a case whose answer is an error.
func (c *Case) fails(f fixture, err error) {
	c.Expected, c.Got = compact(f.expected), "error: "+err.Error()
	var fault *oatf.EvaluationError
	c.Pass = f.expected == "error" && errors.As(err, &fault) && f.isKind(fault)
}

// isKind says whether an error is of the kind that the fixture expects, if it says which.
func (f fixture) isKind(err *oatf.EvaluationError) bool {
	return f.errorKind == "" || err != nil && f.errorKind == string(err.Kind)
}

// simplePath answers null for what does not resolve, so that a null that does is
// {found: true, value: null}.
func simplePath(input oatf.Object) (oatf.Value, error) {
	value, _ := input.Get("value")
	got, found := oatf.ResolveSimplePath(textOf(input, "path"), value)
	if found && got == nil {
		return oatf.Object{{Key: "found", Value: true}, {Key: "value", Value: nil}}, nil
	}
	return got, nil
}

func wildcardPath(input oatf.Object) (oatf.Value, error) {
	value, _ := input.Get("value")
	got, err := oatf.ResolveWildcardPath(textOf(input, "path"), value)
	return oatf.Object{{Key: "values", Value: got}}, err
}

func condition(input oatf.Object) (oatf.Value, error) {
	written, _ := input.Get("condition")
	value, _ := input.Get("value")
	c, err := oatf.ConditionOf(written)
	if err != nil {
		return nil, err
	}
	return evaluated(oatf.EvaluateCondition(c, value))
}

func predicate(input oatf.Object) (oatf.Value, error) {
	written, _ := input.Get("predicate")
	value, _ := input.Get("value")
	p, err := oatf.PredicateOf(written)
	if err != nil {
		return nil, err
	}
	return evaluated(oatf.EvaluatePredicate(p, value))
}

func evaluated(holds bool, err error) (oatf.Value, error) { return holds, err }

func protocol(input oatf.Object) (oatf.Value, error) {
	return string(oatf.ExtractProtocol(oatf.Mode(textOf(input, "mode")))), nil
}

func eventQualifier(input oatf.Object) (oatf.Value, error) {
	base, qualifier, found := oatf.ParseEventQualifier(textOf(input, "event"))
	answer := oatf.Object{{Key: "base", Value: base}, {Key: "qualifier", Value: nil}}
	if found {
		answer[1].Value = qualifier
	}
	return answer, nil
}
