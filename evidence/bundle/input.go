package bundle

import (
	"bufio"
	"context"
	"crypto/sha256"
	"errors"
	"hash"
	"io"

	"github.com/cupel-dev/cupel/evidence"
	"github.com/cupel-dev/cupel/evidence/internal/container"
)

// input is a file or pipe, with its digest if needed.
type input struct {
	name   string
	size   int64 // -1: unknown
	r      *bufio.Reader
	digest *digestReader
	bundle bool
}

// headBytes is enough to detect a bundle.
const headBytes = 2

// open detects an input's kind. The digest of a stream is computed only on request, because it costs a tenth of the
// verification.
func open(ctx context.Context, r io.Reader, size int64, name string, digest bool) (*input, error) {
	waiting := &untilDone{ctx: ctx, r: r}
	in := &input{name: name, size: size, digest: &digestReader{r: waiting}}
	in.r = bufio.NewReader(in.digest)
	head, err := in.r.Peek(headBytes)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, readError(ctx, err)
	}
	in.bundle = container.Sniff(head, name)
	waiting.direct = !in.bundle // a stream's events are read on a separate goroutine
	if digest || in.bundle {
		in.digest.begin(in.r)
	}
	return in, nil
}

// sum returns the digest of the whole input. ok is false if it was not read to its end.
func (in *input) sum() (sum evidence.Sum, ok bool) {
	if in.digest.hash == nil || !in.digest.ended {
		return sum, false
	}
	return evidence.Sum(in.digest.hash.Sum(nil)), true
}

type digestReader struct {
	r     io.Reader
	hash  hash.Hash // nil: of nothing
	ended bool
}

// begin starts the digest with the first byte, including buffered ones.
func (d *digestReader) begin(buffered *bufio.Reader) {
	d.hash = sha256.New()
	held, _ := buffered.Peek(buffered.Buffered()) // never more than there is
	d.hash.Write(held)
}

func (d *digestReader) Read(p []byte) (int, error) {
	n, err := d.r.Read(p)
	if d.hash != nil {
		d.hash.Write(p[:n])
	}
	d.ended = d.ended || errors.Is(err, io.EOF)
	return n, err
}

// untilDone is a reader that fails once its context ends, even during a Read, whose data is lost.
type untilDone struct {
	ctx    context.Context
	r      io.Reader
	buf    []byte
	direct bool // the caller handles waiting
}

const waitingBytes = 64 << 10

func (u *untilDone) Read(p []byte) (int, error) {
	if err := u.ctx.Err(); err != nil {
		return 0, err
	}
	if u.direct {
		return u.r.Read(p)
	}
	if most := min(len(p), waitingBytes); len(u.buf) < most {
		u.buf = make([]byte, most)
	}
	type answer struct {
		n   int
		err error
	}
	answers := make(chan answer, 1)
	part := u.buf[:min(len(p), len(u.buf))]
	go func() {
		n, err := u.r.Read(part)
		answers <- answer{n, err}
	}()
	select {
	case <-u.ctx.Done():
		return 0, u.ctx.Err()
	case a := <-answers:
		return copy(p, part[:a.n]), a.err
	}
}

// readError returns the context's error or a ReadError.
func readError(ctx context.Context, err error) error {
	var read *evidence.ReadError
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.As(err, &read):
		return read
	}
	return &evidence.ReadError{Err: err}
}
