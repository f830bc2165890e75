// Package budget shares a limited amount, such as bytes of memory, between goroutines, which wait in order.
package budget

import (
	"container/list"
	"context"
	"sync"
)

// Budget is a limited amount. It is safe for concurrent use.
type Budget struct {
	size int64

	mu      sync.Mutex
	free    int64
	waiting list.List // of *draw, first come first served
}

type draw struct {
	n     int64
	given chan struct{} // closed when n has been taken
}

func New(size int64) *Budget { return &Budget{size: size, free: size} }

// Draw takes n, or the whole budget if n is larger, and returns the amount to give back. Requests are served in
// order. If ctx ends first, it takes nothing and returns ctx's error.
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
	b.serve() // the next ones may ask for less
	return 0, ctx.Err()
}

// GiveBack returns an amount to the budget.
func (b *Budget) GiveBack(n int64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.free += n
	b.serve()
}

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
