package rpc

import "sync"

// pool does tasks in the order they were added, at most size of them at once. It keeps
// goroutines for that and for the reading: those with nothing to do wait, because a new
// goroutine has to grow its stack first. The one that waited last goes first: then few
// take part, and their stacks stay grown.
type pool struct {
	size int
	do   func(task)

	mu      sync.Mutex
	queue   []task
	workers int           // goroutines that do tasks
	idle    []chan func() // of the goroutines that wait
	ended   bool          // no task is taken in any more
	closed  bool          // no goroutine waits any more
}

func newPool(size int, do func(task)) *pool {
	return &pool{size: size, do: do}
}

// admit takes a task in. It returns how many workers there are when one of them is
// free for the task: then the caller has to see to run(t). With 0 the task waits for
// its turn. ended says that no task is taken in any more.
func (p *pool) admit(t task) (workers int, ended bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.ended {
		return 0, true
	}
	if p.workers == p.size {
		p.queue = append(p.queue, t)
		return 0, false
	}
	p.workers++
	return p.workers, false
}

// start lets a goroutine of the pool do a job.
func (p *pool) start(job func()) {
	p.mu.Lock()
	defer p.mu.Unlock()
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
		return task{}, false
	}
	t, p.queue[0] = p.queue[0], task{}
	p.queue = p.queue[1:]
	return t, true
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
