// Package vocabulary contains the words of revision 0.1: enumerations, surfaces, modes, events, and
// the spelling of names, ids and dot-paths.
package vocabulary

import (
	"slices"
	"strings"

	"github.com/cupel-dev/cupel/oatf/model"
)

// The members of the enumerations that documents carry, in the specification's order.
var (
	SeverityLevels      = []model.SeverityLevel{model.SeverityInformational, model.SeverityLow, model.SeverityMedium, model.SeverityHigh, model.SeverityCritical}
	Impacts             = []model.Impact{model.ImpactBehaviorManipulation, model.ImpactDataExfiltration, model.ImpactDataTampering, model.ImpactUnauthorizedActions, model.ImpactInformationDisclosure, model.ImpactCredentialTheft, model.ImpactServiceDisruption, model.ImpactPrivilegeEscalation}
	Categories          = []model.Category{model.CategoryCapabilityPoisoning, model.CategoryResponseFabrication, model.CategoryContextManipulation, model.CategoryOversightBypass, model.CategoryTemporalManipulation, model.CategoryAvailabilityDisruption, model.CategoryCrossProtocolChain}
	Statuses            = []model.Status{model.StatusDraft, model.StatusExperimental, model.StatusStable, model.StatusDeprecated}
	CorrelationLogics   = []model.CorrelationLogic{model.CorrelationAny, model.CorrelationAll}
	ExtractorSources    = []model.ExtractorSource{model.SourceRequest, model.SourceResponse}
	ExtractorTypes      = []model.ExtractorType{model.ExtractorJSONPath, model.ExtractorRegex}
	IntentClasses       = []model.SemanticIntentClass{model.IntentPromptInjection, model.IntentDataExfiltration, model.IntentPrivilegeEscalation, model.IntentSocialEngineering, model.IntentInstructionOverride}
	Relationships       = []model.Relationship{model.RelationshipPrimary, model.RelationshipRelated}
	LogLevels           = []model.LogLevel{model.LogInfo, model.LogWarn, model.LogError}
	ElicitationModes    = []model.ElicitationMode{model.ElicitationForm, model.ElicitationURL}
	Directions          = []model.Direction{model.DirectionRequest, model.DirectionResponse}
	IndicatorMethods    = []model.IndicatorMethod{model.MethodPattern, model.MethodExpression, model.MethodSemantic}
	ElicitationOutcomes = []string{"accept", "decline", "cancel"} // mcp_client elicitation_responses[].action
)

// IsMember reports whether value belongs to a closed enumeration.
func IsMember[E ~string](value E, members []E) bool { return slices.Contains(members, value) }

// OneOf lists the members of an enumeration for a message.
func OneOf[E ~string](members []E) string { return strings.Join(Names(members), ", ") }

// Names returns the members of an enumeration as strings.
func Names[E ~string](members []E) []string {
	out := make([]string, len(members))
	for i, m := range members {
		out[i] = string(m)
	}
	return out
}

// Actions are the known entry actions of all revisions.
var Actions = []string{"send_notification", "send_elicitation", "send", "log"}

// ConditionOperators are the keys of a MatchCondition. All but the last are also allowed directly in a pattern.
var ConditionOperators = []string{"contains", "starts_with", "ends_with", "regex", "any_of", "gt", "lt", "gte", "lte", "exists"}

// Tiers grade how far an attack came, lowest first. They are a known runner's extension for indicators of revision
// 2026-03.
var Tiers = []string{"ingested", "local_action", "boundary_breach"}
