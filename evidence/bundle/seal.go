package bundle

import (
	"context"
	"errors"
	"io"

	"github.com/cupel-dev/cupel/evidence"
	"github.com/cupel-dev/cupel/evidence/internal/container"
)

// The levels of compression, from the fastest to the smallest.
const (
	MinLevel     = container.MinLevel
	DefaultLevel = container.DefaultLevel
	MaxLevel     = container.MaxLevel
)

// ErrNotEvents and ErrNoEvents say that there is nothing to seal.
var (
	ErrNotEvents = errors.New("it is a bundle already")
	ErrNoEvents  = errors.New("it is empty")
)

// SealOptions say how a bundle is made. The zero value makes it under version 1 of the
// contract with its default limits.
type SealOptions struct {
	Limits      evidence.Limits // of what is read, and of the bundle: whoever verifies it under them accepts it
	Jobs        int             // workers; default: one for each processor
	MaxFindings int             // findings kept; default evidence.DefaultMaxFindings, negative: all

	Level       int       // of the compression, MinLevel to MaxLevel; default DefaultLevel
	Producer    *Producer // in the manifest; nil: the producer of the first event
	DropUnknown bool      // leave out attributes that the contract does not name, as the reference implementation does
	LenientTime bool      // times of other spellings and offsets are converted
}

func (o SealOptions) verifying() Options {
	return Options{Limits: o.Limits, Jobs: o.Jobs, MaxFindings: o.MaxFindings, All: true, LenientTime: o.LenientTime}
}

// Scratch is a temporary file: what is written to its end is read back anywhere.
type Scratch interface {
	io.Writer
	io.ReaderAt
}

// Sealed is the answer on one input and the bundle that was made of it.
type Sealed struct {
	Report *Report // on the input; its bundle id is the bundle's
	SHA256 string  // of the bundle; "" when none was made
	Bytes  int64   // of the bundle
}

// Seal makes a bundle of a stream of events, or of one event, and writes it to w. The events
// may come in any order: they are sorted by their sequence numbers. A content hash that is
// missing is filled in. Everything that [Verify] wants of a bundle is checked first, under
// the same limits, and nothing is written when an event breaks it. Name is shown in
// findings, and size is the input's length in bytes when it is known beforehand, else -1.
//
// Where the report is not [Valid], what was written to w is nothing or a part, and to be
// thrown away: that the bundle is larger than its limit shows while it is written.
//
// In memory are the sequence numbers, hashes and places of the events, about 100 bytes of
// each; the events themselves wait in the scratch file, which begins empty. The bytes of the
// bundle depend on the events, the options and the version of this package, and neither on
// the order of the input nor on the number of workers.
//
// The error is [ErrNotEvents] or [ErrNoEvents], an [evidence.ReadError], or that of ctx, of
// scratch or of w.
func Seal(ctx context.Context, r io.Reader, size int64, name string, scratch Scratch, w io.Writer, opt SealOptions) (*Sealed, error) {
	if opt.Level == 0 {
		opt.Level = DefaultLevel
	}
	in, err := open(ctx, r, size, name, false)
	switch {
	case err != nil:
		return nil, err
	case in.bundle:
		return nil, ErrNotEvents
	}
	s := newSealer(in, scratch, opt)
	if _, err := read(ctx, in, s.opt.hashing(), container.Options{Limits: s.opt.Limits}, s); err != nil {
		return nil, err
	}
	if s.report.Events == 0 && s.report.Errors == 0 {
		return nil, ErrNoEvents
	}
	sealed := &Sealed{Report: s.report}
	if s.report.Errors == 0 {
		err = s.write(ctx, w, sealed)
	}
	s.report.Verdict = Valid
	if s.report.Errors > 0 {
		s.report.Verdict = Invalid
	}
	return sealed, err
}
