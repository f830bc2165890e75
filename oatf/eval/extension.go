package eval

import (
	"context"

	"github.com/cupel-dev/cupel/oatf/model"

	"github.com/cupel-dev/cupel/oatf"
)

// CELEvaluator evaluates CEL expressions (SDK specification §6.1). [NewCEL] gives the
// default one.
//
// Evaluate evaluates an expression with variables bound by their names: "message", and
// those that the indicator declares; a variable whose path leads nowhere is nil. The
// answer is a bool. Anything else is an [oatf.EvaluationError]: of kind type_error when
// the expression gives no boolean, unsupported_method when it calls a function that the
// evaluator does not have, cel_error for what else fails or exceeds a limit. An error of
// another type counts as cel_error.
//
// An evaluator has no side effects, does not change or keep the variables, returns soon
// after the context is done, and is safe for concurrent use.
type CELEvaluator interface {
	Evaluate(ctx context.Context, expression string, variables map[string]oatf.Value) (oatf.Value, error)
}

// SemanticEvaluator tells how well a text matches an intent (SDK specification §6.2). There
// is no default: it takes a model.
//
// The answer is a score from 0 to 1. The indicator matches when the highest score of all
// texts that it selects reaches its threshold, or [DefaultThreshold] when it has none. An
// error, or a score out of range, is an error verdict of kind semantic_error.
//
// An evaluator returns soon after the context is done, and is safe for concurrent use.
type SemanticEvaluator interface {
	Evaluate(ctx context.Context, query SemanticQuery) (score float64, err error)
}

// SemanticQuery is what a semantic evaluator is asked.
type SemanticQuery struct {
	Text        string                     // what was observed
	Intent      string                     // what it is compared with
	IntentClass *model.SemanticIntentClass // a hint for classifiers; nil when the indicator has none
	Threshold   *float64                   // the indicator's; nil when it has none
	Examples    *model.SemanticExamples    // to calibrate the score with; nil when the indicator has none
}

// DefaultThreshold is the score at which a semantic indicator without a threshold of its
// own matches.
const DefaultThreshold = 0.7

// GenerationProvider generates what a document asks for with a `synthesize` block (SDK
// specification §6.3). There is no default: it takes a model.
//
// The prompt has all its templates interpolated. The context of the response is what
// the protocol binding knows of it, such as a tool's inputSchema. The answer has the
// structure that the binding expects; the caller checks it. What fails is an
// [oatf.GenerationError]; an error of another type counts as model_error. The provider
// knows no phases: the caller adds the phase's name.
//
// A provider returns soon after the context is done.
type GenerationProvider interface {
	Generate(ctx context.Context, prompt string, protocol oatf.Protocol, responseContext oatf.Value) (oatf.Value, error)
}
