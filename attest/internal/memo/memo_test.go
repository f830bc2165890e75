package memo

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
)

// result is a remembered value.
type result struct{ text string }

func quiet(size int) *Memo[result] { return New[result](size, func(string) {}) }

// TestMemoShares lets many requests with one id meet in flight: one evaluates, all
// have its result.
func TestMemoShares(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := quiet(10)
		var evaluations, cached atomic.Int64
		begun, release := make(chan struct{}), make(chan struct{})
		evaluate := func() (result, bool) {
			evaluations.Add(1)
			close(begun)
			<-release
			return result{"yes"}, true
		}
		var group sync.WaitGroup
		ask := func() {
			r, shared := m.Do(t.Context(), "r", 1, evaluate)
			if r.text != "yes" {
				t.Errorf("result %+v", r)
			}
			if shared {
				cached.Add(1)
			}
		}
		group.Go(ask)
		<-begun
		for range 20 {
			group.Go(ask)
		}
		synctest.Wait() // all have asked
		close(release)
		group.Wait()
		if evaluations.Load() != 1 || cached.Load() != 20 {
			t.Errorf("%d evaluations, %d shared results; want 1 and 20", evaluations.Load(), cached.Load())
		}
	})
}

// TestMemoForgets what may not be kept, what panicked, and what was used longest ago.
func TestMemoForgets(t *testing.T) {
	m := quiet(2)
	count := 0
	ask := func(id string, keep bool) (result, bool) {
		return m.Do(t.Context(), id, 1, func() (result, bool) {
			count++
			return result{fmt.Sprint(count)}, keep
		})
	}
	for step, c := range []struct {
		id, want string
		keep     bool
		cached   bool
	}{
		{"a", "1", false, false},
		{"a", "2", true, false},
		{"a", "2", true, true},
		{"b", "3", true, false},
		{"a", "2", true, true},
		{"c", "4", true, false}, // b was used longest ago
		{"a", "2", true, true},
		{"b", "5", true, false},
		{"c", "6", true, false},
	} {
		if r, cached := ask(c.id, c.keep); r.text != c.want || cached != c.cached {
			t.Errorf("step %d: %s is %s (cached %v), want %s (%v)", step, c.id, r.text, cached, c.want, c.cached)
		}
	}
	func() {
		defer func() { _ = recover() }()
		m.Do(t.Context(), "p", 1, func() (result, bool) { panic("boom") })
	}()
	if r, cached := ask("p", true); cached || r.text != "7" {
		t.Errorf("after a panic: %+v, cached %v", r, cached)
	}
	if len(m.running) != 0 {
		t.Errorf("%d evaluations are still running", len(m.running))
	}
}

// TestMemoDoesNotWaitForever: a request whose time is over answers for itself.
func TestMemoDoesNotWaitForever(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := quiet(2)
		begun, release := make(chan struct{}), make(chan struct{})
		var group sync.WaitGroup
		group.Go(func() {
			m.Do(t.Context(), "r", 1, func() (result, bool) { close(begun); <-release; return result{}, true })
		})
		<-begun
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if r, cached := m.Do(ctx, "r", 1, func() (result, bool) { return result{"mine"}, false }); cached || r.text != "mine" {
			t.Errorf("got %+v, cached %v", r, cached)
		}
		close(release)
		group.Wait()
	})
}

// TestReused: an id that comes again for something else is reported.
func TestReused(t *testing.T) {
	var reused []string
	m := New[result](2, func(id string) { reused = append(reused, id) })
	for _, payload := range []uint64{0, 0, 1} {
		m.Do(t.Context(), "r", payload, func() (result, bool) { return result{}, true })
	}
	if len(reused) != 1 || reused[0] != "r" {
		t.Errorf("reused: %q", reused)
	}
}
