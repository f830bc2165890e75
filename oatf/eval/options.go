package eval

import (
	"time"

	"github.com/cupel-dev/cupel/internal/buildinfo"
	"github.com/cupel-dev/cupel/oatf/internal/cel/program"
)

// Options configures an evaluation. The zero value has no evaluators: indicators that need one are skipped.
type Options struct {
	CEL      CELEvaluator      // evaluates expressions; see [NewCEL]
	Semantic SemanticEvaluator // scores texts; no default

	// Clock returns the time for verdicts. nil means time.Now.
	Clock func() time.Time

	// Source is the source named in verdicts. "" means "cupel/" and the version.
	Source string

	// Budget limits the memory of regular expressions of all documents that share it. nil means one per document.
	Budget *Budget

	// MaxSteps limits the steps of a run's regular expressions and CEL expressions; 0 means DefaultSteps. Beyond,
	// they fail with ErrSteps. The result does not depend on the machine's speed. A batch uses the largest limit of
	// its documents.
	MaxSteps int64

	// NoEvidenceText omits message content from verdicts, because captures can contain secrets. A match has only
	// its position, an error only its kind.
	NoEvidenceText bool

	// Hide returns the byte ranges of a value's text that evidence must not show, in order and without overlaps:
	// evidence has *** in their place. name is the last name of the value's path, "" for a whole message; the text of
	// a value that is not a string is its JSON. nil hides nothing. It must be safe for concurrent use.
	Hide func(name, text string) [][2]int
}

// DefaultSteps is the default of Options.MaxSteps.
const DefaultSteps = program.DefaultSteps

// ErrSteps is wrapped by the error of an indicator that exceeds the step limit.
var ErrSteps = program.ErrSteps

func (o *Options) now() time.Time {
	if o.Clock != nil {
		return o.Clock()
	}
	return time.Now().UTC()
}

func (o *Options) source() string {
	if o.Source != "" {
		return o.Source
	}
	return "cupel/" + buildinfo.Version
}
