package redact

import (
	"math"

	"github.com/cupel-dev/cupel/evidence"
	"github.com/cupel-dev/cupel/evidence/bundle"
	"github.com/cupel-dev/cupel/evidence/privacy"
)

// Options say how an input is redacted. The zero value does it by the default policy, under
// the contract's default limits, and only to an input without faults.
type Options struct {
	Policy     *privacy.Policy // nil: privacy.Default()
	PolicyFile string          // where the policy was read, for the report; "" for a built-in one

	Limits      evidence.Limits // of what is read, and of a bundle that is made
	Jobs        int             // workers; default: one for each processor
	MaxFindings int             // findings kept; default evidence.DefaultMaxFindings, negative: all
	Level       int             // of the compression of a bundle; default bundle.DefaultLevel

	// AcceptUnverified goes on with an input that has faults. Every byte of it must still be
	// an event that can be read and hashed: what cannot be read cannot be redacted.
	AcceptUnverified bool
	// Staged says that what is written to the output is thrown away when the answer is no: the
	// events of a stream go there at once, and not by way of the scratch file.
	Staged bool
	// Check makes no output: the report says what would be changed.
	Check bool

	// Original says that the caller wants the digest of the whole input, in [Report.Original].
	Original bool
	// LinkOriginal puts what is known of the input into the document of the report. Whoever
	// reads that can test guesses of what was redacted.
	LinkOriginal bool

	// OnChange is told of each change, in order, before OnEvent is told of the event: of the
	// JSON texts of the value before and after it, which are valid until it returns. After is
	// nil for a value that was removed. It may set the change's commitment.
	OnChange func(e *Event, c *Change, before, after []byte) error
	// OnEvent takes the events of the report, in order, instead of Report.Events: an input
	// may have more of them than there is memory for.
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

// policy names what decides over the changes.
func (o *Options) policy() Policy {
	return Policy{Profile: o.Policy.Name(), File: o.PolicyFile, Digest: o.Policy.Digest().String()}
}

func (o *Options) verifying() bundle.Options {
	return bundle.Options{Limits: o.Limits, Jobs: o.Jobs, MaxFindings: o.MaxFindings, All: o.AcceptUnverified, Unhashed: true, Digest: o.Original || o.LinkOriginal}
}

// hashing are the options of the hasher of one event that was changed.
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
