package bundle

import (
	"fmt"
	"math"

	"github.com/cupel-dev/cupel/evidence"
	"github.com/cupel-dev/cupel/evidence/internal/container"
	"github.com/cupel-dev/cupel/finding"
)

// Options configures a verification. The zero value applies version 1 of the contract with default limits and stops
// at the first fault.
type Options struct {
	Limits evidence.Limits
	Jobs   int // workers; default: one for each processor

	All         bool // go on after the first fault, as far as the input can be read
	MaxFindings int  // findings kept; default evidence.DefaultMaxFindings, negative: all

	Strict             bool // warnings about tolerated deviations become errors
	UpstreamCompatible bool // require the attributes that the reference implementation requires
	LenientTime        bool // times of other spellings and offsets are converted
	CheckTime          bool // times that go back are errors
	RequireTraceParent bool // an event without traceparent is an error
	Unhashed           bool // an event of a stream need not record its content hash

	// Compatible is [Version5] to accept bundles of version 5 of the reference implementation, with warnings, or 0
	// for the current contract.
	Compatible int

	// Expected values, or "". Digests are "sha256:" and 64 digits.
	ExpectBundleID string
	ExpectRunRoot  string
	ExpectSHA256   string // of the whole input

	// Digest requests the digest of an input that is not a bundle. It costs a tenth of the verification.
	Digest bool

	// Attested means that the caller verifies an attestation. The report then does not mention missing signatures.
	Attested bool

	// Compared means that the caller compares the events with the sources that they cite. The report then does not
	// mention them.
	Compared bool

	// Growing means that the stream is being written. The first line is then verified without waiting for the
	// second, the last one only at the end.
	Growing bool

	// Earlier is the stream that this one replaced, or nil for the first.
	Earlier *Earlier

	OnFinding func(finding.Finding)        // called for each kept finding when found
	Each      func(*evidence.Result) error // is handed each event after it was judged, its Event still there
}

// Version5 is the value of Options.Compatible for version 5 of the reference implementation.
const Version5 = 5

func (o Options) container() container.Options { return containerOptions(o.Limits, o.Compatible) }

func containerOptions(limits evidence.Limits, compatible int) container.Options {
	return container.Options{Limits: limits, Trailing: compatible == Version5}
}

// Earlier is a followed stream that has ended.
type Earlier struct {
	Rewritten bool  // bytes that were read of it are not there any more; else another file took its name
	Bytes     int64 // that were read of it
}

// finding reports how the stream ended.
func (e *Earlier) finding() finding.Finding {
	if e.Rewritten {
		return rules.Lookup(logRewritten).New(fmt.Sprintf("the stream no longer has the %d bytes that were verified", e.Bytes))
	}
	return rules.Lookup(logRotated).New(fmt.Sprintf("the stream was replaced by another file after %d bytes were read", e.Bytes))
}

func (o Options) withDefaults() Options {
	o.Limits = o.Limits.WithDefaults()
	if o.MaxFindings == 0 {
		o.MaxFindings = evidence.DefaultMaxFindings
	}
	return o
}

// hashing returns the options for the hasher. The verifier itself enforces the limits on all events and the number
// of findings.
func (o Options) hashing() evidence.Options {
	each := o.Limits
	each.Events, each.EventsBytes = math.MaxInt64, math.MaxInt64
	return evidence.Options{
		Limits: each, Check: true, Jobs: o.Jobs, MaxFindings: o.MaxFindings,
		Lines: o.Growing, Events: o.Each != nil,
	}
}
