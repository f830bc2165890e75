package input

import (
	"context"
	"io"
	"time"

	"github.com/cupel-dev/cupel/commands/internal/cmdline"
	"github.com/cupel-dev/cupel/trace"
)

// followedPipe reads a followed stream. It ends with its context or its stops. It is not safe for concurrent use.
type followedPipe struct {
	ctx   context.Context
	after func(time.Duration) <-chan time.Time
	stops *Stops
	from  io.Reader

	came  chan piece // the result of a pending read, or nil
	buf   []byte
	piece // that was read and not handed out
	quiet time.Duration
}

type piece struct {
	rest []byte
	err  error // after rest
}

// FollowPipe returns a reader of a stream that ends with env's context or stops.
func FollowPipe(env cmdline.Env, from io.Reader, stops *Stops) io.Reader {
	p := &followedPipe{ctx: env.Context, after: env.After, stops: stops, from: from, buf: make([]byte, 64<<10)}
	if p.after == nil {
		p.after = time.After
	}
	return p
}

// FollowingPipe describes the followed stream for the verification.
func FollowingPipe(stops *Stops) *trace.FollowedFile {
	return &trace.FollowedFile{Ended: stops.finished, OnEnd: stops.onEnd(), Stream: true}
}

func (p *followedPipe) Read(to []byte) (int, error) {
	for len(p.rest) == 0 {
		if p.ctx.Err() != nil || p.stops.Failed() || p.stops.idleFor(p.quiet) {
			return 0, io.EOF
		}
		if p.err != nil {
			return 0, p.err
		}
		p.wait()
	}
	n := copy(to, p.rest)
	p.rest = p.rest[n:]
	return n, nil
}

// wait waits for bytes, for a while, or until the context ends.
func (p *followedPipe) wait() {
	if p.came == nil {
		p.came = make(chan piece, 1)
		go func(came chan<- piece) {
			n, err := p.from.Read(p.buf)
			came <- piece{p.buf[:n], err}
		}(p.came)
	}
	pause := p.stops.pause(p.quiet)
	select {
	case p.piece = <-p.came:
		p.came, p.quiet = nil, 0
	case <-p.after(pause):
		p.quiet += pause
	case <-p.ctx.Done():
	}
}
