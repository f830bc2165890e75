package rpc

import "sync"

// pool runs tasks in order, at most size at once and within a total weight. A waiting heavy task does not block
// tasks without weight. Idle goroutines are reused, last in first out, to keep few stacks grown.
type pool struct {
	size int
	do   func(task)

	mu      sync.Mutex
	room    int64 // weight that can be added
	most    int64 // total weight
	queue   []task
	workers int           // goroutines that run tasks
	idle    []chan func() // idle goroutines
	ended   bool          // no more tasks are admitted
	closed  bool          // no more idle goroutines
}

func newPool(size int, room int64, do func(task)) *pool {
	return &pool{size: size, do: do, room: room, most: room}
}

// admit adds a task. If a worker is free, it returns the number of workers, and the caller must run the returned
// task. Otherwise it returns 0, and the task is queued. ended means that the pool rejected the task.
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

func (p *pool) begin(t task) {
	p.workers++
	p.room -= t.weight
}

func (p *pool) runnable() (t task, ok bool) {
	if p.workers == p.size {
		return task{}, false
	}
	waits := false // a task with weight is waiting
	for i := range p.queue {
		if t = p.queue[i]; t.weight > 0 && (waits || t.weight > p.room) {
			waits = true
			continue
		}
		copy(p.queue[1:i+1], p.queue[:i]) // few tasks are before it
		p.queue[0] = task{}
		if p.queue = p.queue[1:]; len(p.queue) == 0 {
			p.queue = nil
		}
		p.begin(t)
		return t, true
	}
	return task{}, false
}

func (p *pool) start(job func()) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.wake(job)
}

// wake is start with the lock held.
func (p *pool) wake(job func()) {
	if last := len(p.idle) - 1; last >= 0 {
		p.idle[last] <- job // never blocks: the channel has capacity one
		p.idle = p.idle[:last]
		return
	}
	go p.live(job)
}

func (p *pool) live(job func()) {
	jobs := make(chan func(), 1)
	for more := true; more; job, more = <-jobs {
		job()
		if !p.rest(jobs) {
			return
		}
	}
}

// rest registers an idle goroutine. It returns false to end the goroutine.
func (p *pool) rest(jobs chan func()) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		return false
	}
	p.idle = append(p.idle, jobs)
	return true
}

// run runs a task as a worker, then queued tasks.
func (p *pool) run(t task) {
	for more := true; more; t, more = p.next(t) {
		p.do(t)
	}
}

// next returns the worker's next task, if there is one. It starts workers for other tasks that fit now.
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

// end rejects further tasks and returns the queued ones.
func (p *pool) end() []task {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.ended = true
	waiting := p.queue
	p.queue = nil
	return waiting
}

// close ends idle goroutines, and the others when they become idle.
func (p *pool) close() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.closed = true
	for _, jobs := range p.idle {
		close(jobs)
	}
	p.idle = nil
}
