package redact

import (
	"context"
	"io"
	"sync"

	"github.com/cupel-dev/cupel/evidence"
	"github.com/cupel-dev/cupel/evidence/bundle"
	"github.com/cupel-dev/cupel/evidence/internal/container"
)

// bufferedStart buffers the start of an input until it is known not to be a single event, which can be surrounded
// by blank lines.
type bufferedStart struct {
	r    io.Reader
	name string
	most int // maximum bytes of a single event with its surroundings

	mu    sync.Mutex
	first []byte // nil: not wanted any more
	magic [2]byte
	size  int64 // read
}

// aroundBytes exceeds the size of a read.
const aroundBytes = 128 << 10

func newBeginning(r io.Reader, name string, limits evidence.Limits) *bufferedStart {
	return &bufferedStart{r: r, name: name, most: int(limits.LineBytes) + aroundBytes, first: []byte{}}
}

func (b *bufferedStart) Read(p []byte) (int, error) {
	n, err := b.r.Read(p)
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.size < int64(len(b.magic)) {
		copy(b.magic[b.size:], p[:n])
	}
	b.size += int64(n)
	switch {
	case b.first == nil:
	case len(b.first)+n > b.most:
		b.first = nil
	default:
		b.first = append(b.first, p[:n]...)
	}
	return n, err
}

// isBundle checks the first bytes, which must have been read.
func (b *bufferedStart) isBundle() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return container.Sniff(b.magic[:min(b.size, int64(len(b.magic)))], b.name)
}

func (b *bufferedStart) around(r *evidence.Result) (before, after []byte) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if r.Alone && b.first != nil && r.Ending == "" {
		end := int(r.Offset) + len(r.Text())
		return b.first[:r.Offset], b.first[end:]
	}
	b.first = nil
	return nil, nil
}

// untilDone is a reader that fails once its context ends.
type untilDone struct {
	ctx context.Context
	r   io.Reader
}

func (u *untilDone) Read(p []byte) (int, error) {
	if err := u.ctx.Err(); err != nil {
		return 0, err
	}
	return u.r.Read(p)
}

// behind is a scratch file without its first bytes.
type behind struct {
	bundle.Scratch
	start int64
}

func (b behind) ReadAt(p []byte, offset int64) (int, error) {
	return b.Scratch.ReadAt(p, b.start+offset)
}
