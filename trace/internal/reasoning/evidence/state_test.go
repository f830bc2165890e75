package evidence

import (
	"testing"
	"unsafe"

	"pgregory.net/rapid"

	"github.com/cupel-dev/cupel/trace/internal/reasoning/format"
)

// TestStateSize holds the state for each id within the 32 bytes that the limit of
// ids counts with: the value and the 64-bit key.
func TestStateSize(t *testing.T) {
	const key = 8
	if size := key + unsafe.Sizeof(uint32(0)) + unsafe.Sizeof(extent{}); size > 32 {
		t.Errorf("evidence: %d bytes", size)
	}
}

func TestUint48(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.Int64Range(0, 1<<48-1).Draw(t, "n")
		if got := newUint48(n).int64(); got != n {
			t.Errorf("%d became %d", n, got)
		}
	})
}

func TestTemplatesGiveThePathBack(t *testing.T) {
	part := rapid.StringMatching(`[a-c/.]{0,6}`)
	rapid.Check(t, func(t *rapid.T) {
		id, path := part.Draw(t, "id"), part.Draw(t, "before")+part.Draw(t, "middle")+part.Draw(t, "after")
		template, found := cutID(path, id)
		if found && putID(template, id) != path {
			t.Errorf("%q without %q is %q, which gives %q", path, id, template, putID(template, id))
		}
	})
}

func TestOffsets(t *testing.T) {
	data := []byte("aé😀b") // 1, 2, 4, 1 bytes; 1, 1, 2, 1 UTF-16 units
	for _, c := range []struct {
		read     func([]byte, format.Span) (int64, int64, bool)
		in       format.Span
		from, to int64
		ok       bool
	}{
		{charOffsets, format.Span{From: 0, To: 4}, 0, 8, true},
		{charOffsets, format.Span{From: 1, To: 2}, 1, 3, true},
		{charOffsets, format.Span{From: 2, To: 5}, 0, 0, false},
		{utf16Offsets, format.Span{From: 2, To: 4}, 3, 7, true},
		{utf16Offsets, format.Span{From: 0, To: 5}, 0, 8, true},
		{utf16Offsets, format.Span{From: 3, To: 5}, 0, 0, false}, // inside a pair
	} {
		from, to, ok := c.read(data, c.in)
		if ok != c.ok || ok && (from != c.from || to != c.to) {
			t.Errorf("%v: [%d,%d] %v, want [%d,%d] %v", c.in, from, to, ok, c.from, c.to, c.ok)
		}
	}
}
