package digest

import (
	"crypto/sha256"
	"hash"
)

// LeafSize is how many bytes of a text each leaf of a [Tree] has; the last one has what is left.
const LeafSize = 16 << 10

// Tree computes the digest of a long text by way of its leaves: it is the SHA-256 of the SHA-256
// of each, so that two leaves can be digested at once. An empty text has none. It can be
// reproduced with
//
//	split --bytes 16384 --filter 'sha256sum | cut -c 1-64 | xxd -r -p' FILE | sha256sum
//
// It is not safe for concurrent use.
type Tree struct {
	of   hash.Hash // the digests of the leaves so far
	rest []byte    // the text behind those
	many Many
}

// NewTree returns the tree of an empty text.
func NewTree() *Tree { return &Tree{of: sha256.New()} }

// pairSize is two leaves. More at a time bring nothing.
const pairSize = 2 * LeafSize

// Write adds text. It never fails.
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

// pair adds two leaves, or what there is of them.
func (t *Tree) pair(text []byte) {
	leaves := [][]byte{text}
	if len(text) > LeafSize {
		leaves = [][]byte{text[:LeafSize], text[LeafSize:]}
	}
	for _, sum := range t.many.Sums(leaves) {
		t.of.Write(sum[:])
	}
}

// Sum ends the text and returns its digest. Nothing may be written afterwards.
func (t *Tree) Sum() (sum Sum) {
	if len(t.rest) > 0 {
		t.pair(t.rest)
	}
	t.of.Sum(sum[:0])
	return sum
}
