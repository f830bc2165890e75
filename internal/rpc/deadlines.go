package rpc

import (
	"container/list"
	"context"
	"sync"
	"time"
)

// place is a reusable slot for a request in progress: its context with a time limit, and memory for the answer. It
// cannot be reused after its context has ended.
type place struct {
	ctx     context.Context
	cancel  context.CancelFunc
	scratch []byte
	request Request
	began   time.Time
	entry   *list.Element // in deadlines.begun; nil when done or out of time
}

func newPlace(parent context.Context) *place {
	p := &place{}
	p.ctx, p.cancel = context.WithCancel(context.WithoutCancel(parent))
	return p
}

// deadlines limits the time of requests. All have the same limit, so they expire in order, and one timer is enough.
type deadlines struct {
	time time.Duration // 0: no limit
	late func(Request) // answers an expired request; it can block

	mu     sync.Mutex
	begun  list.List // of *place, oldest first
	timer  *time.Timer
	set    bool // the timer is set
	closed bool
}

// begin starts the time of a request. It returns false after end.
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

// done ends the time of a request. It returns false if it had expired: then it was answered, and its place must not
// be reused.
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

// look cancels expired requests and sets the timer.
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

// overdue cancels a request and returns it, to be answered by the caller.
func (d *deadlines) overdue(p *place) Request {
	d.begun.Remove(p.entry)
	p.entry = nil
	p.cancel()
	return p.request.sender()
}

// end cancels all requests, admits no more and returns those that were open.
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
