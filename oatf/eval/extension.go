package eval

import (
	"context"

	"github.com/cupel-dev/cupel/oatf/model"

	"github.com/cupel-dev/cupel/oatf"
)

// CELEvaluator evaluates CEL expressions (SDK specification §6.1). [NewCEL] returns the default one.
//
// The variables are "message" and those of the indicator, nil if their path does not exist. The result is a bool.
// Errors are [oatf.EvaluationError] of kind type_error for a non-boolean result, unsupported_method for an unknown
// function, and cel_error otherwise; other errors count as cel_error.
//
// Evaluators must not have side effects or change or keep the variables. They must return soon after ctx ends and
// be safe for concurrent use.
type CELEvaluator interface {
	Evaluate(ctx context.Context, expression string, variables map[string]oatf.Value) (oatf.Value, error)
}

// SemanticEvaluator scores how well a text matches an intent (SDK specification §6.2). It needs a model, so cupel
// does not have a default. The score is from 0 to 1. The indicator matches if the highest score of its selected
// texts reaches its threshold or [DefaultThreshold]. An error or invalid score is an error verdict of kind
// semantic_error. Evaluators must return soon after ctx ends and be safe for concurrent use.
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
// cupel does not have a default.
//
// The templates in the prompt are already replaced. The response context is data of the protocol binding, such as a
// tool's inputSchema. The caller checks the structure of the answer and adds the phase's name to errors. Errors are
// [oatf.GenerationError]; others count as model_error.
//
// Providers must return soon after ctx ends.
type GenerationProvider interface {
	Generate(ctx context.Context, prompt string, protocol oatf.Protocol, responseContext oatf.Value) (oatf.Value, error)
}
