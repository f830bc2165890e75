package redact

import (
	"math"

	"github.com/cupel-dev/cupel/evidence"
	"github.com/cupel-dev/cupel/evidence/bundle"
	"github.com/cupel-dev/cupel/evidence/privacy"
)

// Options configures a redaction. The zero value uses the default policy and the contract's default limits, and
// requires a valid input.
type Options struct {
	Policy     *privacy.Policy // nil: privacy.Default()
	PolicyFile string          // where the policy was read, for the report; "" for a built-in one

	Limits      evidence.Limits // of the input and the resulting bundle
	Jobs        int             // workers; default: one for each processor
	MaxFindings int             // findings kept; default evidence.DefaultMaxFindings, negative: all
	Level       int             // of the compression of a bundle; default bundle.DefaultLevel

	// AcceptUnverified accepts an input with faults, if all of it can be read and hashed.
	AcceptUnverified bool
	// Staged means that the caller discards the output on failure. A stream's events are then written directly,
	// without the scratch file.
	Staged bool
	// Check makes no output. The report says what would be changed.
	Check bool

	// Original requests the digest of the whole input in [Report.Original].
	Original bool
	// LinkOriginal adds the input's digest to the report. Readers can use it to test guesses at redacted values.
	LinkOriginal bool

	// OnChange, if set, is called for each change, in order and before OnEvent. before and after are the JSON of
	// the value, valid during the call; after is nil for a removed value. OnChange can set the change's commitment.
	OnChange func(e *Event, c *Change, before, after []byte) error
	// OnEvent, if set, receives the report's events in order, instead of Report.Events, to save memory.
	OnEvent func(*Event) error
}

func (o Options) withDefaults() Options {
	if o.Policy == nil {
		o.Policy = privacy.Default()
	}
	if o.Level == 0 {
		o.Level = bundle.DefaultLevel
	}
	o.Limits = o.Limits.WithDefaults()
	return o
}

func (o *Options) policy() Policy {
	return Policy{Profile: o.Policy.Name(), File: o.PolicyFile, Digest: o.Policy.Digest().String()}
}

func (o *Options) verifying() bundle.Options {
	return bundle.Options{Limits: o.Limits, Jobs: o.Jobs, MaxFindings: o.MaxFindings, All: o.AcceptUnverified, Unhashed: true, Digest: o.Original || o.LinkOriginal}
}

func (o *Options) hashing() evidence.Options {
	one := o.Limits
	one.Events, one.EventsBytes = math.MaxInt64, math.MaxInt64
	return evidence.Options{Limits: one, MaxFindings: 1}
}

func (o *Options) sealing(of *bundle.Manifest) bundle.SealOptions {
	opt := bundle.SealOptions{Limits: o.Limits, Jobs: o.Jobs, MaxFindings: o.MaxFindings, Level: o.Level}
	if of != nil {
		opt.Producer = &of.Producer
	}
	return opt
}
