package format

import "github.com/cupel-dev/cupel/trace/internal/reasoning/fault"

// Kind is an event kind. The set is closed.
type Kind uint8

// The kinds.
const (
	NoKind Kind = iota // not one of the set
	StepStarted
	ToolCalled
	ToolReturned
	EvidenceRegistered
	ClaimEmitted
	StepFinished
)

// kindNames are the names of event kinds in the format.
var kindNames = [...]string{
	StepStarted: "step_started", ToolCalled: "tool_called", ToolReturned: "tool_returned",
	EvidenceRegistered: "evidence_registered", ClaimEmitted: "claim_emitted", StepFinished: "step_finished",
}

// Event is one event line.
type Event struct {
	fault.Where
	Broken bool // it has a structural fault
	Kind   Kind
	IdxAt  fault.Place
	Step   ID

	Version   int64 // flat events may state it; 0 when absent
	VersionAt fault.Place

	ID       ID   // call.id, result.call_id, evidence.id or claim.id
	CallStep Text // call.step_id
	Evidence Evidence
	Claim    Claim
	Listed   []Listed // by the output

	Canonical   []byte      // canonical form; nil if not needed
	IsCanonical bool        // the line has the event in that form
	At          fault.Place // then, where
}

// Evidence is a piece of evidence as its event registers it.
type Evidence struct {
	URI     Text
	Span    Span // of the chunk in its document
	SHA256  Hash // of the file
	Path    Text // of the file, as written
	ChunkID Hash
}
