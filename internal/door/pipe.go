package door

import (
	"context"
	"io"
)

// pipeChunk is the read size for sources that can block.
const pipeChunk = 64 << 10

// open opens a file and returns ctx's error if ctx ends first, for example while a named pipe has
// no writer. The blocked call stays until the process ends.
func open(ctx context.Context, path string) (File, error) {
	type opened struct {
		f   File
		err error
	}
	disk, done := system, make(chan opened, 1)
	go func() {
		f, err := disk.Open(path)
		done <- opened{f, err}
	}()
	select {
	case o := <-done:
		return o.f, o.err
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// pipe reads one chunk ahead in a separate goroutine, to stop waiting when ctx ends.
type pipe struct {
	ctx    context.Context
	r      io.ReadCloser
	full   chan chunk  // filled chunks, in order
	empty  chan []byte // buffers to fill
	closed chan struct{}
	now    chunk // chunk being consumed
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

func (p *pipe) Close() error {
	close(p.closed)
	return p.r.Close()
}

func blocks(r io.Reader) bool {
	f, ok := r.(File)
	if !ok {
		return false
	}
	info, err := f.Stat()
	return err == nil && !info.Mode().IsRegular()
}
