package rpc

import "sync"

// budget is a number of bytes that a reader draws from and workers give back to. It
// never refuses: draw waits until there is enough. One goroutine draws at a time.
type budget struct {
	mu    sync.Mutex
	free  int64
	freed sync.Cond
}

func newBudget(size int64) *budget {
	b := &budget{free: size}
	b.freed.L = &b.mu
	return b
}

func (b *budget) draw(n int64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for b.free < n {
		b.freed.Wait()
	}
	b.free -= n
}

func (b *budget) giveBack(n int64) {
	b.mu.Lock()
	b.free += n
	b.mu.Unlock()
	b.freed.Signal()
}
