package folder

import (
	"context"
	"runtime"
	"sync"
	"sync/atomic"
)

// Readers read several files at a time.
type Readers struct {
	Context context.Context // of the one verification that reads
	Jobs    int             // files that are read at a time; 0 means one for each core
}

// Each runs do(0) … do(n-1) and waits for all of them. It stops early when the context
// ends.
func (r Readers) Each(n int, do func(int)) {
	jobs := r.Jobs
	if jobs <= 0 {
		jobs = runtime.GOMAXPROCS(0)
	}
	var next atomic.Int64
	run := func() {
		for i := int(next.Add(1)) - 1; i < n && r.Context.Err() == nil; i = int(next.Add(1)) - 1 {
			do(i)
		}
	}
	if jobs = min(jobs, n); jobs <= 1 {
		run()
		return
	}
	var group sync.WaitGroup
	for range jobs {
		group.Go(run)
	}
	group.Wait()
}
