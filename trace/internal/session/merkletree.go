package session

import (
	"crypto/sha256"
	"math/bits"

	"github.com/cupel-dev/cupel/internal/digest"
)

// merkleTree computes the RFC 6962 §2.1 root over event hashes: a leaf is SHA-256(0x00, hash), a node SHA-256(0x01,
// left, right). It stores one node per bit of the number of leaves.
type merkleTree struct {
	Leaves uint64
	Nodes  []digest.Sum // complete subtrees, the largest first
}

func (t *merkleTree) add(hash digest.Sum) {
	var leaf [1 + sha256.Size]byte
	copy(leaf[1:], hash[:])
	node := digest.Of(leaf[:])
	for n := t.Leaves; n&1 == 1; n >>= 1 {
		last := len(t.Nodes) - 1
		node = parent(t.Nodes[last], node)
		t.Nodes = t.Nodes[:last]
	}
	t.Nodes = append(t.Nodes, node)
	t.Leaves++
}

func (t *merkleTree) root() digest.Sum {
	if t.Leaves == 0 {
		return digest.Of(nil)
	}
	node := t.Nodes[bits.OnesCount64(t.Leaves)-1]
	for i := len(t.Nodes) - 2; i >= 0; i-- {
		node = parent(t.Nodes[i], node)
	}
	return node
}

func parent(left, right digest.Sum) digest.Sum {
	var b [1 + 2*sha256.Size]byte
	b[0] = 1
	copy(b[1:], left[:])
	copy(b[1+sha256.Size:], right[:])
	return digest.Of(b[:])
}
