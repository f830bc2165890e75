package eval

import (
	"time"

	"github.com/cupel-dev/cupel/internal/buildinfo"
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

	// NoEvidenceText leaves out of verdicts what stands in the messages: the evidence of
	// a match is its place alone, that of an error its kind. Captures hold secrets.
	NoEvidenceText bool
}

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
