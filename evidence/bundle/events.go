package bundle

import (
	"context"
	"errors"
	"io"
	"math"

	"github.com/cupel-dev/cupel/evidence"
	"github.com/cupel-dev/cupel/evidence/internal/container"
	"github.com/cupel-dev/cupel/finding"
)

// Total is the result for the events of one input.
type Total struct {
	evidence.Total
	Kind     Kind
	Manifest *Manifest // of a bundle, as far as it could be read

	// Faults lists damage of the container: gzip, tar or manifest text. Most kinds end the reading.
	Faults []finding.Finding
}

// Events hashes the events of an input of any kind, like [evidence.HashStream]. It does not check envelopes or the
// manifest (see [Verify], which also describes name, size and compatible).
func Events(ctx context.Context, r io.Reader, size int64, name string, compatible int, opt evidence.Options, each func(*evidence.Result) error) (Total, error) {
	type nothing struct{}
	return CheckEvents(ctx, r, size, name, compatible, opt,
		func() func(*evidence.Result, *nothing) { return func(*evidence.Result, *nothing) {} },
		func(r *evidence.Result, _ *nothing) error { return each(r) })
}

// CheckEvents is Events with a concurrent check of each event, like [evidence.CheckStream].
func CheckEvents[T any](ctx context.Context, r io.Reader, size int64, name string, compatible int, opt evidence.Options, newCheck func() func(*evidence.Result, *T), each func(*evidence.Result, *T) error) (Total, error) {
	in, err := open(ctx, r, size, name, false)
	if err != nil {
		return Total{Kind: KindStream}, err
	}
	if !in.bundle {
		return checkStream(ctx, in.r, opt, newCheck, each)
	}
	l := &lister[T]{limits: opt.Limits, newCheck: newCheck, each: each, total: Total{Kind: KindBundle}}
	l.total.Total, err = read(ctx, in, opt, containerOptions(opt.Limits, compatible), l)
	l.total.Counts.Errors += len(l.total.Faults)
	return l.total, err
}

// checkStream is CheckEvents for an input that is not a bundle. It stops at the first line beyond the limit on all
// events.
func checkStream[T any](ctx context.Context, r io.Reader, opt evidence.Options, newCheck func() func(*evidence.Result, *T), each func(*evidence.Result, *T) error) (Total, error) {
	limits := opt.Limits.WithDefaults()
	most := limits.EventsBytes
	if most < math.MaxInt64-limits.LineBytes {
		most += limits.LineBytes
	}
	sum, err := evidence.CheckStream(ctx, &boundedReader{r: r, left: most}, opt, newCheck, each)
	total := Total{Total: sum, Kind: KindStream}
	if sum.Alone {
		total.Kind = KindEvent
	}
	var fault *container.Fault
	if ctx.Err() == nil && errors.As(err, &fault) {
		total.Faults, total.Rooted, err = []finding.Finding{containerFinding(fault)}, false, nil
		total.Counts.Errors++
	}
	return total, err
}

// lister passes on the events of a bundle.
type lister[T any] struct {
	limits   evidence.Limits
	newCheck func() func(*evidence.Result, *T)
	each     func(*evidence.Result, *T) error
	total    Total
}

func (l *lister[T]) check() func(*evidence.Result, *T) { return l.newCheck() }

func (l *lister[T]) event(r *evidence.Result, said *T) error { return l.each(r, said) }

func (l *lister[T]) fault(f *container.Fault) error {
	l.total.Faults = append(l.total.Faults, containerFinding(f))
	if f.Final {
		return errEnough
	}
	return nil
}

func (l *lister[T]) first(f *container.Fault) error {
	l.total.Faults = append([]finding.Finding{containerFinding(f)}, l.total.Faults...)
	return nil
}

func (l *lister[T]) manifestText(text []byte) error {
	manifest, findings := ParseManifest(text, l.limits, false)
	l.total.Manifest = &manifest
	for _, f := range findings {
		if f.Severity == finding.Error {
			l.total.Faults = append(l.total.Faults, f)
		}
	}
	return nil
}

func (l *lister[T]) tolerated(*container.Fault) error { return nil } // a warning is for Verify

func (l *lister[T]) begin(int64) error { return nil }

func (l *lister[T]) end(evidence.Total, *contents) error { return nil }

func (l *lister[T]) absent() error {
	l.total.Faults = append(l.total.Faults, eventsAbsent())
	return nil
}

// eventsAbsent returns the finding for a bundle without events.
func eventsAbsent() finding.Finding {
	return finding.Finding{
		Rule: contractMissingFile, Severity: finding.Error, Message: "the bundle has no member " + EventsName,
		Detail: Detail{Detail: "events.absent"},
	}
}
