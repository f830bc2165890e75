package bundle

import (
	"context"
	"errors"
	"io"

	"github.com/cupel-dev/cupel/evidence"
	"github.com/cupel-dev/cupel/evidence/internal/container"
)

// The levels of compression, fastest to smallest.
const (
	MinLevel     = container.MinLevel
	DefaultLevel = container.DefaultLevel
	MaxLevel     = container.MaxLevel
)

// ErrNotEvents and ErrNoEvents are returned by Seal for inputs that cannot be sealed.
var (
	ErrNotEvents = errors.New("the input is already a bundle")
	ErrNoEvents  = errors.New("the file is empty")
)

// SealOptions configures sealing. The zero value applies version 1 of the contract with default limits.
type SealOptions struct {
	Limits      evidence.Limits // of the input and of the bundle, which verifies within them
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

// Scratch is a temporary file, written at the end and read anywhere.
type Scratch interface {
	io.Writer
	io.ReaderAt
}

// Sealed is the result for one input, and the bundle's manifest.
type Sealed struct {
	Report *Report // on the input; its bundle id is the bundle's
	SHA256 string  // of the bundle; "" when none was made
	Bytes  int64   // of the bundle
}

// Seal creates a bundle from a stream of events or a single event and writes it to w. Events can be in any order
// and are sorted by sequence number. Missing content hashes are computed. All checks of [Verify] are made first,
// with the same limits; an invalid event prevents writing. name is the display name, size the input's size in
// bytes, -1 if unknown.
//
// Unless the report is [Valid], discard the data in w: an exceeded size limit is detected only while writing.
//
// It takes about 100 bytes of memory per event; events are stored in scratch, which must be empty. The bundle
// depends only on events, options and this package's version. It returns [ErrNotEvents], [ErrNoEvents], an
// [evidence.ReadError], or an error of ctx, scratch or w.
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
