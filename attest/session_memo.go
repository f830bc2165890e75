package attest

import (
	"container/list"
	"context"
	"crypto/sha256"
	"log/slog"
	"sync"
)

// memo makes request_id idempotent (§2.2): it remembers the finished results of the
// last requests by their id, the least recently used go first, and lets a request
// with the id of one that is being evaluated wait for that evaluation.
type memo struct {
	size int
	log  *slog.Logger

	mu      sync.Mutex
	entries map[memoKey]*memoEntry
	recent  list.List // of *memoEntry, the most recently used first
}

// memoKey is the digest of a request_id: ids of any length cost the same memory.
type memoKey [sha256.Size]byte

type memoEntry struct {
	key     memoKey
	payload uint64
	done    chan struct{} // closed when the evaluation is over
	result  Result
	kept    bool          // result may be answered again
	place   *list.Element // in recent, once kept
}

func newMemo(size int, log *slog.Logger) *memo {
	return &memo{size: size, log: log, entries: map[memoKey]*memoEntry{}}
}

// do implements resultMemo.
func (m *memo) do(ctx context.Context, requestID string, payload uint64, evaluate func() (Result, bool)) (Result, bool) {
	key := memoKey(sha256.Sum256([]byte(requestID)))
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
				m.log.Warn("request_id was used before for another assertion; the earlier result is returned", "request_id", preview(requestID))
			}
			return entry.result, true
		}
	}
}

// claim returns the entry of a key; mine says that the caller has to evaluate it.
func (m *memo) claim(key memoKey, payload uint64) (entry *memoEntry, mine bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if entry = m.entries[key]; entry != nil {
		if entry.place != nil {
			m.recent.MoveToFront(entry.place)
		}
		return entry, false
	}
	entry = &memoEntry{key: key, payload: payload, done: make(chan struct{})}
	m.entries[key] = entry
	return entry, true
}

// evaluate runs the evaluation that everyone with this key waits for. What may not
// be remembered, and a panic, leaves no trace: the next in line evaluates anew.
func (m *memo) evaluate(entry *memoEntry, evaluate func() (Result, bool)) (r Result) {
	keep := false
	defer func() { m.settle(entry, r, keep) }()
	r, keep = evaluate()
	return r
}

func (m *memo) settle(entry *memoEntry, r Result, keep bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	defer close(entry.done)
	if !keep {
		delete(m.entries, entry.key)
		return
	}
	r.AssertionID, r.RequestID = "", "" // the current ones are echoed
	entry.result, entry.kept = r, true
	entry.place = m.recent.PushFront(entry)
	if m.recent.Len() > m.size {
		oldest := m.recent.Remove(m.recent.Back()).(*memoEntry)
		delete(m.entries, oldest.key)
	}
}
