// Package memo lets equal requests share one evaluation and caches its result.
package memo

import (
	"context"
	"crypto/sha256"
	"sync"

	"github.com/cupel-dev/cupel/attest/internal/lru"
)

// Memo makes request ids idempotent (§2.2): it keeps the latest results by id, and a request with the id of a running
// evaluation waits for it. It is safe for concurrent use.
type Memo[R any] struct {
	reused func(id string) // called for an id with another payload
	kept   *lru.Cache[item[R]]

	mu      sync.Mutex
	running map[key]chan struct{} // closed when the evaluation is over
}

// key is the digest of an id: ids of any length cost the same memory.
type key [sha256.Size]byte

type item[R any] struct {
	payload uint64
	result  R
}

// New returns a memo of size results.
func New[R any](size int, reused func(id string)) *Memo[R] {
	return &Memo[R]{reused: reused, kept: lru.New[item[R]](size), running: map[key]chan struct{}{}}
}

// Do returns the cached result of an id or calls evaluate once. keep reports whether the result can be cached.
// payload is a fingerprint to detect reused ids. cached means that the result came from an earlier or concurrent
// evaluation.
func (m *Memo[R]) Do(ctx context.Context, id string, payload uint64, evaluate func() (r R, keep bool)) (r R, cached bool) {
	key := key(sha256.Sum256([]byte(id)))
	for {
		known, ok, wait := m.claim(key)
		switch {
		case ok:
			if known.payload != payload {
				m.reused(id)
			}
			return known.result, true
		case wait == nil:
			return m.evaluate(key, payload, evaluate), false
		}
		select {
		case <-wait:
		case <-ctx.Done():
			r, _ := evaluate() // says that the time is over
			return r, false
		}
	}
}

// Knows reports whether the result for an id is cached. A nil Memo has none.
func (m *Memo[R]) Knows(id string) bool {
	if m == nil || id == "" {
		return false
	}
	key := sha256.Sum256([]byte(id))
	_, ok := m.kept.Get(key[:])
	return ok
}

// claim returns the cached result of a key, or a channel to wait for. Without either the caller must evaluate.
func (m *Memo[R]) claim(key key) (known item[R], ok bool, wait chan struct{}) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if known, ok = m.kept.Get(key[:]); ok {
		return known, true, nil
	}
	if wait = m.running[key]; wait == nil {
		m.running[key] = make(chan struct{})
	}
	return known, false, wait
}

// evaluate runs the shared evaluation of a key. After a panic or a result not to be cached, the next waiter
// evaluates again.
func (m *Memo[R]) evaluate(key key, payload uint64, evaluate func() (R, bool)) (r R) {
	keep := false
	defer func() {
		m.mu.Lock()
		defer m.mu.Unlock()
		if keep {
			m.kept.Put(key[:], item[R]{payload, r}, 1)
		}
		close(m.running[key])
		delete(m.running, key)
	}()
	r, keep = evaluate()
	return r
}
