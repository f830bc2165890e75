package digest

import (
	"crypto/sha256"
	"hash"
)

// LeafSize is the number of bytes per leaf of a [Tree]; the last leaf can be shorter.
const LeafSize = 16 << 10

// Tree computes the digest of a long text: the SHA-256 of the SHA-256 digests of its leaves, of
// which two are computed at once. An empty text has no leaves. To reproduce:
//
//	split --bytes 16384 --filter 'sha256sum | cut -c 1-64 | xxd -r -p' FILE | sha256sum
//
// It is not safe for concurrent use.
type Tree struct {
	of   hash.Hash // hashes the leaf digests
	rest []byte    // bytes not hashed yet
	many Many
}

func NewTree() *Tree { return &Tree{of: sha256.New()} }

// pairSize is two leaves; more at a time is not faster.
const pairSize = 2 * LeafSize

func (t *Tree) Write(text []byte) (int, error) {
	n := len(text)
	if len(t.rest) > 0 {
		missing := min(pairSize-len(t.rest), len(text))
		t.rest = append(t.rest, text[:missing]...)
		text = text[missing:]
		if len(t.rest) < pairSize {
			return n, nil
		}
		t.pair(t.rest)
		t.rest = t.rest[:0]
	}
	for ; len(text) >= pairSize; text = text[pairSize:] {
		t.pair(text[:pairSize])
	}
	t.rest = append(t.rest, text...)
	return n, nil
}

// pair adds the digests of up to two leaves.
func (t *Tree) pair(text []byte) {
	leaves := [][]byte{text}
	if len(text) > LeafSize {
		leaves = [][]byte{text[:LeafSize], text[LeafSize:]}
	}
	for _, sum := range t.many.Sums(leaves) {
		t.of.Write(sum[:])
	}
}

// Sum ends the text and returns its digest. Write must not be called afterwards.
func (t *Tree) Sum() (sum Sum) {
	if len(t.rest) > 0 {
		t.pair(t.rest)
	}
	t.of.Sum(sum[:0])
	return sum
}
