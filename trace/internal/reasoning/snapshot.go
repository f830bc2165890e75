package reasoning

import (
	"github.com/cupel-dev/cupel/internal/siphash"
	"github.com/cupel-dev/cupel/trace/internal/reasoning/evidence"
	"github.com/cupel-dev/cupel/trace/internal/reasoning/format"
)

// Snapshot is all that a checker knows between two blocks, by part. Written as JSON and
// read again it lets another run go on where this one stopped; the findings of the two are
// those of one run. It is as trustworthy as the place where it is kept.
type Snapshot struct {
	Shape    format.Shape `json:"shape"`
	Keys     siphash.Key  `json:"keys"`     // what ids are remembered under; who knows them can forge ids that collide
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
