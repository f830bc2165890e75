package eval

import (
	"context"

	"github.com/cupel-dev/cupel/oatf/model"

	"github.com/cupel-dev/cupel/oatf"
)

// CELEvaluator evaluates CEL expressions (SDK specification §6.1). [NewCEL] returns the default one.
//
// Evaluate evaluates an expression with variables: "message" and those of the indicator, nil if
// unresolved. The result is a bool. Anything else is an [oatf.EvaluationError] of kind type_error
// for a non-boolean result, unsupported_method for an unknown function, and cel_error for other
// errors and exceeded limits. Other types of errors count as cel_error.
//
// Evaluators must not have side effects or change or keep the variables, must return soon after ctx
// ends, and must be safe for concurrent use.
type CELEvaluator interface {
	Evaluate(ctx context.Context, expression string, variables map[string]oatf.Value) (oatf.Value, error)
}

// SemanticEvaluator scores how well a text matches an intent (SDK specification §6.2). It needs a model, so cupel has
// no default.
//
// The score is from 0 to 1. The indicator matches if the highest score of its selected texts reaches its threshold or
// [DefaultThreshold]. An error or invalid score is an error verdict of kind semantic_error.
//
// Evaluators must return soon after ctx ends and be safe for concurrent use.
type SemanticEvaluator interface {
	Evaluate(ctx context.Context, query SemanticQuery) (score float64, err error)
}

// SemanticQuery is the input of a semantic evaluator.
type SemanticQuery struct {
	Text        string                     // observed text
	Intent      string                     // intent to compare with
	IntentClass *model.SemanticIntentClass // hint for classifiers, or nil
	Threshold   *float64                   // the indicator's threshold, or nil
	Examples    *model.SemanticExamples    // for calibration, or nil
}

// DefaultThreshold is the threshold of a semantic indicator without one.
const DefaultThreshold = 0.7

// GenerationProvider generates the content of a `synthesize` block (SDK specification §6.3). It needs a model, so
// cupel has no default.
//
// The prompt is interpolated. The response context is the protocol binding's data, such as a tool's
// inputSchema. The caller checks the answer's structure and adds the phase's name. Errors are
// [oatf.GenerationError]; others count as model_error.
//
// Providers must return soon after ctx ends.
type GenerationProvider interface {
	Generate(ctx context.Context, prompt string, protocol oatf.Protocol, responseContext oatf.Value) (oatf.Value, error)
}
