package digest_test

import (
	"bytes"
	"crypto/sha256"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/cupel-dev/cupel/internal/digest"
)

// TestTree: the digest of a text is what its description says, however it is cut where it is
// written.
func TestTree(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := make([]byte, rapid.SampledFrom([]int{0, 1, digest.LeafSize, 2 * digest.LeafSize, 5 * digest.LeafSize}).Draw(t, "leaves")+
			rapid.IntRange(0, 2*digest.LeafSize).Draw(t, "more"))
		for i := range text {
			text[i] = byte(i * i >> 7)
		}
		tree := digest.NewTree()
		for rest := text; len(rest) > 0; {
			n := min(len(rest), rapid.OneOf(rapid.IntRange(0, 50), rapid.IntRange(0, 4*digest.LeafSize)).Draw(t, "bytes"))
			if written, err := tree.Write(rest[:n]); written != n || err != nil {
				t.Fatalf("%d of %d bytes written, %v", written, n, err)
			}
			rest = rest[n:]
		}
		var sums []byte
		for leaf := range slices.Chunk(text, digest.LeafSize) {
			sum := sha256.Sum256(leaf)
			sums = append(sums, sum[:]...)
		}
		if got, want := tree.Sum(), sha256.Sum256(sums); got != want {
			t.Fatalf("%d bytes: %x, expected %x", len(text), got, want)
		}
	})
}

// TestTreeOfShell is what the pipeline in the description of Tree prints for such a text.
func TestTreeOfShell(t *testing.T) {
	tree := digest.NewTree()
	_, _ = tree.Write(bytes.Repeat([]byte("0123456789"), 4000))
	if got := tree.Sum().Hex(); got != "e4f7e343dbe0db973dea464297c37fa425f4484cdc429931304e53d94bad2e4d" {
		t.Error(got)
	}
}
