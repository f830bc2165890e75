// Package budget bounds what several goroutines take of one thing together, such as bytes
// of memory: who wants more than there is waits for its turn.
package budget

import (
	"container/list"
	"context"
	"sync"
)

// Budget is an amount that is drawn from and given back to. It never gives more than its
// size. It is safe for concurrent use.
type Budget struct {
	size int64

	mu      sync.Mutex
	free    int64
	waiting list.List // of *draw, in their order
}

// draw is somebody who waits for n.
type draw struct {
	n     int64
	given chan struct{} // closed when n has been taken
}

// New returns a budget of a size.
func New(size int64) *Budget { return &Budget{size: size, free: size} }

// Draw takes n, or all of the budget when that is less, and returns what it took, to be
// given back. It waits until there is enough; draws are served in their order. The error is
// that of ctx when it ends before: then nothing was taken.
func (b *Budget) Draw(ctx context.Context, n int64) (drawn int64, err error) {
	n = min(n, b.size)
	b.mu.Lock()
	if b.waiting.Len() == 0 && b.free >= n {
		b.free -= n
		b.mu.Unlock()
		return n, nil
	}
	d := &draw{n, make(chan struct{})}
	place := b.waiting.PushBack(d)
	b.mu.Unlock()
	select {
	case <-d.given:
		return n, nil
	case <-ctx.Done():
		return b.leave(ctx, place)
	}
}

// leave ends the waiting of one that waits no more, unless it was served just now.
func (b *Budget) leave(ctx context.Context, place *list.Element) (drawn int64, err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	d := place.Value.(*draw)
	select {
	case <-d.given:
		return d.n, nil
	default:
	}
	b.waiting.Remove(place)
	b.serve() // those behind it may want less
	return 0, ctx.Err()
}

// GiveBack returns what was drawn.
func (b *Budget) GiveBack(n int64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.free += n
	b.serve()
}

// serve gives to those that wait for as long as there is enough for the first.
func (b *Budget) serve() {
	for place := b.waiting.Front(); place != nil; place = b.waiting.Front() {
		d := place.Value.(*draw)
		if d.n > b.free {
			return
		}
		b.free -= d.n
		b.waiting.Remove(place)
		close(d.given)
	}
}
