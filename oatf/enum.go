package oatf

import "github.com/cupel-dev/cupel/oatf/model"

// Enumerations used by this package (§2.20). Protocol, Mode and Surface are open: any well-formed value is
// accepted. Package model has the constants and the other enumerations.
type (
	Protocol        = model.Protocol
	Mode            = model.Mode
	Surface         = model.Surface
	ExtractorSource = model.ExtractorSource
	Direction       = model.Direction
)

// The side of an exchange that an indicator examines (revision 2026-03).
const (
	DirectionRequest  = model.DirectionRequest
	DirectionResponse = model.DirectionResponse
)

// The reasons why an indicator has no result (§7.3).
const (
	EvaluationPathResolution    = model.EvaluationPathResolution
	EvaluationRegexTimeout      = model.EvaluationRegexTimeout
	EvaluationCELError          = model.EvaluationCELError
	EvaluationTypeError         = model.EvaluationTypeError
	EvaluationSemanticError     = model.EvaluationSemanticError
	EvaluationUnsupportedMethod = model.EvaluationUnsupportedMethod
)
