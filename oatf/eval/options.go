package eval

import (
	"time"

	"github.com/cupel-dev/cupel/internal/buildinfo"
	"github.com/cupel-dev/cupel/oatf/internal/cel/program"
)

// Options configures an evaluation. The zero Options have no evaluators: indicators that need one are skipped.
type Options struct {
	CEL      CELEvaluator      // evaluates expressions; see [NewCEL]
	Semantic SemanticEvaluator // scores texts; no default

	// Clock gives the time that verdicts carry; nil is the time of the machine.
	Clock func() time.Time

	// Source is the source named in verdicts; "" is "cupel/" with the version.
	Source string

	// Budget bounds the regular expressions of all documents evaluated with it; nil means one per document.
	Budget *Budget

	// MaxSteps bounds the steps of a run's regular expressions and CEL expressions; 0 is DefaultSteps. Beyond, they
	// fail with ErrSteps. The result does not depend on a clock. A batch uses the largest limit of its documents.
	MaxSteps int64

	// NoEvidenceText omits message content from verdicts: a match has only its place, an error only
	// its kind. Captures can contain secrets.
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

// source returns the source named in verdicts.
func (o *Options) source() string {
	if o.Source != "" {
		return o.Source
	}
	return "cupel/" + buildinfo.Version
}
