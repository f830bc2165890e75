package rpc

import (
	"sync/atomic"
	"time"
)

// patience is how long the reading goroutine can work on a request before another one takes over reading. It can
// take up to twice as long.
const patience = 5 * time.Millisecond

// relief replaces the reading goroutine while it is busy. It checks periodically while requests arrive, because a
// timer per request would wake a runtime thread each time.
type relief struct {
	takeOver func()
	timer    *time.Timer
	watching atomic.Bool
	absences atomic.Int64 // absences so far
	away     atomic.Int64 // number of the current absence; 0: reading
	seen     int64        // absences at the last check
}

// newRelief returns a relief that calls takeOver, which must not block, if the reader is away for too long.
func newRelief(takeOver func()) *relief {
	r := &relief{takeOver: takeOver}
	r.timer = time.AfterFunc(time.Hour, r.watch)
	r.timer.Stop() // until needed
	return r
}

// leave records that the reader is away and returns the number of the absence.
func (r *relief) leave() int64 {
	n := r.absences.Add(1)
	r.away.Store(n)
	if r.watching.CompareAndSwap(false, true) {
		r.timer.Reset(patience)
	}
	return n
}

// back ends an absence. It returns false if another goroutine has taken over.
func (r *relief) back(n int64) bool { return r.away.CompareAndSwap(n, 0) }

// watch replaces a reader that has been away since the last check. It runs while there are absences.
func (r *relief) watch() {
	begun := r.absences.Load()
	if away := r.away.Load(); away != 0 && away <= r.seen && r.back(away) {
		r.takeOver()
	}
	idle := begun == r.seen && r.away.Load() == 0
	r.seen = begun
	if idle {
		r.watching.Store(false)
		if r.away.Load() == 0 || !r.watching.CompareAndSwap(false, true) {
			return
		}
	}
	r.timer.Reset(patience)
}
