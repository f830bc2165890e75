package eval

import (
	"time"

	"github.com/cupel-dev/cupel/internal/buildinfo"
	"github.com/cupel-dev/cupel/oatf/internal/cel/program"
)

// Options are what an evaluation works with. The zero Options have no evaluators:
// indicators that need one are skipped.
type Options struct {
	CEL      CELEvaluator      // evaluates expressions; see [NewCEL]
	Semantic SemanticEvaluator // scores texts; there is no default

	// Clock gives the time that verdicts carry; nil is the time of the machine.
	Clock func() time.Time

	// Source is what verdicts name as their source; "" is "cupel/" with the version.
	Source string

	// Budget bounds what the regular expressions of all documents together come to that are
	// evaluated with it; nil gives each document one of its own.
	Budget *Budget

	// MaxSteps is how many steps the regular expressions and CEL expressions of a run may take
	// together; 0 is DefaultSteps. Beyond, they are errors whose cause is ErrSteps. The answer
	// depends on no clock. Of the documents of a batch the largest limit counts.
	MaxSteps int64

	// NoEvidenceText leaves out of verdicts what stands in the messages: the evidence of
	// a match is its place alone, that of an error its kind. Captures hold secrets.
	NoEvidenceText bool
}

// DefaultSteps is the default of Options.MaxSteps.
const DefaultSteps = program.DefaultSteps

// ErrSteps is the cause of the error of an indicator at the limit of steps.
var ErrSteps = program.ErrSteps

// now reads the clock.
func (o *Options) now() time.Time {
	if o.Clock != nil {
		return o.Clock()
	}
	return time.Now().UTC()
}

// source is what verdicts name as their source.
func (o *Options) source() string {
	if o.Source != "" {
		return o.Source
	}
	return "cupel/" + buildinfo.Version
}
