package oatf

import "github.com/cupel-dev/cupel/oatf/model"

// The enumerations (§2.20). Protocol, Mode, Surface and Framework are open: any value of
// the right spelling is accepted. Parse rejects an unknown member of the others.
type (
	Protocol            = model.Protocol
	Mode                = model.Mode
	Surface             = model.Surface
	Framework           = model.Framework
	SeverityLevel       = model.SeverityLevel
	Impact              = model.Impact
	Category            = model.Category
	Status              = model.Status
	CorrelationLogic    = model.CorrelationLogic
	ExtractorSource     = model.ExtractorSource
	ExtractorType       = model.ExtractorType
	SemanticIntentClass = model.SemanticIntentClass
	Relationship        = model.Relationship
	LogLevel            = model.LogLevel
	ElicitationMode     = model.ElicitationMode
	Direction           = model.Direction
	IndicatorMethod     = model.IndicatorMethod
)

// How severe an attack is, from an observation to full compromise.
const (
	SeverityInformational = model.SeverityInformational
	SeverityLow           = model.SeverityLow
	SeverityMedium        = model.SeverityMedium
	SeverityHigh          = model.SeverityHigh
	SeverityCritical      = model.SeverityCritical
)

// What happens when an attack succeeds.
const (
	ImpactBehaviorManipulation  = model.ImpactBehaviorManipulation
	ImpactDataExfiltration      = model.ImpactDataExfiltration
	ImpactDataTampering         = model.ImpactDataTampering
	ImpactUnauthorizedActions   = model.ImpactUnauthorizedActions
	ImpactInformationDisclosure = model.ImpactInformationDisclosure
	ImpactCredentialTheft       = model.ImpactCredentialTheft
	ImpactServiceDisruption     = model.ImpactServiceDisruption
	ImpactPrivilegeEscalation   = model.ImpactPrivilegeEscalation
)

// By which mechanism an attack works.
const (
	CategoryCapabilityPoisoning    = model.CategoryCapabilityPoisoning
	CategoryResponseFabrication    = model.CategoryResponseFabrication
	CategoryContextManipulation    = model.CategoryContextManipulation
	CategoryOversightBypass        = model.CategoryOversightBypass
	CategoryTemporalManipulation   = model.CategoryTemporalManipulation
	CategoryAvailabilityDisruption = model.CategoryAvailabilityDisruption
	CategoryCrossProtocolChain     = model.CategoryCrossProtocolChain
)

// The life cycle of a document.
const (
	StatusDraft        = model.StatusDraft
	StatusExperimental = model.StatusExperimental
	StatusStable       = model.StatusStable
	StatusDeprecated   = model.StatusDeprecated
)

// How indicator verdicts combine.
const (
	CorrelationAny = model.CorrelationAny
	CorrelationAll = model.CorrelationAll
)

// Which message an extractor reads, and how.
const (
	SourceRequest  = model.SourceRequest
	SourceResponse = model.SourceResponse

	ExtractorJSONPath = model.ExtractorJSONPath
	ExtractorRegex    = model.ExtractorRegex
)

// Classes of malicious intent.
const (
	IntentPromptInjection     = model.IntentPromptInjection
	IntentDataExfiltration    = model.IntentDataExfiltration
	IntentPrivilegeEscalation = model.IntentPrivilegeEscalation
	IntentSocialEngineering   = model.IntentSocialEngineering
	IntentInstructionOverride = model.IntentInstructionOverride
)

// How closely an attack belongs to a framework's entry.
const (
	RelationshipPrimary = model.RelationshipPrimary
	RelationshipRelated = model.RelationshipRelated
)

// What kind of fault stopped Parse.
const (
	ParseSyntax         = model.ParseSyntax
	ParseTypeMismatch   = model.ParseTypeMismatch
	ParseUnknownVariant = model.ParseUnknownVariant
)

// How much a diagnostic weighs.
const (
	DiagnosticError   = model.DiagnosticError
	DiagnosticWarning = model.DiagnosticWarning
)

// How a log action speaks, and how an elicitation asks.
const (
	LogInfo  = model.LogInfo
	LogWarn  = model.LogWarn
	LogError = model.LogError

	ElicitationForm = model.ElicitationForm
	ElicitationURL  = model.ElicitationURL
)

// Which side of an exchange an indicator looks at, and how it looks (revision 2026-03).
const (
	DirectionRequest  = model.DirectionRequest
	DirectionResponse = model.DirectionResponse

	MethodPattern    = model.MethodPattern
	MethodExpression = model.MethodExpression
	MethodSemantic   = model.MethodSemantic
)

// Why an indicator has no answer (§7.3).
const (
	EvaluationPathResolution    = model.EvaluationPathResolution
	EvaluationRegexTimeout      = model.EvaluationRegexTimeout
	EvaluationCELError          = model.EvaluationCELError
	EvaluationTypeError         = model.EvaluationTypeError
	EvaluationSemanticError     = model.EvaluationSemanticError
	EvaluationUnsupportedMethod = model.EvaluationUnsupportedMethod
)

// Why a response could not be generated (§7.3a).
const (
	GenerationProviderUnavailable = model.GenerationProviderUnavailable
	GenerationModelError          = model.GenerationModelError
	GenerationValidationFailure   = model.GenerationValidationFailure
	GenerationTimeout             = model.GenerationTimeout
	GenerationContentPolicy       = model.GenerationContentPolicy
)
