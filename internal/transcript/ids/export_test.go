package ids

import "testing"

// Narrow sets the largest number without a fourth byte for a test.
func Narrow(t *testing.T, n int) {
	before := narrow
	narrow = n
	t.Cleanup(func() { narrow = before })
}
