package model

// The open enumerations (§2.20) accept any correctly spelled value.
type (
	Protocol  string // mcp, a2a, ag_ui, …
	Mode      string // mcp_server, …: {protocol}_{server|client}
	Surface   string // see Surfaces
	Framework string // atlas, mitre_attack, owasp_llm, owasp_mcp, owasp_agentic, cwe, other, …
)

// The closed enumerations (§2.20). Parse rejects other values.
type (
	SeverityLevel       string
	Impact              string
	Category            string
	Status              string
	CorrelationLogic    string
	ExtractorSource     string
	ExtractorType       string
	SemanticIntentClass string
	Relationship        string
	ParseErrorKind      string
	DiagnosticSeverity  string
	LogLevel            string
	ElicitationMode     string
	Direction           string
	IndicatorMethod     string
	Revision            string // of the format: "sdk-0.1", "2026-03"
)

// How severe an attack is, from an observation to full compromise.
const (
	SeverityInformational SeverityLevel = "informational"
	SeverityLow           SeverityLevel = "low"
	SeverityMedium        SeverityLevel = "medium"
	SeverityHigh          SeverityLevel = "high"
	SeverityCritical      SeverityLevel = "critical"
)

// What happens when an attack succeeds.
const (
	ImpactBehaviorManipulation  Impact = "behavior_manipulation"
	ImpactDataExfiltration      Impact = "data_exfiltration"
	ImpactDataTampering         Impact = "data_tampering"
	ImpactUnauthorizedActions   Impact = "unauthorized_actions"
	ImpactInformationDisclosure Impact = "information_disclosure"
	ImpactCredentialTheft       Impact = "credential_theft"
	ImpactServiceDisruption     Impact = "service_disruption"
	ImpactPrivilegeEscalation   Impact = "privilege_escalation"
)

// Mechanisms of attacks.
const (
	CategoryCapabilityPoisoning    Category = "capability_poisoning"
	CategoryResponseFabrication    Category = "response_fabrication"
	CategoryContextManipulation    Category = "context_manipulation"
	CategoryOversightBypass        Category = "oversight_bypass"
	CategoryTemporalManipulation   Category = "temporal_manipulation"
	CategoryAvailabilityDisruption Category = "availability_disruption"
	CategoryCrossProtocolChain     Category = "cross_protocol_chain"
)

// The life cycle of a document.
const (
	StatusDraft        Status = "draft"
	StatusExperimental Status = "experimental"
	StatusStable       Status = "stable"
	StatusDeprecated   Status = "deprecated"
)

// How indicator verdicts combine.
const (
	CorrelationAny CorrelationLogic = "any"
	CorrelationAll CorrelationLogic = "all"
)

// Which message an extractor reads, and how.
const (
	SourceRequest  ExtractorSource = "request"
	SourceResponse ExtractorSource = "response"

	ExtractorJSONPath ExtractorType = "json_path"
	ExtractorRegex    ExtractorType = "regex"
)

// Classes of malicious intent.
const (
	IntentPromptInjection     SemanticIntentClass = "prompt_injection"
	IntentDataExfiltration    SemanticIntentClass = "data_exfiltration"
	IntentPrivilegeEscalation SemanticIntentClass = "privilege_escalation"
	IntentSocialEngineering   SemanticIntentClass = "social_engineering"
	IntentInstructionOverride SemanticIntentClass = "instruction_override"
)

// How closely an attack belongs to a framework's entry.
const (
	RelationshipPrimary Relationship = "primary"
	RelationshipRelated Relationship = "related"
)

// What kind of fault stopped Parse.
const (
	ParseSyntax         ParseErrorKind = "syntax"
	ParseTypeMismatch   ParseErrorKind = "type_mismatch"
	ParseUnknownVariant ParseErrorKind = "unknown_variant"
)

// How much a diagnostic weighs.
const (
	DiagnosticError   DiagnosticSeverity = "error"
	DiagnosticWarning DiagnosticSeverity = "warning"
)

// Levels of a log action, and modes of an elicitation.
const (
	LogInfo  LogLevel = "info"
	LogWarn  LogLevel = "warn"
	LogError LogLevel = "error"

	ElicitationForm ElicitationMode = "form"
	ElicitationURL  ElicitationMode = "url"
)

// Directions of an operation.
const (
	DirectionRequest  Direction = "request"
	DirectionResponse Direction = "response"
)

// How an indicator examines messages.
const (
	MethodPattern    IndicatorMethod = "pattern"
	MethodExpression IndicatorMethod = "expression"
	MethodSemantic   IndicatorMethod = "semantic"
)
