// Package memo lets equal requests share one evaluation and caches its result.
package memo

import (
	"container/list"
	"context"
	"crypto/sha256"
	"sync"
)

// Memo makes request ids idempotent (§2.2): it keeps the latest results by id (LRU), and a request
// with the id of a running evaluation waits for it. It is safe for concurrent use.
type Memo[R any] struct {
	size   int
	reused func(id string) // called for an id with another payload

	mu      sync.Mutex
	entries map[key]*item[R]
	recent  list.List // of *item[R], the most recently used first
}

// key is the digest of an id: ids of any length cost the same memory.
type key [sha256.Size]byte

type item[R any] struct {
	key     key
	payload uint64
	done    chan struct{} // closed when the evaluation is over
	result  R
	kept    bool          // the result can be reused
	place   *list.Element // in recent, once kept
}

// New returns a memo of size results.
func New[R any](size int, reused func(id string)) *Memo[R] {
	return &Memo[R]{size: size, reused: reused, entries: map[key]*item[R]{}}
}

// Do returns the cached result of an id or calls evaluate once. keep reports whether the result can be cached.
// payload is a fingerprint to detect reused ids. cached means that the result came from an earlier or concurrent
// evaluation.
func (m *Memo[R]) Do(ctx context.Context, id string, payload uint64, evaluate func() (r R, keep bool)) (r R, cached bool) {
	key := key(sha256.Sum256([]byte(id)))
	for {
		entry, mine := m.claim(key, payload)
		if mine {
			return m.evaluate(entry, evaluate), false
		}
		select {
		case <-entry.done:
		case <-ctx.Done():
			r, _ := evaluate() // says that the time is over
			return r, false
		}
		if entry.kept {
			if entry.payload != payload {
				m.reused(id)
			}
			return entry.result, true
		}
	}
}

// Knows reports whether the result for an id is cached. A nil Memo has none.
func (m *Memo[R]) Knows(id string) bool {
	if m == nil || id == "" {
		return false
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	entry := m.entries[sha256.Sum256([]byte(id))]
	return entry != nil && entry.kept
}

// claim returns the entry of a key. mine means that the caller must evaluate it.
func (m *Memo[R]) claim(key key, payload uint64) (entry *item[R], mine bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if entry = m.entries[key]; entry != nil {
		if entry.place != nil {
			m.recent.MoveToFront(entry.place)
		}
		return entry, false
	}
	entry = &item[R]{key: key, payload: payload, done: make(chan struct{})}
	m.entries[key] = entry
	return entry, true
}

// evaluate runs the shared evaluation of a key. After a panic or a result not to be cached, the next waiter
// evaluates again.
func (m *Memo[R]) evaluate(entry *item[R], evaluate func() (R, bool)) (r R) {
	keep := false
	defer func() { m.settle(entry, r, keep) }()
	r, keep = evaluate()
	return r
}

func (m *Memo[R]) settle(entry *item[R], r R, keep bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	defer close(entry.done)
	if !keep {
		delete(m.entries, entry.key)
		return
	}
	entry.result, entry.kept = r, true
	entry.place = m.recent.PushFront(entry)
	if m.recent.Len() > m.size {
		oldest := m.recent.Remove(m.recent.Back()).(*item[R])
		delete(m.entries, oldest.key)
	}
}
