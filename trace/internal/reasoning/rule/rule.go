// Package rule contains the rules of reasoning traces, addressed by handles.
package rule

import (
	"slices"

	"github.com/cupel-dev/cupel/finding"
)

// ID is an index into the rule table.
type ID uint8

// The rules, in the order of the table.
const (
	HeaderMissing ID = iota
	HeaderDuplicate
	HeaderVersionUnsupported
	HeaderVersionConflict
	VersionAssumed
	HeaderAlgoUnsupported
	HeaderCanonUnsupported
	RecordUnknown
	EventKindUnknown
	OutputKindUnknown
	OutputKindConflict
	FieldMissing
	FieldEmpty
	FieldType
	FieldUnknown

	OrderIdxNotIncreasing
	OrderIdxNegative
	OrderIdxGap
	OrderDependency
	OrderStepUnfinished
	OrderFinishWithoutStart
	OrderStepRestarted
	OrderEventOutsideStep

	PlanAbsent
	PlanUnreadable
	PlanDuplicateNode
	PlanDepMissing
	PlanCycle
	PlanIDMismatch
	PlanSpecMismatch
	PlanNodeNotExecuted

	RefStepUnknown
	RefStepMismatch
	RefCallUnknown
	RefCallDuplicate
	RefCallUnanswered
	RefResultBeforeCall
	RefResultDuplicate
	RefEvidenceUnknown
	RefEvidenceLater
	RefEvidenceDuplicate
	RefClaimUnknown
	RefClaimLater
	RefOutputUnknown

	SpanMalformed
	SpanOutOfBytes
	SpanEvidenceMismatch
	HashFormat
	HashAlgoUnsupported
	HashEvidence
	HashChunk
	HashSnippet

	PathUnsafe
	PathSymlinkEscape
	PathNotRegular
	PathMissingFile
	EvidenceUnchecked

	ClaimNoSupports
	ClaimUngrounded
	SupportKindUnknown
	SupportHashNotCheckable
	SupportFoundByHash
	MarkerLegacy
	MarkerAbsent

	TraceNoEvents
	IDTraceMismatch
	ManifestMismatch
)

// New returns a finding of the rule with its severity and without a position.
func (id ID) New(message string) finding.Finding { return table[id].New(message) }

// Severity returns the rule's default severity.
func (id ID) Severity() finding.Severity { return table[id].Severity }

// String returns the rule's id in findings, such as "hash.evidence".
func (id ID) String() string { return table[id].ID }

// All returns the rules, in the order of the documentation.
func All() []finding.Rule { return slices.Clone(table) }
