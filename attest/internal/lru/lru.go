// Package lru implements a least-recently-used cache with a total cost.
package lru

import (
	"container/list"
	"sync"
)

// Cache keeps the most recently used values, up to a total cost. It is safe for concurrent use.
type Cache[V any] struct {
	mu      sync.Mutex
	limit   int // of the sum of costs
	cost    int
	order   list.List // of *item[V], the most recent first
	entries map[string]*list.Element
}

type item[V any] struct {
	key   string
	value V
	cost  int
}

func New[V any](limit int) *Cache[V] {
	return &Cache[V]{limit: limit, entries: map[string]*list.Element{}}
}

func (c *Cache[V]) Get(key []byte) (v V, ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	element, ok := c.entries[string(key)]
	if !ok {
		return v, false
	}
	c.order.MoveToFront(element)
	return element.Value.(*item[V]).value, true
}

// Put adds a value and evicts the least recently used ones beyond the limit. If the key exists, it
// keeps and returns the old value.
func (c *Cache[V]) Put(key []byte, v V, cost int) V {
	c.mu.Lock()
	defer c.mu.Unlock()
	if element, ok := c.entries[string(key)]; ok {
		return element.Value.(*item[V]).value
	}
	if cost > c.limit {
		return v
	}
	entry := &item[V]{string(key), v, cost}
	c.entries[entry.key] = c.order.PushFront(entry)
	for c.cost += cost; c.cost > c.limit; {
		oldest := c.order.Remove(c.order.Back()).(*item[V])
		delete(c.entries, oldest.key)
		c.cost -= oldest.cost
	}
	return v
}

func (c *Cache[V]) Remove(key []byte) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if element, ok := c.entries[string(key)]; ok {
		entry := c.order.Remove(element).(*item[V])
		delete(c.entries, entry.key)
		c.cost -= entry.cost
	}
}
