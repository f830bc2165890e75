package reasoning

import (
	"runtime"
	"sync"
	"sync/atomic"
)

// parallel runs do(0) … do(n-1) on the checker's cores and waits for all of them. It
// stops early when the context ends.
func (c *Checker) parallel(n int, do func(int)) {
	jobs := c.opt.Jobs
	if jobs <= 0 {
		jobs = runtime.GOMAXPROCS(0)
	}
	var next atomic.Int64
	run := func() {
		for i := int(next.Add(1)) - 1; i < n && c.ctx.Err() == nil; i = int(next.Add(1)) - 1 {
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
