package session

import (
	"crypto/sha256"
	"fmt"
	"testing"

	"github.com/cupel-dev/cupel/internal/digest"
	"github.com/cupel-dev/cupel/internal/sessiontest"
)

// TestMerkle compares the incremental root with the definition for every size up to 70.
func TestMerkle(t *testing.T) {
	var tree merkleTree
	var leaves []digest.Sum
	for n := range 70 {
		if got, want := tree.root(), sessiontest.MerkleRoot(leaves); got != want {
			t.Fatalf("%d leaves: %s, want %s", n, got, want)
		}
		hash := sha256.Sum256(fmt.Append(nil, n))
		tree.add(hash)
		leaves = append(leaves, hash)
	}
}
