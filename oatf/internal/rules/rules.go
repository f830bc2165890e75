// Package rules lists the rules for documents of all revisions: parse faults (P), conformance rules (V), warnings
// (W), suppression rules (S) and lint rules (L). A revision has a Set with its texts and ids.
package rules

import (
	"cmp"
	"slices"
	"strings"

	"github.com/cupel-dev/cupel/finding"
)

// Handle identifies a check. Ids belong to revisions and can differ in meaning.
type Handle uint8

// The checks.
const (
	// Syntax and structure.
	Syntax Handle = iota
	Shape
	Member

	// The conformance rules.
	Version
	FirstKey
	OneAttack
	HasExecution
	EnumMember
	SomeIndicators
	SomePhases
	TerminalPhase
	FirstState
	UniqueIndicatorID
	UniquePhaseName
	OneMethod
	Regex
	CEL
	JSONPath
	TemplateSyntax
	SeverityConfidence
	KnownSurface
	CountNeedsEvent
	PlainYAML
	TargetSyntax
	Threshold
	AttackID
	IndicatorID
	IndicatorConfidence
	VariablePath
	PredicateKey
	ModeAndProtocol
	KnownEvent
	OneForm
	Actors
	ActorReference
	StaticOrGenerated
	OneDefault
	Prompt
	ModePattern
	PositiveVersion
	DurationSyntax
	ExtractorName
	SomeExtractors
	VariableName
	EventOrAfter
	OneAction
	SelectorGroup
	SomeActions
	PhaseMode
	UniqueImpact
	GracePeriod
	CorrelationHasIndicators
	IndicatorActor
	PresentMethod
	OpenMember
	OneMode

	// The warnings.
	FirstKeyAdvice
	KnownMode
	KnownProtocol
	ReferenceResolves
	SpokenProtocol
	Synthesized
	SemanticIndicator

	// Suppression comments.
	Reason
	Needed
	Known
	Form

	// A probable mistake in the YAML text.
	CutText

	// The lint rules: indicators,
	StructureTarget
	TextTarget
	AbsencePattern
	Contradiction
	OwnPayload
	EnvelopeTarget
	PayloadPath
	RunnerName
	TypedExpression
	MappingName
	WholeResult
	EnoughExamples
	GivenID
	KnownTier
	// phases and their triggers,
	TriggerFires
	OfferedName
	TriggerWaits
	ReachedPhase
	GivenName
	// templates and extractors,
	UsedExtractor
	CapturedValue
	UniqueExtractor
	// states,
	ChosenResponse
	DefaultLast
	WhenHolds
	LooseResponses
	ResponseKey
	EarlierKey
	StateKey
	WantedKey
	PayloadKey
	// forbidden only by the format's JSON Schema, and wording.
	Date
	ImpactTwice
	CorrelationAlone
	ModeBesideActors
	LinkOrName
	NoActions
	CountAtLeastOne
	EventSpelling
	PatternForm
	SomeAnyOf
	SomeExamples
	NameLength
	TagSpelling
	SomeImpact
	NoValue
	// The revision of the whole document.
	OneRevision

	count
)

// Ids used before the revision of a document is known, or without a document. They are the same in all revisions.
const (
	SyntaxID            = "P-001"
	ShapeID             = "P-002"
	MemberID            = "P-003"
	PlainYAMLID         = "V-020"
	ReferenceResolvesID = "W-004"
)

// Set is the rules of a revision. It does not have a rule whose entry has no id. Entries with the same id are one
// rule with several checks.
type Set [count]finding.Rule

// Full completes the set with shared rules and texts. sdk prefixes clauses of the SDK specification. where selects
// messages in examples, such as "surface: tool_name".
func (s Set) Full(sdk, where string) *Set {
	common := common(sdk)
	for i := range s {
		if s[i].ID == "" {
			s[i] = common[i]
		}
		if s[i].ID != "" {
			s[i] = completeRow(completeRow(s[i], texts[i], where), lintTexts[i], where)
		}
	}
	return &s
}

func completeRow(row, text finding.Rule, where string) finding.Rule {
	if row.Severity == finding.Info { // unset
		row.Severity, row.Class = text.Severity, text.Class
	}
	row.Title = cmp.Or(row.Title, text.Title)
	row.Clause = cmp.Or(row.Clause, text.Clause)
	row.Flags = cmp.Or(row.Flags, text.Flags)
	row.Rationale = cmp.Or(row.Rationale, text.Rationale)
	row.Bad = cmp.Or(row.Bad, strings.ReplaceAll(text.Bad, "<where>", where))
	row.Good = cmp.Or(row.Good, strings.ReplaceAll(text.Good, "<where>", where))
	return row
}

// Has reports whether the revision has the rule.
func (s *Set) Has(h Handle) bool { return s[h].ID != "" }

// NeedsStrict reports whether a rule applies only with --strict.
func (s *Set) NeedsStrict(h Handle) bool { return s[h].Flags == "--strict" }

// New returns a finding of the rule without a position.
func (s *Set) New(h Handle, message string) finding.Finding { return s[h].New(message) }

// ID returns the rule's id, or "" if the revision does not have the rule.
func (s *Set) ID(h Handle) string { return s[h].ID }

// Lookup returns the handle of a rule's id.
func (s *Set) Lookup(id string) (h Handle, ok bool) {
	i := slices.IndexFunc(s[:], func(r finding.Rule) bool { return r.ID == id && id != "" })
	return Handle(max(i, 0)), i >= 0
}

// SpecRef returns the clause of a conformance rule or warning, such as "§5.7", or "".
func (s *Set) SpecRef(h Handle) string {
	if h < Version || h > SemanticIndicator {
		return ""
	}
	_, clause, _ := strings.Cut(s[h].Clause, ", ")
	return clause
}

// groups are the first letters of ids, in the order of tables.
const groups = "PVWSL"

// Table returns the rules in the order of their ids: faults, rules, warnings, suppressions, lint rules.
func (s *Set) Table() finding.Table {
	table := make(finding.Table, 0, len(s))
	for _, r := range s {
		if r.ID != "" {
			table = append(table, r)
		}
	}
	slices.SortStableFunc(table, InOrder)
	return slices.CompactFunc(table, func(a, b finding.Rule) bool { return a.ID == b.ID })
}

// InOrder compares rules by their ids.
func InOrder(a, b finding.Rule) int {
	return cmp.Or(cmp.Compare(strings.IndexByte(groups, a.ID[0]), strings.IndexByte(groups, b.ID[0])), cmp.Compare(a.ID, b.ID))
}

// Complete returns the rules of a table, with examples completed to whole documents.
func Complete(t finding.Table) []finding.Rule {
	list := make([]finding.Rule, len(t))
	for i, r := range t {
		r.Bad, r.Good = WholeDocument(r.Bad), WholeDocument(r.Good)
		list[i] = r
	}
	return list
}

// WholeDocument completes an example that is the inside of an attack, with a minimal execution if necessary.
func WholeDocument(example string) string {
	example = strings.TrimLeft(example, "\n")
	if strings.Contains(example, "attack:") || example == "" {
		return example
	}
	var b strings.Builder
	b.WriteString("oatf: \"0.1\"\nattack:\n")
	switch {
	case strings.Contains("\n"+example, "\nexecution:"):
	case strings.Contains(example, "surface: tool_name"): // the agent is the server, which sends the names of tools
		b.WriteString("  execution: {mode: mcp_client, state: {actions: [list_tools]}}\n")
	default:
		b.WriteString("  execution: {mode: mcp_server, state: {tools: []}}\n")
	}
	for line := range strings.Lines(example) {
		b.WriteString("  " + line)
	}
	return b.String()
}
