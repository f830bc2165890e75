package provider

import (
	"context"
	"fmt"
	"sync"
	"time"
)

// pace limits the attempts per minute.
type pace struct {
	perMinute int

	mu    sync.Mutex
	begun []time.Time // of the last attempts, a ring; those in the future are waited for
	next  int         // the oldest of begun, when it is full
}

// newPace returns a rate limiter; 0 means unlimited.
func newPace(perMinute int) *pace { return &pace{perMinute: perMinute} }

// tooFast reports that the next allowed attempt is after the deadline.
type tooFast struct {
	perMinute int
	wait      time.Duration
}

func (e *tooFast) Error() string {
	return fmt.Sprintf("reached the limit of %d calls per minute; the next call can start in %s", e.perMinute, seconds(e.wait))
}

// wait waits until an attempt is allowed. It returns a *tooFast at once if ctx would end before, or ctx's error.
func (p *pace) wait(ctx context.Context) error {
	if p.perMinute <= 0 {
		return ctx.Err()
	}
	at, err := p.turn(ctx)
	if err != nil {
		return err
	}
	return sleep(ctx, time.Until(at))
}

func (p *pace) turn(ctx context.Context) (time.Time, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	now := time.Now()
	if len(p.begun) < p.perMinute {
		p.begun = append(p.begun, now)
		return now, nil
	}
	at := p.begun[p.next].Add(time.Minute)
	if at.Before(now) {
		at = now
	}
	if end, bounded := ctx.Deadline(); bounded && !at.Before(end) {
		return at, &tooFast{p.perMinute, at.Sub(now)}
	}
	p.begun[p.next] = at
	p.next = (p.next + 1) % p.perMinute
	return at, nil
}

// sleep waits for a time, or until ctx ends.
func sleep(ctx context.Context, d time.Duration) error {
	if d <= 0 {
		return ctx.Err()
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// seconds formats a duration, rounded up to whole seconds.
func seconds(d time.Duration) string {
	return fmt.Sprintf("%ds", (d+time.Second-1)/time.Second)
}
