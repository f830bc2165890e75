package attest

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
)

func quietMemo(t *testing.T, size int) *memo {
	t.Helper()
	return newMemo(size, NewEngine(Options{}).opt.Logger)
}

// TestMemoShares lets many requests with one id meet in flight: one evaluates, all
// have its result.
func TestMemoShares(t *testing.T) {
	m := quietMemo(t, 10)
	var evaluations, cached atomic.Int64
	begun, release := make(chan struct{}), make(chan struct{})
	evaluate := func() (Result, bool) {
		evaluations.Add(1)
		close(begun)
		<-release
		return Result{Status: Pass, AssertionID: "first", RequestID: "r"}, true
	}
	var group sync.WaitGroup
	ask := func() {
		r, shared := m.do(t.Context(), "r", 1, evaluate)
		if r.Status != Pass || shared && r.AssertionID != "" {
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
	close(release)
	group.Wait()
	if evaluations.Load() != 1 || cached.Load() != 20 {
		t.Errorf("%d evaluations, %d shared results; want 1 and 20", evaluations.Load(), cached.Load())
	}
}

// TestMemoForgets what may not be kept, what panicked, and what was used longest ago.
func TestMemoForgets(t *testing.T) {
	m := quietMemo(t, 2)
	count := 0
	ask := func(id string, keep bool) (Result, bool) {
		return m.do(t.Context(), id, 1, func() (Result, bool) {
			count++
			return Result{Explanation: fmt.Sprint(count)}, keep
		})
	}
	for step, c := range []struct {
		id, want string
		keep     bool
		cached   bool
	}{
		{"a", "1", false, false}, {"a", "2", true, false}, {"a", "2", true, true},
		{"b", "3", true, false}, {"a", "2", true, true},
		{"c", "4", true, false}, // b was used longest ago
		{"a", "2", true, true}, {"b", "5", true, false}, {"c", "6", true, false},
	} {
		if r, cached := ask(c.id, c.keep); r.Explanation != c.want || cached != c.cached {
			t.Errorf("step %d: %s is %s (cached %v), want %s (%v)", step, c.id, r.Explanation, cached, c.want, c.cached)
		}
	}
	func() {
		defer func() { _ = recover() }()
		m.do(t.Context(), "p", 1, func() (Result, bool) { panic("boom") })
	}()
	if r, cached := ask("p", true); cached || r.Explanation != "7" {
		t.Errorf("after a panic: %+v, cached %v", r, cached)
	}
	if len(m.entries) != 2 || m.recent.Len() != 2 {
		t.Errorf("%d entries, %d in order, want 2", len(m.entries), m.recent.Len())
	}
}

// TestMemoDoesNotWaitForever: a request whose time is over answers for itself.
func TestMemoDoesNotWaitForever(t *testing.T) {
	m := quietMemo(t, 2)
	begun, release := make(chan struct{}), make(chan struct{})
	var group sync.WaitGroup
	group.Go(func() {
		m.do(t.Context(), "r", 1, func() (Result, bool) { close(begun); <-release; return Result{}, true })
	})
	<-begun
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if r, cached := m.do(ctx, "r", 1, func() (Result, bool) { return Result{Status: HardFail}, false }); cached || r.Status != HardFail {
		t.Errorf("got %+v, cached %v", r, cached)
	}
	close(release)
	group.Wait()
}

func TestMemoWarnsOfAnotherPayload(t *testing.T) {
	var out bytes.Buffer
	log, stop, err := NewLogger(&out, "warn")
	if err != nil {
		t.Fatal(err)
	}
	m := newMemo(2, log)
	for payload := range uint64(2) {
		m.do(t.Context(), "r", payload, func() (Result, bool) { return Result{}, true })
	}
	stop()
	if !strings.Contains(out.String(), `"request_id":"r"`) {
		t.Errorf("log is %q", out.String())
	}
}

func TestPluginStoreForgetsTheFirst(t *testing.T) {
	var s pluginStore
	submit := func(i int) { s.put(pluginSubmission{traceID: fmt.Sprint(i), plugin: "p", assertionID: "a", score: 1}) }
	for i := range rememberedPlugins + 1 {
		submit(i)
		submit(i)
	}
	if _, ok := s.get("0", "a", "p"); ok {
		t.Error("the first submission is still there")
	}
	for _, kept := range []int{1, rememberedPlugins} {
		if _, ok := s.get(fmt.Sprint(kept), "a", "p"); !ok {
			t.Errorf("submission %d is gone", kept)
		}
	}
	if _, ok := s.get("1a", "", "p"); ok {
		t.Error("the parts of a key run into each other")
	}
	if len(s.results) != rememberedPlugins || len(s.order) != rememberedPlugins {
		t.Errorf("%d results, %d in order", len(s.results), len(s.order))
	}
}
