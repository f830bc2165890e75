package attest

import (
	"container/list"
	"sync"
)

// lru remembers the values that were used last, within a total cost. It is safe for
// concurrent use.
type lru[V any] struct {
	mu      sync.Mutex
	limit   int // of the sum of costs
	cost    int
	order   list.List // of *lruEntry[V], the most recent first
	entries map[string]*list.Element
}

type lruEntry[V any] struct {
	key   string
	value V
	cost  int
}

func newLRU[V any](limit int) *lru[V] {
	return &lru[V]{limit: limit, entries: map[string]*list.Element{}}
}

// get returns the value remembered for key.
func (c *lru[V]) get(key []byte) (v V, ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	element, ok := c.entries[string(key)]
	if !ok {
		return v, false
	}
	c.order.MoveToFront(element)
	return element.Value.(*lruEntry[V]).value, true
}

// put remembers a value and forgets the ones that were used longest ago, as far as
// the limit asks. When the key is known already its old value stays and is returned.
func (c *lru[V]) put(key []byte, v V, cost int) V {
	c.mu.Lock()
	defer c.mu.Unlock()
	if element, ok := c.entries[string(key)]; ok {
		return element.Value.(*lruEntry[V]).value
	}
	if cost > c.limit {
		return v
	}
	entry := &lruEntry[V]{string(key), v, cost}
	c.entries[entry.key] = c.order.PushFront(entry)
	for c.cost += cost; c.cost > c.limit; {
		oldest := c.order.Remove(c.order.Back()).(*lruEntry[V])
		delete(c.entries, oldest.key)
		c.cost -= oldest.cost
	}
	return v
}
