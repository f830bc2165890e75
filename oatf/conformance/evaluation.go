package conformance

import (
	"context"
	"fmt"

	"github.com/cupel-dev/cupel/oatf"
	"github.com/cupel-dev/cupel/oatf/eval"
)

// runEvaluate runs cases whose input is an indicator, a message and the available evaluators, and whose expected
// value is the result, or an error and possibly its kind.
func runEvaluate(c *Case, f fixture) {
	input, _ := f.input.(oatf.Object)
	c.Expected = compact(f.expected)
	written, _ := input.Get("indicator")
	indicator, err := f.under.IndicatorOf(written)
	if err != nil {
		c.Got = err.Error()
		return
	}
	message, _ := input.Get("message")
	verdict := eval.Under(f.under.Revision()).EvaluateIndicator(indicator, message, celOf(input), semanticOf(input))
	c.Got = compact(string(verdict.Result))
	c.Pass = f.expected == string(verdict.Result) && f.isKind(verdict.Err)
	if verdict.Err != nil {
		c.Got += " (" + verdict.Err.Error() + ")"
	}
}

// celOf returns the default CEL evaluator, or nil if the fixture says that there is none.
func celOf(input oatf.Object) eval.CELEvaluator {
	if textOf(input, "cel_evaluator") == "absent" {
		return nil
	}
	return eval.NewCEL(eval.CELOptions{})
}

// semanticOf returns the evaluator that the fixture describes, or nil.
func semanticOf(input oatf.Object) eval.SemanticEvaluator {
	mock := objectOf(input, "semantic_evaluator")
	if present, _ := mock.Get("present"); present != true {
		return nil
	}
	return mockScores(mock)
}

// mockScores is a semantic evaluator with a fixed score (mock_score) or one per text (mock_scores).
type mockScores oatf.Object

// Evaluate returns the score, or an error for a text without one.
func (m mockScores) Evaluate(_ context.Context, q eval.SemanticQuery) (float64, error) {
	score, some := oatf.Object(m).Get("mock_score")
	if !some {
		score, _ = objectOf(oatf.Object(m), "mock_scores").Get(q.Text)
	}
	n, ok := score.(oatf.Number)
	if !ok {
		return 0, fmt.Errorf("the fixture has no score for %q", q.Text)
	}
	return n.Float64(), nil
}
