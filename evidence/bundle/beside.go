package bundle

import (
	"context"
	"io"

	"github.com/cupel-dev/cupel/evidence"
	"github.com/cupel-dev/cupel/finding"
)

// Beside is an additional check of events during verification.
type Beside[T any] struct {
	// New creates a worker's check. A check receives a result, with its Event if there is one, and sets the T,
	// which is zero before.
	New func() func(*evidence.Result, *T)

	// Take receives the outputs of checks in order, after each event was verified, except for one that ends the
	// verification. Its findings become findings of the verification; errors make the input invalid.
	Take func(*evidence.Result, *T) ([]finding.Finding, error)

	// Finish, if set, is called after the last event of a complete, nonempty input. Its findings are treated like
	// those of Take.
	Finish func() ([]finding.Finding, error)
}

func VerifyBeside[T any](ctx context.Context, r io.Reader, size int64, name string, opt Options, beside Beside[T]) (*Report, error) {
	return verify(ctx, r, size, name, opt, func(v *verifier) taker[checkedEvent[T]] { return &besides[T]{v, beside} })
}

// checkedEvent is a worker's output for an event.
type checkedEvent[T any] struct {
	eventResult
	more T
}

// besides is a verifier with an additional check.
type besides[T any] struct {
	*verifier
	beside Beside[T]
}

func (b *besides[T]) check() func(*evidence.Result, *checkedEvent[T]) {
	own, more := b.verifier.check(), b.beside.New()
	return func(r *evidence.Result, c *checkedEvent[T]) {
		own(r, &c.eventResult)
		more(r, &c.more)
	}
}

func (b *besides[T]) event(r *evidence.Result, c *checkedEvent[T]) error {
	if err := b.verifier.event(r, &c.eventResult); err != nil || b.run.unended {
		return err
	}
	list, err := b.beside.Take(r, &c.more)
	if err != nil {
		return err
	}
	return b.noteAll(list)
}

func (b *besides[T]) end(total evidence.Total, read *contents) error {
	if err := b.verifier.end(total, read); err != nil || b.report.Events == 0 || b.beside.Finish == nil {
		return err
	}
	list, err := b.beside.Finish()
	if err != nil {
		return err
	}
	return b.noteAll(list)
}

// verify verifies an input with the taker that taking creates.
func verify[T any](ctx context.Context, r io.Reader, size int64, name string, opt Options, taking func(*verifier) taker[T]) (*Report, error) {
	opt = opt.withDefaults()
	in, err := open(ctx, r, size, name, opt.Digest || opt.ExpectSHA256 != "")
	if err != nil {
		return nil, err
	}
	v := newVerifier(in, opt)
	if opt.Earlier != nil {
		if err := v.note(opt.Earlier.finding()); err != nil {
			return v.close(), nil
		}
	}
	if _, err := read(ctx, in, opt.hashing(), opt.container(), taking(v)); err != nil {
		return nil, err
	}
	return v.close(), nil
}
