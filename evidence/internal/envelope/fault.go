package envelope

import "github.com/cupel-dev/cupel/evidence"

// Step is the position of a check in the contract's order: an event's first fault is that of its lowest step.
type Step uint8

// The steps. StepHash, StepSequence and StepRun are used only by callers of a Checker.
const (
	StepText     Step = iota // the line as such: length, blank, UTF-8, strict JSON
	StepShape                // members present and of their types, the time parses
	StepVersion              // specversion, and presence of a content hash
	StepHash                 // the content hash is the content's
	StepSequence             // the first sequence number is 0, others follow
	StepRun                  // the run id is that of the whole bundle
	StepEnvelope             // source, run id and id
	StepBeyond               // requirements that the reference does not check
)

// The contract's codes for a single event, except its hash.
const (
	InvalidJSON   = "ContractInvalidJson"
	InvalidEvent  = "ContractInvalidEvent"
	SchemaVersion = "ContractSchemaVersion"
	JSONDepth     = "LimitJsonDepth"
	LineBytes     = "LimitLineBytes"
)

// Fault is an error in an event, or a remark about one.
type Fault struct {
	Step   Step
	Detail string // finer than the code: "member.type", "time.offset", "json.syntax", the name of a limit
	Start  int    // byte of the event's text that it is about; 0 also where it is about no byte

	// Finding has the contract's code as its rule and a JSON pointer as its path. Below
	// severity error it changes no verdict.
	Finding evidence.Finding
}

// Options are requirements beyond version 1 of the contract.
type Options struct {
	UpstreamCompatible bool // assaygit, assaypii and assaysecrets must be there, as the reference implementation wants
	LenientTime        bool // any spelling of a time that has a meaning in UTC is taken
	RequireTraceParent bool // a well-formed traceparent must be there
	Canonical          bool // View.Canonical is wanted, which takes some time; Strict wants it too
	Strict             bool // attributes that the contract does not name, and a text that is not canonical, are errors
}
