package rpc

import "sync"

// debts counts the requests that were read and not yet answered. Every request that is
// read is answered once, whatever ends the loop: the loop ends when nothing is owed.
type debts struct {
	mu    sync.Mutex
	paid  sync.Cond // nothing is owed any more
	owed  int64
	taken int64 // requests so far
	shut  bool
}

func newDebts() *debts {
	d := &debts{}
	d.paid.L = &d.mu
	return d
}

// owe takes a request. When it returns false the loop has ended, and nobody would answer
// the request any more.
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

// pay notes that a request was answered: its answer is queued, or needs none.
func (d *debts) pay() {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.owed--; d.owed == 0 {
		d.paid.Broadcast()
	}
}

// wait returns when nothing is owed.
func (d *debts) wait() {
	d.mu.Lock()
	defer d.mu.Unlock()
	for d.owed > 0 {
		d.paid.Wait()
	}
}

// heard is how many requests were taken so far.
func (d *debts) heard() int64 {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.taken
}

// close lets no further request in.
func (d *debts) close() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.shut = true
}
