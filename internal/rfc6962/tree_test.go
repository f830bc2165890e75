package rfc6962

import (
	"crypto/sha256"
	"fmt"
	"testing"

	"golang.org/x/mod/sumdb/tlog"

	"github.com/cupel-dev/cupel/internal/digest"
	"github.com/cupel-dev/cupel/internal/sessiontest"
)

// TestTree compares the root with the definition for every size up to 70, and completed nodes with the library.
func TestTree(t *testing.T) {
	var tree Tree
	var leaves []digest.Sum
	var stored []tlog.Hash
	for n := range 70 {
		if got, want := tree.Root(), sessiontest.MerkleRoot(leaves); got != want {
			t.Fatalf("%d leaves: %s, want %s", n, got, want)
		}
		hash := sha256.Sum256(fmt.Append(nil, n))
		want, err := tlog.StoredHashes(int64(n), hash[:], tlog.HashReaderFunc(func(indexes []int64) (list []tlog.Hash, err error) {
			for _, i := range indexes {
				list = append(list, stored[i])
			}
			return list, nil
		}))
		if err != nil {
			t.Fatal(err)
		}
		stored = append(stored, want...)
		i := 0
		tree.Add(digest.Sum(tlog.RecordHash(hash[:])), func(height int, number int64, node digest.Sum) {
			if tlog.Hash(node) != want[i] || tlog.StoredHashIndex(height, number) != int64(len(stored)-len(want)+i) {
				t.Errorf("leaf %d: node %d at height %d is wrong", n, number, height)
			}
			i++
		})
		if i != len(want) {
			t.Errorf("leaf %d completes %d nodes, want %d", n, i, len(want))
		}
		leaves = append(leaves, hash)
	}
}
