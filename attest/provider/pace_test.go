package provider

import (
	"context"
	"errors"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"pgregory.net/rapid"
)

// TestPace checks that no minute has more attempts than allowed, and that attempts begin as soon as the limit allows,
// whenever they arrive.
func TestPace(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		most := rapid.IntRange(1, 5).Draw(r, "most")
		arrivals := rapid.SliceOfN(rapid.IntRange(0, 50), 1, 20).Draw(r, "seconds until the next")
		synctest.Test(t, func(t *testing.T) {
			p := newPace(most)
			var begun []time.Time
			var mu sync.Mutex
			var all sync.WaitGroup
			for _, seconds := range arrivals {
				time.Sleep(time.Duration(seconds) * time.Second)
				all.Go(func() {
					if err := p.wait(context.Background()); err != nil {
						t.Error(err)
					}
					mu.Lock()
					defer mu.Unlock()
					begun = append(begun, time.Now())
				})
				synctest.Wait()
			}
			all.Wait()
			for i := most; i < len(begun); i++ {
				if begun[i].Sub(begun[i-most]) < time.Minute {
					t.Errorf("%d attempts within %s", most+1, begun[i].Sub(begun[i-most]))
				}
			}
			if len(arrivals) <= most && begun[len(begun)-1].After(time.Now()) {
				t.Error("an attempt waited where there was room")
			}
		})
	})
}

// TestPaceAndTime: an attempt whose turn comes too late does not wait for it, and takes no
// turn from others.
func TestPaceAndTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPace(1)
		if err := p.wait(t.Context()); err != nil {
			t.Fatal(err)
		}
		start := time.Now()
		short, cancel := context.WithTimeout(t.Context(), 30*time.Second)
		defer cancel()
		var fast *tooFast
		if err := p.wait(short); !errors.As(err, &fast) || time.Since(start) != 0 {
			t.Errorf("%v after %s", err, time.Since(start))
		}
		if err := p.wait(t.Context()); err != nil || time.Since(start) != time.Minute {
			t.Errorf("%v after %s", err, time.Since(start))
		}
		gone, leave := context.WithCancel(t.Context())
		time.AfterFunc(time.Second, leave)
		if err := p.wait(gone); !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
	})
}
