package ids_test

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/cupel-dev/cupel/internal/transcript/ids"
)

// TestSet holds that a set numbers keys as a map would, also with numbers of four bytes.
func TestSet(t *testing.T) {
	ids.Narrow(t, 100)
	rapid.Check(t, func(t *rapid.T) {
		var s ids.Set
		known := map[uint64]int{}
		keys := rapid.OneOf(rapid.Uint64Range(0, 50), rapid.Uint64Range(1<<64-50, 1<<64-1), rapid.Uint64())
		for range rapid.IntRange(0, 2000).Draw(t, "n") {
			key := keys.Draw(t, "key")
			want, again := known[key]
			if got := s.Find(key); again && got != want || !again && got != -1 {
				t.Fatalf("Find(%d) = %d, want %d, %v", key, got, want, again)
			}
			if !again {
				want = len(known)
				known[key] = want
			}
			if got, fresh := s.Add(key); got != want || fresh == again {
				t.Fatalf("Add(%d) = %d, %v, want %d, %v", key, got, fresh, want, !again)
			}
		}
		for n, key := range s.Keys() {
			if known[key] != n {
				t.Fatalf("key %d has the number %d, want %d", key, n, known[key])
			}
		}
		if s.Len() != len(known) {
			t.Fatalf("%d keys, want %d", s.Len(), len(known))
		}
	})
}

// TestNumbers holds that numbers are what was stored, whatever their order and size.
func TestNumbers(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var c ids.Numbers
		var want []int
		values := rapid.OneOf(rapid.IntRange(0, 5), rapid.IntRange(0, 1<<31-1), rapid.IntRange(60_000, 70_000))
		for range rapid.IntRange(0, 1000).Draw(t, "n") {
			v := values.Draw(t, "value")
			if len(want) > 0 && rapid.Bool().Draw(t, "again") {
				i := rapid.IntRange(0, len(want)-1).Draw(t, "i")
				c.Set(i, v)
				want[i] = v
			} else {
				c.Append(v)
				want = append(want, v)
			}
		}
		for i, v := range want {
			if got := c.At(i); got != v {
				t.Fatalf("number %d is %d, want %d", i, got, v)
			}
		}
	})
}
