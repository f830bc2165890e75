package bundle

import (
	"context"
	"errors"
	"io"
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
	_, err = readCopying(ctx, in, opt.hashing(), opt.container(), v, copied)
	if failure := copied.shut(); failure != nil {
		return nil, failure
	}
	if err != nil {
		return nil, err
	}
	return v.close(), nil
}
