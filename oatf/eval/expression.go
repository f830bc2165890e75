package eval

import (
	"context"

	"github.com/cupel-dev/cupel/internal/say"
	"github.com/cupel-dev/cupel/oatf"
)

// EvaluateExpression evaluates a CEL expression on a message (§4.3). The message is bound to `message`, and
// variables to the values at their paths, or null if a path does not exist. The error is an [oatf.EvaluationError]:
// unsupported_method without an evaluator, type_error for a non-boolean result, path_resolution for a variable with
// an invalid path. An evaluator's error keeps its kind or becomes cel_error, as do panics.
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

// checkVariables returns an error for variables with an invalid path.
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

// ask evaluates an expression with checked variables.
func ask(ctx context.Context, e *oatf.ExpressionMatch, message oatf.Value, cel CELEvaluator) (bool, error) {
	variables := make(map[string]oatf.Value, 1+len(e.Variables))
	variables["message"] = message
	for _, v := range e.Variables {
		variables[v.Name], _ = oatf.ResolveSimplePath(v.Path, message)
	}
	return evaluateCEL(ctx, cel, e.CEL, variables)
}

// takeExpression evaluates an expression on each root until it is true. An error counts only if no root has a
// result.
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
