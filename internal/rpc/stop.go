package rpc

import (
	"context"
	"time"
)

// wait sees the loop to its end.
func (s *server) wait(ctx context.Context) error {
	late, cancel := after(ctx, s.opt.StopTime)
	defer cancel()
	select {
	case <-s.out.failed:
		return nil
	case last := <-s.last:
		s.finish(ctx, late, last)
		return nil
	case <-s.ended:
	case <-ctx.Done():
		s.quiet(late)
	}
	select {
	case last := <-s.last: // it came just before the end
		s.finish(ctx, late, last)
	default:
		s.await(late, s.settle)
	}
	return s.readError()
}

// readError returns why the stream ended: nil for its regular end or when it goes on.
func (s *server) readError() error {
	select {
	case <-s.ended:
		return s.readErr
	default:
		return nil
	}
}

// finish answers the last request after all earlier ones, and what comes too late
// while there is somebody who sends.
func (s *server) finish(ctx, late context.Context, last lastCall) {
	drain, cancel := context.WithTimeout(late, s.opt.DrainTime)
	defer cancel()
	s.await(drain, s.pool.wait)
	if s.send(last.request, last.ask(), true) {
		go s.out.write()
	}
	flush, cancel := context.WithTimeout(late, s.opt.StopTime)
	defer cancel()
	s.await(flush, s.out.flush)
	s.quiet(ctx)
	s.await(flush, s.out.flush)
}

// ask makes the answer; a panic is one too.
func (c lastCall) ask() (a Answer) {
	defer recovered(&a)
	return c.answer()
}

// settle returns when every request is answered and every answer written.
func (s *server) settle() {
	s.pool.wait()
	s.out.flush()
}

// quiet returns when nothing was heard for Linger, when the stream has ended or when
// ctx ends.
func (s *server) quiet(ctx context.Context) {
	pause := time.NewTicker(s.opt.Linger)
	defer pause.Stop()
	for heard := int64(-1); heard != s.heard.Load(); {
		heard = s.heard.Load()
		select {
		case <-s.ended:
			return
		case <-ctx.Done():
			return
		case <-pause.C:
		}
	}
}

// await returns when condition does, when nobody reads the answers any more or when
// ctx ends.
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

// after returns a context that ends delay after ctx does.
func after(ctx context.Context, delay time.Duration) (context.Context, context.CancelFunc) {
	late, cancel := context.WithCancel(context.WithoutCancel(ctx))
	stop := context.AfterFunc(ctx, func() { time.AfterFunc(delay, cancel) })
	return late, func() { stop(); cancel() }
}
