package oatf

import (
	"time"

	"github.com/cupel-dev/cupel/oatf/model"
)

// A document and its parts (SDK specification §2.2 to §2.18). Package model describes them.
type (
	Document    = model.Document
	Attack      = model.Attack
	Correlation = model.Correlation
	Duration    = model.Duration

	Execution       = model.Execution
	Actor           = model.Actor
	Phase           = model.Phase
	Extractor       = model.Extractor
	Action          = model.Action
	Trigger         = model.Trigger
	MatchPredicate  = model.MatchPredicate
	Condition       = model.Condition
	MatchCondition  = model.MatchCondition
	Indicator       = model.Indicator
	PatternMatch    = model.PatternMatch
	ExpressionMatch = model.ExpressionMatch
	Variable        = model.Variable
	SemanticMatch   = model.SemanticMatch
)

// Free-form values (§2.1), and the extension fields that contain them.
type (
	Value  = model.Value
	Object = model.Object
	Member = model.Member
	Number = model.Number
)

// The results of Parse and Validate (§7).
type (
	Position         = model.Position
	ParseError       = model.ParseError
	ParseErrors      = model.ParseErrors
	ValidationError  = model.ValidationError
	ValidationErrors = model.ValidationErrors
	ValidationResult = model.ValidationResult
	Diagnostic       = model.Diagnostic
)

// The errors of evaluation and generation (§7.3, §7.3a).
type (
	EvaluationError     = model.EvaluationError
	EvaluationErrorKind = model.EvaluationErrorKind
)

// Limits limits the input of Parse. A zero field means its default.
type Limits = model.Limits

// The default limits; see package model.
const (
	DefaultMaxBytes  = model.DefaultMaxBytes
	DefaultMaxNodes  = model.DefaultMaxNodes
	DefaultMaxDepth  = model.DefaultMaxDepth
	DefaultMaxKey    = model.DefaultMaxKey
	DefaultMaxErrors = model.DefaultMaxErrors
)

// UnknownFields defines how Parse handles unknown keys that do not begin with "x-".
type UnknownFields = model.UnknownFields

// The treatments of unknown keys.
const (
	RejectUnknown = model.RejectUnknown // each is a ParseError of kind type_mismatch
	WarnUnknown   = model.WarnUnknown   // each is a Diagnostic of Document.Warnings; its value is dropped
)

// ParseDuration parses a duration (§5.2): a number with one unit (30s, 5m, 1h, 2d), or ISO 8601 with integer days,
// hours, minutes and seconds (PT30S, P1DT12H). It rejects weeks, months, years, fractions, signs, spaces and values
// beyond time.Duration (about 292 years).
func ParseDuration(input string) (time.Duration, error) { return model.ParseDuration(input) }

// PromptPreview returns the first 200 characters of a prompt, for a GenerationError (§7.3a).
func PromptPreview(prompt string) string { return model.PromptPreview(prompt) }
