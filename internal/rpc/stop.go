package rpc

import (
	"context"
	"errors"
	"time"
)

// errUnread is returned if the client did not read the answers.
var errUnread = errors.New("the client did not read them in time")

func (s *server) wait(ctx context.Context) error {
	late, cancel := after(ctx, s.opt.StopTime)
	defer cancel()
	final, cancel := after(ctx, s.opt.StopTime+s.opt.FlushTime)
	defer cancel()
	select {
	case <-s.out.failed:
	case last := <-s.last:
		s.finish(late, final, last)
	case <-s.ended:
		s.settle(late)
	case <-ctx.Done():
		s.settle(late)
	}
	s.close(late, final)
	return errors.Join(s.out.problem(), s.readError())
}

// readError returns the stream's error, or nil if it is open or ended regularly.
func (s *server) readError() error {
	select {
	case <-s.ended:
		return s.readErr
	default:
		return nil
	}
}

// finish answers the last request after all earlier ones, and later requests while the client sends.
func (s *server) finish(late, final context.Context, last lastCall) {
	drain, cancel := context.WithTimeout(late, s.opt.DrainTime)
	defer cancel()
	s.await(drain, s.debts.wait)
	s.abandon()
	unread, cancel := context.WithTimeout(final, s.opt.FlushTime)
	defer cancel()
	s.await(unread, s.debts.wait)
	s.answerAnyway(last.request, last.ask())
	flush, cancel := context.WithTimeout(final, s.opt.StopTime)
	defer cancel()
	s.await(flush, s.out.flush)
	s.quiet(flush)
}

func (c lastCall) ask() (a Answer) {
	defer recovered(&a)
	return c.answer()
}

// settle waits until every request is answered and no more arrive, or ctx ends.
func (s *server) settle(ctx context.Context) {
	for before := int64(-1); before != s.debts.heard() && ctx.Err() == nil; {
		s.quiet(ctx)
		before = s.debts.heard()
		s.await(ctx, s.debts.wait)
	}
}

// abandon answers all unfinished requests and starts no further work.
func (s *server) abandon() {
	for _, t := range s.pool.end() {
		s.giveUp(t)
	}
	for _, r := range s.deadlines.end() {
		s.answerAnyway(r, Answer{Fault: &Fault{Kind: Ended}})
	}
}

// giveUp answers a request whose work was not started.
func (s *server) giveUp(t task) {
	s.answerAnyway(t.request, Answer{Fault: &Fault{Kind: Ended}})
	s.lines.giveBack(t.line)
}

// close ends the loop. It accepts no more requests and writes pending answers until final ends. Lines blocked by
// works until late are still accepted.
func (s *server) close(late, final context.Context) {
	s.abandon()
	if late.Err() != nil {
		s.settle(final)
	}
	s.debts.close()
	s.await(final, s.debts.wait)
	select {
	case last := <-s.last: // arrived just before the end
		s.answerAnyway(last.request, last.ask())
	default:
	}
	s.await(final, s.out.flush)
	s.out.giveUp(errUnread)
}

// quietSteps is the number of steps in waiting for silence.
const quietSteps = 5

// quiet waits until nothing was read for Linger, or the stream or ctx ended. It waits in steps, because a process
// that is not scheduled for a while must not mistake that for silence.
func (s *server) quiet(ctx context.Context) {
	step := max(s.opt.Linger/quietSteps, 1)
	pause := time.NewTimer(step)
	defer pause.Stop()
	heard := s.debts.heard()
	for silent := 0; silent < quietSteps; pause.Reset(step) {
		select {
		case <-s.ended:
			return
		case <-s.out.failed:
			return
		case <-ctx.Done():
			return
		case <-pause.C:
		}
		silent++
		if now := s.debts.heard(); now != heard || !s.lines.reading.Load() {
			heard, silent = now, 0
		}
	}
}

// await waits for condition, a failed writer or the end of ctx.
func (s *server) await(ctx context.Context, condition func()) {
	met := make(chan struct{})
	go func() {
		defer close(met)
		condition()
	}()
	select {
	case <-met:
	case <-s.out.failed:
	case <-ctx.Done():
	}
}

func after(ctx context.Context, delay time.Duration) (context.Context, context.CancelFunc) {
	late, cancel := context.WithCancel(context.WithoutCancel(ctx))
	stop := context.AfterFunc(ctx, func() { time.AfterFunc(delay, cancel) })
	return late, func() { stop(); cancel() }
}
