package bundle

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"hash"
	"io"
	"sync"

	"github.com/cupel-dev/cupel/evidence"
	"github.com/cupel-dev/cupel/evidence/internal/container"
)

// taker receives the results of a reader in verification order. An error ends the reading; errEnough does so
// without failing.
type taker[T any] interface {
	fault(*container.Fault) error        // damage of the container
	first(*container.Fault) error        // … and goes before all that was found until now
	tolerated(*container.Fault) error    // … and is a warning under Options.Compatible
	manifestText(text []byte) error      // the manifest of a bundle
	begin(size int64) error              // the events of a bundle begin, of this declared size
	check() func(*evidence.Result, *T)   // makes one worker's check of events
	event(*evidence.Result, *T) error    // one event
	end(evidence.Total, *contents) error // the events have ended
	absent() error                       // a bundle has no events
}

// errEnough ends the reading of an input once its taker has what it needs.
var errEnough = errors.New("enough was read")

// contents describes the bytes of all events of an input.
type contents struct {
	size int64
	sum  evidence.Sum // of a bundle
}

type inputReader[T any] struct {
	ctx       context.Context
	in        *input
	hash      evidence.Options
	container container.Options
	to        taker[T]
	total     evidence.Total
	behind    *closableReader // reader of the events, possibly still in use after enough was read
	copy      *tap            // where the events of a bundle are copied to; nil: nowhere
}

// read reads an input of any kind. The total covers the events that were read.
func read[T any](ctx context.Context, in *input, hash evidence.Options, limits container.Options, to taker[T]) (evidence.Total, error) {
	return readCopying(ctx, in, hash, limits, to, nil)
}

// readCopying is read that also copies a bundle's events unchanged.
func readCopying[T any](ctx context.Context, in *input, hash evidence.Options, limits container.Options, to taker[T], copy *tap) (evidence.Total, error) {
	r := inputReader[T]{ctx: ctx, in: in, hash: hash, container: limits, to: to, copy: copy}
	err := r.run()
	return r.total, err
}

// run reads the input to the end or until the taker stops it. It returns ctx's error, an evidence.ReadError or an
// error of the taker.
func (r *inputReader[T]) run() error {
	read := r.stream
	if r.in.bundle {
		read = r.bundle
	}
	err := read()
	var fault *container.Fault
	if r.ctx.Err() == nil && errors.As(err, &fault) {
		err = r.to.fault(fault)
	}
	if errors.Is(err, errEnough) {
		return nil
	}
	return err
}

func (r *inputReader[T]) stream() error {
	if err := r.events(&boundedReader{r: r.in.r, left: r.container.Limits.EventsBytes}); err != nil {
		return err
	}
	return r.to.end(r.total, &contents{size: r.total.Bytes})
}

// boundedReader reads a stream up to the limit on all events. One byte more is a fault.
type boundedReader struct {
	r    io.Reader
	read int64
	left int64
}

func (b *boundedReader) Read(p []byte) (int, error) {
	if len(p) == 0 {
		return 0, nil
	}
	if int64(len(p)) > b.left {
		p = p[:b.left+1]
	}
	n, err := b.r.Read(p)
	if int64(n) > b.left {
		limit := b.read + b.left
		return n - 1, &container.Fault{
			Code: limitFileSize, Class: "Limits", Limit: "max_events_bytes", Offset: limit, Final: true,
			Message: fmt.Sprintf("the events have more than %d bytes, and the rest was not read", limit),
		}
	}
	b.read, b.left = b.read+int64(n), b.left-int64(n)
	return n, err
}

// events reads the events of any input. If not all were read, the total does not have a run root.
func (r *inputReader[T]) events(from io.Reader) (err error) {
	r.behind = &closableReader{r: from}
	r.total, err = evidence.CheckStream(r.ctx, r.behind, r.hash, r.to.check, r.to.event)
	r.total.Rooted = r.total.Rooted && err == nil
	return err
}

// bundle reads a bundle. If a pipe exceeds the size limit, that fault is reported instead of others, as it would be
// for a file.
func (r *inputReader[T]) bundle() error {
	tar := container.NewReader(r.in.r, r.in.size, r.container)
	err := r.members(tar)
	if r.in.size >= 0 || err == nil || r.ctx.Err() != nil {
		return err
	}
	if r.behind != nil {
		r.behind.shut()
	}
	var over *container.Fault
	if errors.As(tar.Measure(), &over) {
		return errors.Join(r.to.first(over), errEnough)
	}
	return err
}

func (r *inputReader[T]) members(tar *container.Reader) error {
	seen := false
	for {
		member, err := tar.Next()
		switch {
		case errors.Is(err, io.EOF):
			return r.close(tar, seen)
		case err != nil:
			err = r.refused(err)
		case member.Name == ManifestName:
			err = r.manifest(member)
		default:
			seen, err = true, r.eventsMember(member)
		}
		if err != nil {
			return err
		}
	}
}

// refused reports why a member was rejected. Reading continues if the fault concerns only the member.
func (r *inputReader[T]) refused(err error) error {
	var fault *container.Fault
	if errors.As(err, &fault) && !fault.Final {
		return r.to.fault(fault)
	}
	return readError(r.ctx, err)
}

// close reads the data after the last member.
func (r *inputReader[T]) close(tar *container.Reader, seen bool) error {
	if !seen {
		if err := r.to.absent(); err != nil {
			return err
		}
	}
	if err := tar.Finish(); err != nil {
		return readError(r.ctx, err)
	}
	if f := tar.Tolerated(); f != nil {
		return r.to.tolerated(f)
	}
	return nil
}

func (r *inputReader[T]) manifest(member *container.Member) error {
	var text bytes.Buffer
	text.Grow(int(member.Size) + bytes.MinRead) // the container holds it to its limit
	if _, err := text.ReadFrom(member); err != nil {
		return readError(r.ctx, err)
	}
	return r.to.manifestText(text.Bytes())
}

func (r *inputReader[T]) eventsMember(member *container.Member) error {
	if err := r.to.begin(member.Size); err != nil {
		return err
	}
	summed := &countingReader{r: member, sum: sha256.New()}
	r.hash.Lines = true
	if err := r.events(r.copy.of(summed)); err != nil {
		return err
	}
	return r.to.end(r.total, &contents{size: summed.size, sum: evidence.Sum(summed.sum.Sum(nil))})
}

// countingReader counts and hashes the data read through it.
type countingReader struct {
	r    io.Reader
	sum  hash.Hash
	size int64
}

func (c *countingReader) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	c.sum.Write(p[:n])
	c.size += int64(n)
	return n, err
}

// closableReader is a reader that can be closed, so that its source can be used again.
type closableReader struct {
	mu     sync.Mutex
	r      io.Reader
	closed bool
}

func (g *closableReader) Read(p []byte) (int, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.closed {
		return 0, io.ErrClosedPipe
	}
	return g.r.Read(p)
}

func (g *closableReader) shut() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.closed = true
}
