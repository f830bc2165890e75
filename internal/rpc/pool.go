package rpc

import "sync"

// pool does tasks in the order they were added, at most size of them at once. A
// worker is a goroutine that lives while there are tasks.
type pool struct {
	size int
	do   func(task)

	mu      sync.Mutex
	settled sync.Cond // a worker found nothing more to do
	queue   []task
	workers int
}

func newPool(size int, do func(task)) *pool {
	p := &pool{size: size, do: do}
	p.settled.L = &p.mu
	return p
}

// admit takes a task in. It returns how many workers there are when one of them is
// free for the task: then the caller has to see to run(t). With 0 the task waits for
// its turn.
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

// run is the life of a worker that begins with t.
func (p *pool) run(t task) {
	for more := true; more; t, more = p.next() {
		p.do(t)
	}
}

// next returns the longest waiting task; without one the worker's life ends.
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
