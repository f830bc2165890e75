package eval

import (
	"context"

	"github.com/cupel-dev/cupel/internal/say"
	"github.com/cupel-dev/cupel/oatf"
)

// EvaluateExpression evaluates a CEL expression on a message (§4.3), which is bound to `message`;
// variables are bound to the values at their paths, null if unresolved.
//
// Without an evaluator the error is an [oatf.EvaluationError] of kind unsupported_method. A
// non-boolean result is of kind type_error, a variable with an invalid path of kind
// path_resolution, and an evaluator's error or panic keeps its kind or becomes cel_error.
func EvaluateExpression(e *oatf.ExpressionMatch, message oatf.Value, cel CELEvaluator) (bool, error) {
	return EvaluateExpressionContext(context.Background(), e, message, cel)
}

// EvaluateExpressionContext is [EvaluateExpression] with a context for the evaluator.
func EvaluateExpressionContext(ctx context.Context, e *oatf.ExpressionMatch, message oatf.Value, cel CELEvaluator) (bool, error) {
	if err := checkVariables(e); err != nil {
		return false, err
	}
	return ask(ctx, e, message, cel)
}

// checkVariables finds variables that could never have a value.
func checkVariables(e *oatf.ExpressionMatch) error {
	for _, v := range e.Variables {
		if !oatf.CheckSimplePath(v.Path) {
			return &oatf.EvaluationError{
				Kind: oatf.EvaluationPathResolution, Message: "the path of variable " + say.Quoted(v.Name) + " is not a simple dot-path: " + say.Quoted(v.Path),
			}
		}
	}
	return nil
}

// ask evaluates an expression whose variables have been checked.
func ask(ctx context.Context, e *oatf.ExpressionMatch, message oatf.Value, cel CELEvaluator) (bool, error) {
	variables := make(map[string]oatf.Value, 1+len(e.Variables))
	variables["message"] = message
	for _, v := range e.Variables {
		variables[v.Name], _ = oatf.ResolveSimplePath(v.Path, message)
	}
	return evaluateCEL(ctx, cel, e.CEL, variables)
}

// takeExpression evaluates an expression on each root until it holds. An error counts when
// no root has another answer.
func (r *BatchRun) takeExpression(ctx context.Context, c *check, s *state, roots []oatf.Value) error {
	place := Place{Operator: "cel"}
	var fault error
	answered := false
	for _, root := range roots {
		yes, err := ask(ctx, c.expression, root, c.opt.CEL)
		switch {
		case err != nil && ctx.Err() != nil:
			return ctx.Err()
		case err != nil:
			fault = err
		case yes:
			s.match(c, r.m, place, root, 0, 0)
			return nil
		default:
			answered = true
		}
	}
	if !answered {
		s.fail(c, r.m, place, fault)
	}
	return nil
}
