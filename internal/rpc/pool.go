package rpc

import "sync"

// pool does tasks in the order they were added, at most size of them at once and no more
// than together weigh what there is room for. A task waits for room without keeping those
// behind it that weigh nothing. The pool keeps goroutines for that and for the reading:
// those with nothing to do wait, because a new goroutine has to grow its stack first. The
// one that waited last goes first: then few take part, and their stacks stay grown.
type pool struct {
	size int
	do   func(task)

	mu      sync.Mutex
	room    int64 // weight that may be added to the tasks under way
	most    int64 // weight that there is room for when nothing is under way
	queue   []task
	workers int           // goroutines that do tasks
	idle    []chan func() // of the goroutines that wait
	ended   bool          // no task is taken in any more
	closed  bool          // no goroutine waits any more
}

func newPool(size int, room int64, do func(task)) *pool {
	return &pool{size: size, do: do, room: room, most: room}
}

// admit takes a task in. It returns how many workers there are when one of them is
// free for the task: then the caller has to see to run it, as it comes back. With 0 the
// task waits for its turn. ended says that no task is taken in any more.
func (p *pool) admit(t task) (admitted task, workers int, ended bool) {
	t.weight = min(t.weight, p.most)
	p.mu.Lock()
	defer p.mu.Unlock()
	switch {
	case p.ended:
		return t, 0, true
	case p.workers < p.size && t.weight <= p.room && (t.weight == 0 || len(p.queue) == 0):
		p.begin(t)
		return t, p.workers, false
	}
	p.queue = append(p.queue, t)
	return t, 0, false
}

// begin counts a task that a worker begins.
func (p *pool) begin(t task) {
	p.workers++
	p.room -= t.weight
}

// runnable takes the task off the queue that can be done next, for one more worker: the
// longest waiting one, or the first that weighs nothing when there is no room for that.
func (p *pool) runnable() (t task, ok bool) {
	if p.workers == p.size {
		return task{}, false
	}
	waits := false // a task with weight
	for i := range p.queue {
		if t = p.queue[i]; t.weight > 0 && (waits || t.weight > p.room) {
			waits = true
			continue
		}
		copy(p.queue[1:i+1], p.queue[:i]) // those before it are few
		p.queue[0] = task{}
		if p.queue = p.queue[1:]; len(p.queue) == 0 {
			p.queue = nil
		}
		p.begin(t)
		return t, true
	}
	return task{}, false
}

// start lets a goroutine of the pool do a job.
func (p *pool) start(job func()) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.wake(job)
}

// wake is start for a caller that holds the lock.
func (p *pool) wake(job func()) {
	if last := len(p.idle) - 1; last >= 0 {
		p.idle[last] <- job // never waits: the channel is empty and has room for one
		p.idle = p.idle[:last]
		return
	}
	go p.live(job)
}

// live is the life of a goroutine that begins with a job.
func (p *pool) live(job func()) {
	jobs := make(chan func(), 1)
	for more := true; more; job, more = <-jobs {
		job()
		if !p.rest(jobs) {
			return
		}
	}
}

// rest notes that a goroutine waits for jobs; false ends it.
func (p *pool) rest(jobs chan func()) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		return false
	}
	p.idle = append(p.idle, jobs)
	return true
}

// run does a task as a worker, and then those that wait for a worker.
func (p *pool) run(t task) {
	for more := true; more; t, more = p.next(t) {
		p.do(t)
	}
}

// next returns the next task for the worker that has done one; without one the worker has
// nothing to do. Further tasks that there is room for now get workers of their own.
func (p *pool) next(done task) (t task, ok bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.workers--
	p.room += done.weight
	t, ok = p.runnable()
	for ok && done.weight > 0 {
		other, more := p.runnable()
		if !more {
			break
		}
		p.wake(func() { p.run(other) })
	}
	return t, ok
}

// end lets no further task in and returns those that wait for a worker.
func (p *pool) end() []task {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.ended = true
	waiting := p.queue
	p.queue = nil
	return waiting
}

// close ends the goroutines that wait, and the others when they have nothing to do.
func (p *pool) close() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.closed = true
	for _, jobs := range p.idle {
		close(jobs)
	}
	p.idle = nil
}
