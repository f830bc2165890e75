package rpc

import "sync"

// debts counts unanswered requests. However the loop ends, it waits until every request has an answer.
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

func (d *debts) heard() int64 {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.taken
}

func (d *debts) close() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.shut = true
}
