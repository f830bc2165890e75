package session

import (
	"maps"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestIDSet compares the set with a map, over keys that come again, that are near each
// other, and that are zero, whether room was made for them or not.
func TestIDSet(t *testing.T) {
	for _, room := range []int{0, 300, 8_000, 40_000} {
		checkIDSet(t, room)
	}
}

// checkIDSet compares a set with room for room keys.
func checkIDSet(t *testing.T, room int) {
	t.Helper()
	random := rand.New(rand.NewPCG(1, 2))
	set, model := newIDSet(), map[uint64]bool{}
	set.expect(room)
	for i := range 20_000 {
		key := random.Uint64()
		switch i % 4 {
		case 0:
			key %= 2000
		case 1:
			key = key << 56 >> 4
		}
		if i%5000 == 0 {
			key = 0
		}
		if set.has(key) != model[key] || set.add(key) != model[key] || !set.has(key) {
			t.Fatalf("key %#x of step %d: the set and the map differ", key, i)
		}
		model[key] = true
	}
	if got := set.sorted(); set.size != len(model) || !slices.Equal(got, slices.Sorted(maps.Keys(model))) {
		t.Errorf("%d of %d keys", len(got), len(model))
	}
}
