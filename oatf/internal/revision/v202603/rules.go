package v202603

import (
	"github.com/cupel-dev/cupel/finding"
	"github.com/cupel-dev/cupel/oatf/internal/revision/sdk01"
	"github.com/cupel-dev/cupel/oatf/internal/rules"
)

// What the rules rest on.
const (
	format = "OATF format 2026-03, "
	sdk    = "OATF SDK specification 2026-03, "
)

// row is a rule's id, clause and severity in this revision.
type row struct {
	id, clause string
	severity   finding.Severity
	title      string // "": that of the earlier revision
}

var rows = map[rules.Handle]row{
	rules.Version:                  {id: "V-001", clause: format + "§11.1.1"},
	rules.FirstKey:                 {id: "V-002", clause: format + "§11.1.2"},
	rules.OneAttack:                {id: "V-003", clause: format + "§11.1.3"},
	rules.HasExecution:             {id: "V-004", clause: format + "§11.1.4"},
	rules.EnumMember:               {id: "V-005", clause: format + "§11.1.5"},
	rules.SomeIndicators:           {id: "V-006", clause: format + "§11.1.9"},
	rules.SomePhases:               {id: "V-007", clause: format + "§11.1.7, §11.1.8"},
	rules.TerminalPhase:            {id: "V-008", clause: format + "§11.1.7"},
	rules.FirstState:               {id: "V-009", clause: format + "§11.1.7"},
	rules.UniqueIndicatorID:        {id: "V-010", clause: format + "§11.1.10"},
	rules.UniquePhaseName:          {id: "V-011", clause: format + "§11.1.7"},
	rules.OneMethod:                {id: "V-012", clause: format + "§11.1.11"},
	rules.Regex:                    {id: "V-013", clause: format + "§6.2"},
	rules.CEL:                      {id: "V-014", clause: format + "§6.3"},
	rules.JSONPath:                 {id: "V-015", clause: format + "§5.5"},
	rules.TemplateSyntax:           {id: "V-016", clause: format + "§5.7"},
	rules.SeverityConfidence:       {id: "V-017", clause: format + "§4.3"},
	rules.KnownSurface:             {id: "V-018", clause: format + "§7", severity: finding.Warning},
	rules.CountNeedsEvent:          {id: "V-019", clause: format + "§5.3"},
	rules.PlainYAML:                {id: "V-020", clause: format + "§11.1.1"},
	rules.TargetSyntax:             {id: "V-021", clause: format + "§6.1, §6.2, §6.4"},
	rules.Threshold:                {id: "V-022", clause: format + "§6.4"},
	rules.AttackID:                 {id: "V-023", clause: format + "§4.2"},
	rules.IndicatorID:              {id: "V-024", clause: format + "§6.1"},
	rules.IndicatorConfidence:      {id: "V-025", clause: format + "§6.1"},
	rules.VariablePath:             {id: "V-026", clause: format + "§6.3"},
	rules.PredicateKey:             {id: "V-027", clause: format + "§5.4"},
	rules.ModeAndProtocol:          {id: "V-028", clause: format + "§5.1"},
	rules.KnownEvent:               {id: "V-029", clause: format + "§7", severity: finding.Warning},
	rules.OneForm:                  {id: "V-030", clause: format + "§5.1"},
	rules.Actors:                   {id: "V-031", clause: format + "§5.1"},
	rules.ActorReference:           {id: "V-032", clause: format + "§5.5"},
	rules.OneDefault:               {id: "V-033", clause: format + "§11.1.14"},
	rules.ModePattern:              {id: "V-034", clause: format + "§5.1"},
	rules.PositiveVersion:          {id: "V-035", clause: format + "§4.2"},
	rules.DurationSyntax:           {id: "V-036", clause: format + "§5.2"},
	rules.ExtractorName:            {id: "V-037", clause: format + "§5.5"},
	rules.SomeExtractors:           {id: "V-038", clause: format + "§11.1.7"},
	rules.VariableName:             {id: "V-039", clause: format + "§11.1.15"},
	rules.EventOrAfter:             {id: "V-040", clause: format + "§5.3"},
	rules.OneAction:                {id: "V-041", clause: format + "§11.1.16"},
	rules.SelectorGroup:            {id: "V-042", clause: format + "§5.5", title: "a regex selector has a capture group"},
	rules.SomeActions:              {id: "V-043", clause: format + "§5.2", title: "on_enter, when present, is not empty"},
	rules.PhaseMode:                {id: "V-044", clause: format + "§5.2", title: "the mode of a phase is its actor's"},
	rules.UniqueImpact:             {id: "V-045", clause: format + "§4.2", title: "impact lists each kind once"},
	rules.GracePeriod:              {id: "V-046", clause: format + "§4.2", title: "grace_period is a duration"},
	rules.CorrelationHasIndicators: {id: "V-047", clause: sdk + "§2.3a", title: "correlation stands beside indicators"},
	rules.IndicatorActor:           {id: "V-048", clause: format + "§6.1", title: "indicator.actor names an actor that exists"},
	rules.PresentMethod:            {id: "V-049", clause: format + "§6.1", title: "indicator.method names a detection key that is present"},
	rules.FirstKeyAdvice:           {id: "W-001", clause: sdk + "§7.0", severity: finding.Warning},
	rules.KnownMode:                {id: "W-002", clause: sdk + "§7.0", severity: finding.Warning},
	rules.KnownProtocol:            {id: "W-003", clause: sdk + "§7.0", severity: finding.Warning},
	rules.ReferenceResolves:        {id: "W-004", clause: sdk + "§7.0", severity: finding.Warning},
	rules.SpokenProtocol:           {id: "W-005", clause: sdk + "§7.0", severity: finding.Warning},
	rules.Synthesized:              {id: "W-006", clause: sdk + "§7.0", severity: finding.Warning, title: "a synthesize block is reserved"},
	rules.SemanticIndicator:        {id: "W-007", clause: sdk + "§7.0", severity: finding.Warning, title: "a semantic indicator needs a model"},
}

// own are the rules of the revision beside those that all share.
func own() rules.Set {
	var set rules.Set
	for h, r := range rows {
		rule := sdk01.Profile.Rules[h]
		rule.ID, rule.Clause = r.id, r.clause
		if rule.Severity = r.severity; r.severity == 0 {
			rule.Severity, rule.Class = finding.Error, "non-conforming"
		}
		if r.title != "" {
			rule.Title = r.title
		}
		set[h] = rule
	}
	return set
}
