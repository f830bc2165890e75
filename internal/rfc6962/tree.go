// Package rfc6962 computes the tree of RFC 6962 §2.1 while it grows, in the memory of one hash per bit of its size.
package rfc6962

import (
	"crypto/sha256"

	"github.com/cupel-dev/cupel/internal/digest"
)

// Tree is a growing tree. The zero Tree is empty.
type Tree struct {
	Leaves uint64
	Nodes  []digest.Sum // complete subtrees, the largest first
}

// AddHash adds a leaf whose content is a hash: SHA-256(0x00, hash).
func (t *Tree) AddHash(hash digest.Sum) {
	var leaf [1 + sha256.Size]byte
	copy(leaf[1:], hash[:])
	t.Add(digest.Of(leaf[:]), nil)
}

// Add adds a leaf by its own hash. completed, which can be nil, receives the complete subtrees that the leaf ends, the
// leaf included: their height, and their number at this height, from 0.
func (t *Tree) Add(leaf digest.Sum, completed func(height int, number int64, node digest.Sum)) {
	node := leaf
	for height, n := 0, t.Leaves; ; height, n = height+1, n>>1 {
		if completed != nil {
			completed(height, int64(n), node)
		}
		if n&1 == 0 {
			break
		}
		last := len(t.Nodes) - 1
		node = parent(t.Nodes[last], node)
		t.Nodes = t.Nodes[:last]
	}
	t.Nodes = append(t.Nodes, node)
	t.Leaves++
}

// Root returns the root. That of the empty tree is the digest of no bytes.
func (t *Tree) Root() digest.Sum {
	if len(t.Nodes) == 0 {
		return digest.Of(nil)
	}
	node := t.Nodes[len(t.Nodes)-1]
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
