package folder

import (
	"context"
	"errors"
	"runtime"
	"sync"
	"sync/atomic"
)

// Readers reads files concurrently and is safe for concurrent use. Callers of Each also read and share the
// additional goroutines.
type Readers struct {
	context context.Context // of the one verification that reads
	spare   chan struct{}   // a token per additional reader
	stopped atomic.Bool
}

// NewReaders returns Readers for up to jobs concurrent files; 0 means one per core.
func NewReaders(ctx context.Context, jobs int) *Readers {
	if jobs <= 0 {
		jobs = runtime.GOMAXPROCS(0)
	}
	return &Readers{context: ctx, spare: make(chan struct{}, jobs-1)}
}

// errStopped means that reading was cancelled.
var errStopped = errors.New("reading was stopped")

// Stop cancels all reading, like the end of the context.
func (r *Readers) Stop() { r.stopped.Store(true) }

// Err returns why reading stopped: the context's error or that of Stop. It is nil otherwise.
func (r *Readers) Err() error {
	if err := r.context.Err(); err != nil {
		return err
	}
	if r.stopped.Load() {
		return errStopped
	}
	return nil
}

// Each runs do(0) … do(n-1) and waits for all. It ends early if reading stopped.
func (r *Readers) Each(n int, do func(int)) {
	var next atomic.Int64
	run := func() {
		for i := int(next.Add(1)) - 1; i < n && r.Err() == nil; i = int(next.Add(1)) - 1 {
			do(i)
		}
	}
	var group sync.WaitGroup
	for i := 1; i < n && r.take(); i++ {
		group.Go(func() {
			defer r.give()
			run()
		})
	}
	run()
	group.Wait()
}

// take reports whether another reader can start.
func (r *Readers) take() bool {
	select {
	case r.spare <- struct{}{}:
		return true
	default:
		return false
	}
}

func (r *Readers) give() { <-r.spare }
