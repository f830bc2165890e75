package rpc

import (
	"sync/atomic"
	"time"
)

// patience is how long the goroutine that reads may be away for the work of one request
// before another one takes over the reading: at most twice as long.
const patience = 5 * time.Millisecond

// relief lets another goroutine take over the reading while the one that reads is away.
// It looks after it from time to time, as long as requests come: setting a timer for
// every request would wake another thread of the runtime every time.
type relief struct {
	takeOver func()
	timer    *time.Timer
	watching atomic.Bool
	absences atomic.Int64 // begun so far
	away     atomic.Int64 // number of the absence under way; 0: the reader reads
	seen     int64        // absences when watch looked last
}

// newRelief returns a relief that calls takeOver, which must not wait, for every absence
// that lasts too long.
func newRelief(takeOver func()) *relief {
	r := &relief{takeOver: takeOver}
	r.timer = time.AfterFunc(time.Hour, r.watch)
	r.timer.Stop() // until there is something to watch
	return r
}

// leave begins an absence of the reader and returns its number.
func (r *relief) leave() int64 {
	n := r.absences.Add(1)
	r.away.Store(n)
	if r.watching.CompareAndSwap(false, true) {
		r.timer.Reset(patience)
	}
	return n
}

// back ends an absence. It returns false when somebody else has taken over.
func (r *relief) back(n int64) bool { return r.away.CompareAndSwap(n, 0) }

// watch relieves a reader that has been away since the last look, and goes on as long
// as there have been absences.
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
