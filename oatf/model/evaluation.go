package model

// EvaluationErrorKind says why an indicator has no answer (§7.3).
type EvaluationErrorKind string

// The kinds of evaluation errors.
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

	Cause error // what led to it, such as the error of a context; may be nil
}

// Error says which indicator, what, and of which kind.
func (e *EvaluationError) Error() string {
	return at(e.IndicatorID) + e.Message + " [" + string(e.Kind) + "]"
}

// Unwrap gives the cause.
func (e *EvaluationError) Unwrap() error { return e.Cause }

// GenerationErrorKind says why a response could not be generated (§7.3a).
type GenerationErrorKind string

// The kinds of generation errors.
const (
	GenerationProviderUnavailable GenerationErrorKind = "provider_unavailable" // there is no provider
	GenerationModelError          GenerationErrorKind = "model_error"          // the provider failed
	GenerationValidationFailure   GenerationErrorKind = "validation_failure"   // the output is not what the protocol binding expects
	GenerationTimeout             GenerationErrorKind = "timeout"              // the provider took too long
	GenerationContentPolicy       GenerationErrorKind = "content_policy"       // the provider refuses the prompt
)

// GenerationError is a fault that keeps a response from being generated (§7.3a). A provider
// fills in Kind and Message; phase and prompt are added by what called it.
type GenerationError struct {
	Kind          GenerationErrorKind
	Message       string
	PhaseName     string // the phase during which it was attempted; "" when it is not known
	PromptPreview string // the beginning of the interpolated prompt, see PromptPreview; may be ""

	Cause error // what led to it; may be nil
}

// Error says in which phase, what, and of which kind.
func (e *GenerationError) Error() string {
	return at(e.PhaseName) + e.Message + " [" + string(e.Kind) + "]"
}

// Unwrap gives the cause.
func (e *GenerationError) Unwrap() error { return e.Cause }

// promptPreview is how much of a prompt a GenerationError shows, in code points (§7.3a).
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
