package reasoning

import (
	"testing"
	"unsafe"
)

// TestStateSize holds the state for each id within the 32 bytes that the limit of
// ids counts with: the value and the 64-bit key.
func TestStateSize(t *testing.T) {
	const key = 8
	for name, size := range map[string]uintptr{
		"step":  key + unsafe.Sizeof(step{}),
		"call":  key + unsafe.Sizeof(call{}),
		"claim": key,
	} {
		if size > 32 {
			t.Errorf("%s: %d bytes", name, size)
		}
	}
}
