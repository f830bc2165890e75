// Package ordered works on the items of a stream with several goroutines and delivers
// the results in the order of the stream, so that what cupel prints never depends on
// how many cores it had.
package ordered

import (
	"cmp"
	"context"
	"io"
	"runtime"
	"sync"
)

// Pipeline reads items one after another, works on several at once and delivers them
// in order.
type Pipeline[In, Out any] struct {
	// Jobs is the number of workers; 0 means one for each core. A single one works on the
	// goroutine that called Run.
	Jobs int
	// Read returns the next item; io.EOF ends the stream. It is given an item that was
	// delivered, or the zero item, whose memory it may use again: the number of items
	// alive is bounded by Jobs+2. It runs on a goroutine of its own.
	Read func(used In) (In, error)
	// Weight is the memory in bytes that an item takes, the work on it included; nil
	// where items are small. Work on an item begins when it and all that are alive stay
	// within Budget together, or when it is the only one.
	Weight func(In) int
	// Budget is what the items alive may weigh together; 0 means the constant Budget.
	Budget int
	// NewWorker makes one worker's function, which may keep state between items.
	NewWorker func() func(In) Out
	// Deliver takes the results in order, on the goroutine that called Run. Its error
	// ends the run.
	Deliver func(In, Out) error
}

// Budget is what the items alive may weigh together by default, whatever the number of
// workers.
const Budget = 128 << 20

// Share is what one of the items that jobs workers keep alive may weigh for its memory
// to be used again: what many hold on to must fit the budget, too.
func Share(jobs int) int { return Budget / alive(jobs) }

// alive is how many items there are at a time: one in the hands of each worker, one
// that is read and one that is delivered.
func alive(jobs int) int { return workers(jobs) + 2 }

func workers(jobs int) int {
	if jobs <= 0 {
		return runtime.GOMAXPROCS(0)
	}
	return jobs
}

// task is one item on its way.
type task[In, Out any] struct {
	in     In
	weight int
	out    chan Out // nil: there is no other goroutine to work on it
	fail   error    // of Read, in place of an item
}

// Run reads to the end of the stream. It returns the first error in the stream's
// order, of Read or of Deliver, or the context's as soon as it is cancelled: a Read
// that never returns does not keep it.
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

// RunInline is Run on the caller's goroutine alone, one item after the other: for streams so
// short that handing items on costs more than it brings. A Read that never returns keeps it.
func (p Pipeline[In, Out]) RunInline(ctx context.Context) error {
	var do func(In) Out // made with the first item
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
		order <- t // never waits: it has room for all items alive
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
	var do func(In) Out // made with the first item: short streams start few workers
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
	var do func(In) Out // made with the first item that nobody else works on
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

// result waits for the result of the work on an item, or does the work.
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
