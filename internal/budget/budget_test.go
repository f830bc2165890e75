package budget

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"pgregory.net/rapid"
)

// TestBound checks that concurrent draws, with any of them cancelled, never exceed the budget, and that all is
// returned in the end.
func TestBound(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		size := rapid.Int64Range(1, 20).Draw(t, "size")
		amounts := rapid.SliceOfN(rapid.Int64Range(0, 30), 1, 40).Draw(t, "amounts")
		impatient := rapid.IntRange(0, 3).Draw(t, "impatient")
		b := New(size)
		ctx, cancel := context.WithCancel(context.Background())
		var out, most atomic.Int64
		var all sync.WaitGroup
		for i, n := range amounts {
			all.Go(func() {
				patience := context.Background()
				if impatient > 0 && i%impatient == 0 {
					patience = ctx
				}
				drawn, err := b.Draw(patience, n)
				if err != nil {
					if patience.Err() == nil || drawn != 0 {
						t.Errorf("draw of %d: %d, %v", n, drawn, err)
					}
					return
				}
				if drawn != min(n, size) {
					t.Errorf("drew %d for %d of %d", drawn, n, size)
				}
				now := out.Add(drawn)
				for before := most.Load(); now > before && !most.CompareAndSwap(before, now); before = most.Load() {
				}
				out.Add(-drawn)
				b.GiveBack(drawn)
			})
		}
		cancel()
		done := make(chan struct{})
		go func() { all.Wait(); close(done) }()
		select {
		case <-done:
		case <-time.After(time.Minute):
			t.Fatal("a draw is not served")
		}
		if most.Load() > size || b.free != size || b.waiting.Len() != 0 {
			t.Errorf("%d out of %d at once; %d free and %d waiting in the end", most.Load(), size, b.free, b.waiting.Len())
		}
	})
}

// TestTurns checks that smaller draws do not pass a large one, and that a cancelled one lets the next ones go on.
func TestTurns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := New(10)
		first, err := b.Draw(t.Context(), 6)
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		gone, served := make(chan error), make(chan int64)
		go func() {
			_, err := b.Draw(ctx, 8)
			gone <- err
		}()
		waiting := func(n int) {
			t.Helper()
			synctest.Wait()
			if b.waiting.Len() != n {
				t.Fatalf("%d wait, want %d", b.waiting.Len(), n)
			}
		}
		waiting(1)
		go func() {
			n, err := b.Draw(t.Context(), 4)
			if err != nil {
				t.Error(err)
			}
			served <- n
		}()
		waiting(2) // although there is enough for it
		cancel()
		if err := <-gone; !errors.Is(err, context.Canceled) {
			t.Errorf("got %v", err)
		}
		if n := <-served; n != 4 {
			t.Errorf("drew %d, want 4", n)
		}
		b.GiveBack(first)
		b.GiveBack(4)
		if b.free != 10 {
			t.Errorf("%d free", b.free)
		}
	})
}
