package walk

import (
	"context"
	"io"
	"os"
)

// pipeChunk is how much is read at once from something that may block.
const pipeChunk = 64 << 10

// interruptible opens what may block without end, a pipe, a terminal or a socket, so
// that opening and reading it return ctx's error when ctx ends. The blocked call
// itself stays behind; it ends with the process.
func interruptible(ctx context.Context, open func() (io.ReadCloser, error)) (io.ReadCloser, error) {
	type opened struct {
		r   io.ReadCloser
		err error
	}
	done := make(chan opened, 1)
	go func() {
		r, err := open()
		done <- opened{r, err}
	}()
	select {
	case o := <-done:
		if o.err != nil {
			return nil, o.err
		}
		return newPipe(ctx, o.r), nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// pipe reads ahead by one chunk in a goroutine of its own.
type pipe struct {
	ctx    context.Context
	r      io.ReadCloser
	full   chan chunk  // read, in order
	empty  chan []byte // to be read into
	closed chan struct{}
	now    chunk // what is handed out
	rest   []byte
}

type chunk struct {
	buf []byte
	err error
}

func newPipe(ctx context.Context, r io.ReadCloser) *pipe {
	p := &pipe{ctx: ctx, r: r, full: make(chan chunk, 2), empty: make(chan []byte, 2), closed: make(chan struct{})}
	p.empty <- make([]byte, pipeChunk)
	p.empty <- make([]byte, pipeChunk)
	go p.fill()
	return p
}

func (p *pipe) fill() {
	for {
		select {
		case buf := <-p.empty:
			n, err := p.r.Read(buf[:pipeChunk])
			p.full <- chunk{buf[:n], err}
			if err != nil {
				return
			}
		case <-p.closed:
			return
		}
	}
}

// Read hands out what has been read, or waits for it.
func (p *pipe) Read(b []byte) (int, error) {
	for len(p.rest) == 0 {
		if p.now.err != nil {
			return 0, p.now.err
		}
		if p.now.buf != nil {
			p.empty <- p.now.buf
		}
		select {
		case p.now = <-p.full:
			p.rest = p.now.buf
		case <-p.ctx.Done():
			p.now = chunk{err: p.ctx.Err()}
		}
	}
	n := copy(b, p.rest)
	p.rest = p.rest[n:]
	return n, nil
}

// Close lets the goroutine end once its read returns. It does not wait for that.
func (p *pipe) Close() error {
	close(p.closed)
	return p.r.Close()
}

// blocks reports whether reading r may wait without end.
func blocks(r io.Reader) bool {
	f, ok := r.(*os.File)
	if !ok {
		return false
	}
	info, err := f.Stat()
	return err == nil && !info.Mode().IsRegular()
}
