package container

import (
	"io"

	"github.com/cupel-dev/cupel/evidence"
)

// capped returns at most limit bytes of r and fails if there are more. It does not read after an error.
type capped struct {
	r     io.Reader
	limit int64
	over  *Fault // when there is more
	read  int64  // bytes handed on
	err   error  // what ended it
}

func (c *capped) Read(p []byte) (int, error) {
	if c.err != nil || len(p) == 0 {
		return 0, c.err
	}
	n, err := c.r.Read(p)
	if room := c.limit - c.read; int64(n) > room {
		n, err = int(room), c.over
	}
	c.read, c.err = c.read+int64(n), err
	return n, err
}

// maxEmptyReads limits consecutive empty reads.
const maxEmptyReads = 100

// input marks the errors of the caller's reader. A reader without progress fails.
type input struct{ r io.Reader }

func (in input) Read(p []byte) (int, error) {
	for range maxEmptyReads {
		n, err := in.r.Read(p)
		if err != nil && err != io.EOF {
			err = &evidence.ReadError{Err: err}
		}
		if n > 0 || err != nil {
			return n, err
		}
	}
	return 0, &evidence.ReadError{Err: io.ErrNoProgress}
}
