package model

// EvaluationErrorKind is the reason why an indicator could not be evaluated (§7.3).
type EvaluationErrorKind string

const (
	EvaluationPathResolution    EvaluationErrorKind = "path_resolution"    // the path goes deeper than 64 levels
	EvaluationRegexTimeout      EvaluationErrorKind = "regex_timeout"      // a regular expression took too long
	EvaluationCELError          EvaluationErrorKind = "cel_error"          // a CEL expression failed, or exceeded its limits
	EvaluationTypeError         EvaluationErrorKind = "type_error"         // the answer is of the wrong type
	EvaluationSemanticError     EvaluationErrorKind = "semantic_error"     // the semantic evaluator failed
	EvaluationUnsupportedMethod EvaluationErrorKind = "unsupported_method" // no evaluator for it, or a function that it does not have
)

// EvaluationError is a fault at run time that keeps an indicator from being evaluated (§7.3).
type EvaluationError struct {
	Kind        EvaluationErrorKind
	Message     string
	IndicatorID string // the indicator that was evaluated; "" when it is not known

	Cause error // underlying error, such as a context's; can be nil
}

// Error returns the indicator, message and kind.
func (e *EvaluationError) Error() string {
	return at(e.IndicatorID) + e.Message + " [" + string(e.Kind) + "]"
}

// Unwrap returns the cause.
func (e *EvaluationError) Unwrap() error { return e.Cause }

// GenerationErrorKind is the reason why a response could not be generated (§7.3a).
type GenerationErrorKind string

const (
	GenerationProviderUnavailable GenerationErrorKind = "provider_unavailable" // no provider
	GenerationModelError          GenerationErrorKind = "model_error"          // the provider failed
	GenerationValidationFailure   GenerationErrorKind = "validation_failure"   // the output does not have the protocol binding's form
	GenerationTimeout             GenerationErrorKind = "timeout"              // the provider took too long
	GenerationContentPolicy       GenerationErrorKind = "content_policy"       // the provider refuses the prompt
)

// GenerationError is an error of response generation (§7.3a). Providers set Kind and Message. Callers add the phase
// and the prompt.
type GenerationError struct {
	Kind          GenerationErrorKind
	Message       string
	PhaseName     string // the phase during which it was attempted; "" when it is not known
	PromptPreview string // start of the interpolated prompt, see PromptPreview; can be ""

	Cause error // underlying error; can be nil
}

// Error returns the phase, message and kind.
func (e *GenerationError) Error() string {
	return at(e.PhaseName) + e.Message + " [" + string(e.Kind) + "]"
}

// Unwrap returns the cause.
func (e *GenerationError) Unwrap() error { return e.Cause }

// promptPreview is the size of a GenerationError's prompt preview, in code points (§7.3a).
const promptPreview = 200

// PromptPreview returns the first 200 code points of a prompt.
func PromptPreview(prompt string) string {
	n := 0
	for i := range prompt {
		if n == promptPreview {
			return prompt[:i]
		}
		n++
	}
	return prompt
}
