package oatf

// CelEvaluator evaluates a CEL expression against named variables (§6.1). It has no
// side effects and returns an *EvaluationError when it cannot answer.
type CelEvaluator interface {
	Evaluate(expression string, context map[string]Value) (Value, error)
}

// SemanticEvaluator scores how well a text shows an intent, from 0 to 1 (§6.2). The
// package has no implementation of it.
type SemanticEvaluator interface {
	Evaluate(text, intent string, class *SemanticIntentClass, threshold *float64, examples *SemanticExamples) (float64, error)
}

// GenerationProvider generates protocol-conformant content from a resolved prompt
// (§6.3) and returns a *GenerationError when it cannot. The package has no
// implementation of it.
type GenerationProvider interface {
	Generate(prompt string, protocol Protocol, responseContext Value) (Value, error)
}
