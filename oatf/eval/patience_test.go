package eval

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"
)

// TestPatience: a context ends at the limit, with the cause that says so, and not a nanosecond before.
func TestPatience(t *testing.T) {
	for _, limit := range []time.Duration{1, looks, 100 * time.Millisecond, time.Hour} {
		synctest.Test(t, func(t *testing.T) {
			ctx, end := withPatience(t.Context(), limit)
			defer end()
			began := time.Now()
			<-ctx.Done()
			if took := time.Since(began); took < limit || took > max(limit, looks) {
				t.Errorf("a limit of %s is over after %s", limit, took)
			}
			if err := context.Cause(ctx); !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("the cause is %v", err)
			}
		})
	}
}

// TestPatienceOfStandstill: a part that was seen to end late, because the whole program stood still, is one part.
func TestPatienceOfStandstill(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ended := false
		p := &patience{part: time.Hour, left: looks, over: func(error) { ended = true }, timer: time.AfterFunc(time.Hour, func() {})}
		for range looks - 1 {
			time.Sleep(time.Minute) // stands for any time: nothing but the calls counts
			p.look()
		}
		if ended {
			t.Error("ended before its last part")
		}
		if p.look(); !ended {
			t.Error("not ended after its last part")
		}
		p.timer.Stop()
	})
}

// TestPatienceEnds: it ends with its parent, and with the evaluation, and leaves no timer behind.
func TestPatienceEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		parent, cancel := context.WithCancelCause(t.Context())
		ctx, end := withPatience(parent, time.Minute)
		cause := errors.New("enough")
		cancel(cause)
		if synctest.Wait(); !errors.Is(context.Cause(ctx), cause) {
			t.Errorf("the cause is %v", context.Cause(ctx))
		}
		end()
		ctx, end = withPatience(t.Context(), time.Minute)
		end()
		time.Sleep(time.Hour)
		if err := context.Cause(ctx); !errors.Is(err, context.Canceled) {
			t.Errorf("the cause is %v", err)
		}
	})
}
