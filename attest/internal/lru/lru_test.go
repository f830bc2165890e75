package lru_test

import (
	"testing"

	"github.com/cupel-dev/cupel/attest/internal/lru"
)

// TestForgets: what was used longest ago goes first, as far as the costs ask.
func TestForgets(t *testing.T) {
	c := lru.New[string](10)
	put := func(key string, cost int) { c.Put([]byte(key), key, cost) }
	put("a", 4)
	put("b", 4)
	if _, ok := c.Get([]byte("a")); !ok {
		t.Error("a is gone")
	}
	put("c", 4) // b was used longest ago
	put("huge", 11)
	for key, kept := range map[string]bool{"a": true, "b": false, "c": true, "huge": false} {
		if v, ok := c.Get([]byte(key)); ok != kept || ok && v != key {
			t.Errorf("%s: %q, %v", key, v, ok)
		}
	}
	if got := c.Put([]byte("a"), "other", 4); got != "a" {
		t.Errorf("the value of a is now %q", got)
	}
	c.Remove([]byte("a"))
	c.Remove([]byte("unknown"))
	put("d", 6) // the place of a
	for key, kept := range map[string]bool{"a": false, "c": true, "d": true} {
		if _, ok := c.Get([]byte(key)); ok != kept {
			t.Errorf("%s: %v", key, ok)
		}
	}
}
