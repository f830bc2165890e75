// Package ordered processes the items of a stream concurrently and delivers results in stream
// order: output never depends on the number of cores.
package ordered

import (
	"cmp"
	"context"
	"io"
	"runtime"
	"sync"
)

// Pipeline reads items in sequence, processes several at once and delivers them in order.
type Pipeline[In, Out any] struct {
	// Jobs is the number of workers; 0 means one per core. A single worker runs on Run's goroutine.
	Jobs int
	// Read returns the next item; io.EOF ends the stream. used is a delivered item for reuse, or the zero value; at
	// most Jobs+2 items are in use. Read runs on a separate goroutine.
	Read func(used In) (In, error)
	// Weight returns the memory in bytes for an item and its processing. nil means that items are small. Processing
	// starts when the total weight fits Budget, or for a single item.
	Weight func(In) int
	// Budget limits the total weight of items in use; 0 means the constant Budget.
	Budget int
	// NewWorker returns a worker function, which can keep state between items.
	NewWorker func() func(In) Out
	// Deliver receives the results in order on Run's goroutine. An error ends the run.
	Deliver func(In, Out) error
}

// Budget is the default limit on the total weight.
const Budget = 128 << 20

// Share returns the largest weight at which an item's memory is reused, to keep idle memory within the budget.
func Share(jobs int) int { return Budget / alive(jobs) }

// alive returns the number of items in use: one per worker, one being read and one being delivered.
func alive(jobs int) int { return workers(jobs) + 2 }

func workers(jobs int) int {
	if jobs <= 0 {
		return runtime.GOMAXPROCS(0)
	}
	return jobs
}

type task[In, Out any] struct {
	in     In
	weight int
	out    chan Out // nil if no other goroutine works on it
	fail   error    // error of Read
}

// Run processes the stream. It returns the first error of Read or Deliver in stream order, or ctx's
// error at once, even if Read blocks.
func (p Pipeline[In, Out]) Run(ctx context.Context) error {
	ctx, stop := context.WithCancel(ctx)
	var running sync.WaitGroup
	defer running.Wait()
	defer stop()
	var work chan task[In, Out]
	order := make(chan task[In, Out], alive(p.Jobs))
	used := make(chan task[In, Out], alive(p.Jobs))
	if jobs := workers(p.Jobs); jobs > 1 {
		work = make(chan task[In, Out])
		for range jobs {
			running.Go(func() { p.work(ctx, work) })
		}
	}
	go p.read(ctx, used, work, order)
	return p.deliver(ctx, order, used)
}

// RunInline is Run without goroutines, for short streams. It does not return while Read blocks.
func (p Pipeline[In, Out]) RunInline(ctx context.Context) error {
	var do func(In) Out // created on first use
	var in In
	for ctx.Err() == nil {
		next, err := p.Read(in)
		switch {
		case err == io.EOF:
			return ctx.Err()
		case err != nil:
			return err
		case do == nil:
			do = p.NewWorker()
		}
		if err := p.Deliver(next, do(next)); err != nil {
			return err
		}
		if in = next; p.Weight != nil && p.Weight(next) > Share(1) {
			in = *new(In)
		}
	}
	return ctx.Err()
}

func (p Pipeline[In, Out]) read(ctx context.Context, used <-chan task[In, Out], work, order chan<- task[In, Out]) {
	defer close(order)
	stock := stock[In, Out]{used: used, idle: make([]In, alive(p.Jobs)), share: Share(p.Jobs), budget: cmp.Or(p.Budget, Budget)}
	for {
		in, ok := stock.take(ctx)
		if !ok {
			return
		}
		in, err := p.Read(in)
		if err == io.EOF {
			return
		}
		t := task[In, Out]{in: in, fail: err}
		if work != nil {
			t.out = make(chan Out, 1)
		}
		if err == nil && p.Weight != nil {
			t.weight = p.Weight(in)
		}
		if !stock.admit(ctx, t.weight) {
			return
		}
		order <- t // never blocks: it has room for all items
		if err != nil {
			return
		}
		if work == nil {
			continue
		}
		select {
		case work <- t:
		case <-ctx.Done():
			return
		}
	}
}

func (p Pipeline[In, Out]) work(ctx context.Context, work <-chan task[In, Out]) {
	var do func(In) Out // created on first use: short streams start few workers
	for {
		select {
		case t := <-work:
			if do == nil {
				do = p.NewWorker()
			}
			t.out <- do(t.in)
		case <-ctx.Done():
			return
		}
	}
}

func (p Pipeline[In, Out]) deliver(ctx context.Context, order <-chan task[In, Out], used chan<- task[In, Out]) error {
	var do func(In) Out // created for the first item without another worker
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case t, more := <-order:
			switch {
			case !more:
				return ctx.Err()
			case t.fail != nil:
				return t.fail
			case t.out == nil && do == nil:
				do = p.NewWorker()
			}
			out, err := t.result(ctx, do)
			if err == nil {
				err = p.Deliver(t.in, out)
			}
			if err != nil {
				return err
			}
			used <- t
		}
	}
}

func (t task[In, Out]) result(ctx context.Context, do func(In) Out) (out Out, err error) {
	if t.out == nil {
		return do(t.in), nil
	}
	select {
	case <-ctx.Done():
		return out, ctx.Err()
	case out := <-t.out:
		return out, nil
	}
}
