package reasoning

import (
	"github.com/cupel-dev/cupel/internal/siphash"
	"github.com/cupel-dev/cupel/trace/internal/reasoning/evidence"
	"github.com/cupel-dev/cupel/trace/internal/reasoning/format"
)

// Snapshot is a checker's state between two blocks, as JSON by part. Another run continues from it with the same
// findings. It must be stored where only trusted programs can change it.
type Snapshot struct {
	Shape    format.Shape `json:"shape"`
	Keys     siphash.Key  `json:"keys"`     // for hashing ids; with them, ids with collisions can be made
	Started  bool         `json:"started"`  // the faults of the plan are reported
	Rejected bool         `json:"rejected"` // the trace has a structural fault
	Counts   counts       `json:"counts"`

	Head      headState      `json:"head"`
	Additive  additiveState  `json:"additive"`
	Numbering numberingState `json:"numbering"`
	Steps     stepsState     `json:"steps"`
	Calls     callsState     `json:"calls"`
	Claims    claimsState    `json:"claims"`
	Evidence  evidence.State `json:"evidence"`
	TraceID   traceIDState   `json:"trace_id"`
	Manifest  manifestState  `json:"manifest"`
	Coverage  coverageState  `json:"coverage"`
	Scope     scopeState     `json:"scope"`
}
