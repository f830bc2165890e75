package source

import (
	"bytes"
	"testing"

	"pgregory.net/rapid"
)

// TestCopyIsCopy compares Copy with copy, around the ends of its chunks.
func TestCopyIsCopy(t *testing.T) {
	size := rapid.OneOf(rapid.IntRange(0, 9), rapid.IntRange(copyChunk-2, copyChunk+2), rapid.IntRange(2*copyChunk-2, 2*copyChunk+2))
	rapid.Check(t, func(t *rapid.T) {
		src := make([]byte, size.Draw(t, "source"))
		for i := range src {
			src[i] = byte(i % 251)
		}
		got := make([]byte, size.Draw(t, "destination"))
		want := bytes.Clone(got)
		if n, expected := Copy(got, src), copy(want, src); n != expected || !bytes.Equal(got, want) {
			t.Fatalf("copied %d bytes, expected %d", n, expected)
		}
	})
}
