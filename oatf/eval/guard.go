package eval

import (
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/cupel-dev/cupel/internal/say"
	"github.com/cupel-dev/cupel/oatf"
)

// The guards turn panics and invalid answers of callers' evaluators into errors.

// mostFault limits the quoted part of an evaluator's error.
const mostFault = 200

// evaluateCEL evaluates an expression and checks that the result is a boolean.
func evaluateCEL(ctx context.Context, evaluator CELEvaluator, expression string, variables map[string]oatf.Value) (matched bool, err error) {
	if evaluator == nil {
		return false, &oatf.EvaluationError{Kind: oatf.EvaluationUnsupportedMethod, Message: noCEL}
	}
	defer recovered(&err, func(fault any) error {
		return &oatf.EvaluationError{Kind: oatf.EvaluationCELError, Message: "the CEL evaluator panicked: " + brief(fault)}
	})
	value, err := evaluator.Evaluate(ctx, expression, variables)
	if err != nil {
		return false, evaluationError(oatf.EvaluationCELError, err)
	}
	matched, ok := value.(bool)
	if !ok {
		return false, &oatf.EvaluationError{Kind: oatf.EvaluationTypeError, Message: "the CEL evaluator does not return a boolean"}
	}
	return matched, nil
}

// evaluateSemantic requests a score and checks that it is from 0 to 1.
func evaluateSemantic(ctx context.Context, evaluator SemanticEvaluator, query SemanticQuery) (score float64, err error) {
	if evaluator == nil {
		return 0, &oatf.EvaluationError{Kind: oatf.EvaluationUnsupportedMethod, Message: noSemantic}
	}
	defer recovered(&err, func(fault any) error {
		return &oatf.EvaluationError{Kind: oatf.EvaluationSemanticError, Message: "the semantic evaluator panicked: " + brief(fault)}
	})
	score, err = evaluator.Evaluate(ctx, query)
	if err != nil {
		return 0, evaluationError(oatf.EvaluationSemanticError, err)
	}
	if math.IsNaN(score) || score < 0 || score > 1 {
		return 0, &oatf.EvaluationError{Kind: oatf.EvaluationSemanticError, Message: fmt.Sprintf("the semantic evaluator returns the score %v, expected 0 to 1", score)}
	}
	return score, nil
}

func recovered(err *error, told func(fault any) error) {
	if fault := recover(); fault != nil {
		*err = told(fault)
	}
}

func brief(fault any) string { return say.Preview(fmt.Sprint(fault), mostFault) }

// evaluationError converts an evaluator's error to an EvaluationError unless it is one.
func evaluationError(kind oatf.EvaluationErrorKind, err error) error {
	var known *oatf.EvaluationError
	if errors.As(err, &known) && known != nil {
		own := *known
		return &own
	}
	return &oatf.EvaluationError{Kind: kind, Message: say.Preview(err.Error(), mostFault), Cause: err}
}

// The reasons for skipping an indicator that needs an evaluator.
const (
	noCEL      = "there is no evaluator for CEL expressions"
	noSemantic = "there is no evaluator for semantic indicators"
)
