package bundle

import (
	"context"
	"errors"
	"io"
)

// ErrNotBundle is returned by Unseal for other inputs.
var ErrNotBundle = errors.New("the file is not a bundle")

// Unseal verifies a bundle and writes its events unchanged to w. Unless the report is [Valid], discard the data in
// w. It returns [ErrNotBundle], an error of Verify, or one of w.
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
