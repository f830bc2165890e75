package session

import "testing"

// TestWeight checks that an evicted session counts as one, and as one more for each 512 bytes of its findings.
func TestWeight(t *testing.T) {
	for facts, want := range map[int]int{0: 1, 511: 1, 512: 2, 1023: 2, 1024: 3} {
		if got := (&evicted{facts: facts}).weight(); got != want {
			t.Errorf("%d bytes weigh %d, want %d", facts, got, want)
		}
	}
}
