package rpc

import (
	"container/list"
	"context"
	"sync"
	"time"
)

// place is where one work is done: the context that ends with its time, and memory for
// its answer. It is used again for another work unless the context has ended.
type place struct {
	ctx     context.Context
	cancel  context.CancelFunc
	scratch []byte
	request Request
	began   time.Time
	entry   *list.Element // in deadlines.begun; nil: the work is over, or out of time
}

func newPlace(parent context.Context) *place {
	p := &place{}
	p.ctx, p.cancel = context.WithCancel(context.WithoutCancel(parent))
	return p
}

// deadlines ends the works that take too long. All have the same time, so that the one
// that began first is the first to be out of time: one timer serves all of them, and it
// is set once in that time and not for every work.
type deadlines struct {
	time time.Duration // 0: no limit
	late func(Request) // answers a request whose work is out of time; it may wait

	mu     sync.Mutex
	begun  list.List // of *place, the longest under way first
	timer  *time.Timer
	set    bool // the timer
	closed bool
}

// begin begins the work for a request. It returns false when no work may begin any more.
func (d *deadlines) begin(p *place, r Request) bool {
	p.request, p.began = r, time.Now()
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.closed {
		return false
	}
	p.entry = d.begun.PushBack(p)
	if d.time > 0 && !d.set {
		d.setTimer(d.time)
	}
	return true
}

// done ends a work. It returns false when the work was out of time: then its request is
// answered, and its place is not used again.
func (d *deadlines) done(p *place) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	if p.entry == nil {
		return false
	}
	d.begun.Remove(p.entry)
	p.entry, p.request = nil, Request{}
	return true
}

func (d *deadlines) setTimer(after time.Duration) {
	d.set = true
	if d.timer == nil {
		d.timer = time.AfterFunc(after, d.look)
		return
	}
	d.timer.Reset(after)
}

// look ends the works that are out of time, and sets the timer for the next one.
func (d *deadlines) look() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.set = false
	for entry := d.begun.Front(); entry != nil && !d.closed; entry = d.begun.Front() {
		p := entry.Value.(*place)
		if left := d.time - time.Since(p.began); left > 0 {
			d.setTimer(left)
			return
		}
		go d.late(d.overdue(p))
	}
}

// overdue ends a work whose request somebody else answers, and returns that request.
func (d *deadlines) overdue(p *place) Request {
	d.begun.Remove(p.entry)
	p.entry = nil
	p.cancel()
	return p.request.sender()
}

// end ends all works, lets none begin any more and returns the requests of those that were
// not done.
func (d *deadlines) end() (left []Request) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.closed = true
	if d.timer != nil {
		d.timer.Stop()
	}
	for entry := d.begun.Front(); entry != nil; entry = d.begun.Front() {
		left = append(left, d.overdue(entry.Value.(*place)))
	}
	return left
}
