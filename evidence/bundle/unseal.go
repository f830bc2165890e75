package bundle

import (
	"context"
	"errors"
	"io"
	"sync"

	"github.com/cupel-dev/cupel/evidence/internal/container"
)

// ErrNotBundle says that there is nothing to unseal.
var ErrNotBundle = errors.New("it is no bundle")

// Unseal verifies a bundle as [Verify] does and writes its events to w as they stand there.
// Where the report is not [Valid], what was written to w is a part that nothing vouches for,
// and to be thrown away.
//
// The error is [ErrNotBundle], one of Verify, or that of w.
func Unseal(ctx context.Context, r io.Reader, size int64, name string, w io.Writer, opt Options) (*Report, error) {
	opt = opt.withDefaults()
	in, err := open(ctx, r, size, name, false)
	switch {
	case err != nil:
		return nil, err
	case !in.bundle:
		return nil, ErrNotBundle
	}
	v := newVerifier(in, opt)
	copied := &tap{w: w}
	_, err = readCopying(ctx, in, opt.hashing(), container.Options{Limits: opt.Limits, AllowTrailing: opt.AllowTrailing}, v, copied)
	if failure := copied.shut(); failure != nil {
		return nil, failure
	}
	if err != nil {
		return nil, err
	}
	return v.close(), nil
}

// tap copies what is read, until it is shut: whoever reads may still do so then.
type tap struct {
	mu  sync.Mutex
	w   io.Writer // nil: shut
	err error     // the first one of writing
}

// of returns a reader that copies; a nil tap copies nothing.
func (t *tap) of(r io.Reader) io.Reader {
	if t == nil {
		return r
	}
	return &tapped{r, t}
}

type tapped struct {
	r io.Reader
	t *tap
}

func (t *tapped) Read(p []byte) (int, error) {
	n, err := t.r.Read(p)
	if failure := t.t.write(p[:n]); failure != nil {
		return 0, failure
	}
	return n, err
}

func (t *tap) write(p []byte) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.w != nil && t.err == nil {
		_, t.err = t.w.Write(p)
	}
	return t.err
}

// shut ends the copying. Its error is that of a write.
func (t *tap) shut() error {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.w = nil
	return t.err
}
