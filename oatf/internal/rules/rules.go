// Package rules is what is checked of documents, whatever the revision of the format: the
// faults that Parse finds (P), the conformance rules (V) and warnings (W) of the
// specifications, the rules about suppression comments (S) and those of lint (L). The rows of
// a revision, with the ids that it has for them, are its Set.
package rules

import (
	"cmp"
	"slices"
	"strings"

	"github.com/cupel-dev/cupel/finding"
)

// Handle names what is checked. Its id is a revision's own: one id means different things in
// two of them.
type Handle uint8

// What is checked.
const (
	// The text and its shape.
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

	// The comments that leave findings out.
	Reason
	Needed
	Known
	Form

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
	// what states hold,
	ChosenResponse
	DefaultLast
	WhenHolds
	LooseResponses
	ResponseKey
	EarlierKey
	StateKey
	WantedKey
	// what the JSON Schema of the format forbids and no conformance rule mentions, and matters
	// of wording.
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
	// The revision of the document as a whole.
	OneRevision

	count
)

// Ids that are given before the revision of a document is known, or without a document:
// they mean the same in all.
const (
	SyntaxID            = "P-001"
	ShapeID             = "P-002"
	MemberID            = "P-003"
	PlainYAMLID         = "V-020"
	ReferenceResolvesID = "W-004"
)

// Set is the rows of a revision. A row without an id is a rule that the revision does not
// have. Rows of one id are one rule with several checks.
type Set [count]finding.Rule

// Told is the set with what its rows leave out: rows that all revisions share, and in its own
// the words that are said of a rule in all of them. sdk begins the clauses of the revision's
// SDK specification; where is what an indicator of an example looks at, "surface: tool_name".
func (s Set) Told(sdk, where string) *Set {
	common := common(sdk)
	for i := range s {
		if s[i].ID == "" {
			s[i] = common[i]
		}
		if s[i].ID != "" {
			s[i] = told(told(s[i], texts[i], where), lintTexts[i], where)
		}
	}
	return &s
}

// told is a row with what it leaves out as a text has it.
func told(row, text finding.Rule, where string) finding.Rule {
	if row.Severity == finding.Info { // no rule is of so little weight
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

// Has says whether the revision has the rule.
func (s *Set) Has(h Handle) bool { return s[h].ID != "" }

// New makes a finding of the rule, without a place.
func (s *Set) New(h Handle, message string) finding.Finding { return s[h].New(message) }

// ID is the rule's id, as findings carry it; "" when the revision does not have the rule.
func (s *Set) ID(h Handle) string { return s[h].ID }

// Lookup returns the handle of a rule's id.
func (s *Set) Lookup(id string) (h Handle, ok bool) {
	i := slices.IndexFunc(s[:], func(r finding.Rule) bool { return r.ID == id && id != "" })
	return Handle(max(i, 0)), i >= 0
}

// SpecRef is the clause that a conformance rule or a warning rests on, without the name
// of its document: "§5.7"; "" for other rules.
func (s *Set) SpecRef(h Handle) string {
	if h < Version || h > SemanticIndicator {
		return ""
	}
	_, clause, _ := strings.Cut(s[h].Clause, ", ")
	return clause
}

// groups are the first letters of ids, in the order of tables.
const groups = "PVWSL"

// Table is the rules in the order of their ids: faults, rules, warnings, suppressions, lint
// rules.
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

// Complete returns the rows of a table with examples that are whole documents: one that
// is the inside of an attack gets what surrounds it.
func Complete(t finding.Table) []finding.Rule {
	list := make([]finding.Rule, len(t))
	for i, r := range t {
		r.Bad, r.Good = WholeDocument(r.Bad), WholeDocument(r.Good)
		list[i] = r
	}
	return list
}

// WholeDocument completes an example: one that is not a document is the inside of an
// attack, and an attack without execution gets the smallest one.
func WholeDocument(example string) string {
	example = strings.TrimLeft(example, "\n")
	if strings.Contains(example, "attack:") || example == "" {
		return example
	}
	var b strings.Builder
	b.WriteString("oatf: \"0.1\"\nattack:\n")
	if !strings.Contains("\n"+example, "\nexecution:") {
		b.WriteString("  execution: {mode: mcp_server, state: {tools: []}}\n")
	}
	for line := range strings.Lines(example) {
		b.WriteString("  " + line)
	}
	return b.String()
}
