package eval

import (
	"context"
	"sync"
	"time"
)

// looks is in how many parts a time limit is waited for.
const looks = 10

// patience ends a context at a time limit. It waits for the limit in parts, each begun when the one
// before was seen to end: a machine that has no processor for the whole program, such as a container at its
// quota, takes one part of it at most, and not the evaluation's answer.
type patience struct {
	part time.Duration
	over context.CancelCauseFunc
	slow error // the cause, at the limit

	mu    sync.Mutex
	left  int // parts
	timer *time.Timer
}

// withPatience is a context that ends when the limit is over, with the cause slow, or with its parent, or
// when the function is called, which frees what it holds.
func withPatience(parent context.Context, limit time.Duration) (context.Context, func()) {
	ctx, over := context.WithCancelCause(parent)
	p := &patience{part: max(1, limit/looks), over: over, slow: &slow{limit}, left: looks}
	p.mu.Lock()
	p.timer = time.AfterFunc(p.part, p.look)
	p.mu.Unlock()
	return ctx, p.end
}

// look is called when a part is over.
func (p *patience) look() {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch p.left--; {
	case p.left == 0:
		p.over(p.slow)
	case p.left > 0:
		p.timer.Reset(p.part)
	}
}

// end frees the timer: the context is not asked any more.
func (p *patience) end() {
	p.mu.Lock()
	p.left = 0
	p.timer.Stop()
	p.mu.Unlock()
	p.over(nil)
}
