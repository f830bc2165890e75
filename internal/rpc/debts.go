package rpc

import "sync"

// debts counts unanswered requests. Every request gets one answer, however the loop ends, which
// waits until none is left.
type debts struct {
	mu    sync.Mutex
	paid  sync.Cond // signals that all are answered
	owed  int64
	taken int64 // requests so far
	shut  bool
}

func newDebts() *debts {
	d := &debts{}
	d.paid.L = &d.mu
	return d
}

// owe counts a request. It returns false after the loop has ended.
func (d *debts) owe() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.shut {
		return false
	}
	d.owed++
	d.taken++
	return true
}

// pay marks a request as answered.
func (d *debts) pay() {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.owed--; d.owed == 0 {
		d.paid.Broadcast()
	}
}

// wait waits until all requests are answered.
func (d *debts) wait() {
	d.mu.Lock()
	defer d.mu.Unlock()
	for d.owed > 0 {
		d.paid.Wait()
	}
}

// heard returns the number of requests so far.
func (d *debts) heard() int64 {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.taken
}

// close rejects further requests.
func (d *debts) close() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.shut = true
}
