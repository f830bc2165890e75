package rpc

import "sync"

// pool does tasks in the order they were added, at most size of them at once. A worker
// is a goroutine; those without a task wait for the next one, because a new goroutine
// has to grow its stack first. The worker that waited last goes first: then few take
// part, and their stacks stay grown.
type pool struct {
	size int
	do   func(task)

	mu      sync.Mutex
	settled sync.Cond // a worker found nothing more to do
	queue   []task
	workers int         // that have a task
	idle    []chan task // of the goroutines that wait for one
	closed  bool
}

func newPool(size int, do func(task)) *pool {
	p := &pool{size: size, do: do}
	p.settled.L = &p.mu
	return p
}

// admit takes a task in. It returns how many workers there are when one of them is
// free for the task: then the caller has to see to run(t) or start(t). With 0 the task
// waits for its turn.
func (p *pool) admit(t task) (workers int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.workers == p.size {
		p.queue = append(p.queue, t)
		return 0
	}
	p.workers++
	return p.workers
}

// start lets a goroutine of the pool run(t).
func (p *pool) start(t task) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if last := len(p.idle) - 1; last >= 0 {
		p.idle[last] <- t // never waits: the channel is empty and has room for one
		p.idle = p.idle[:last]
		return
	}
	go p.live(t)
}

// live is the life of a goroutine that begins with t.
func (p *pool) live(t task) {
	tasks := make(chan task, 1)
	for more := true; more; t, more = <-tasks {
		p.run(t)
		if !p.rest(tasks) {
			return
		}
	}
}

// rest notes that a goroutine waits for tasks; false ends it.
func (p *pool) rest(tasks chan task) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		return false
	}
	p.idle = append(p.idle, tasks)
	return true
}

// run does a task as a worker, and then those that wait for a worker.
func (p *pool) run(t task) {
	for more := true; more; t, more = p.next() {
		p.do(t)
	}
}

// next returns the longest waiting task; without one the worker has nothing to do.
func (p *pool) next() (t task, ok bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.queue) == 0 {
		p.queue = nil
		p.workers--
		p.settled.Broadcast()
		return task{}, false
	}
	t, p.queue[0] = p.queue[0], task{}
	p.queue = p.queue[1:]
	return t, true
}

// wait returns when there is nothing to do.
func (p *pool) wait() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for p.workers > 0 {
		p.settled.Wait()
	}
}

// close ends the goroutines that wait, and the others when they have nothing to do.
func (p *pool) close() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.closed = true
	for _, tasks := range p.idle {
		close(tasks)
	}
	p.idle = nil
}
