// Package proof shows one event of a run to someone who does not get the others. The run
// root of the evidence contract is one digest over all content hashes, so it can only be
// checked by whoever has them all. This package makes of the same hashes the Merkle tree
// of RFC 6962: from its root and a path of a few digests follows that one hash stands at
// one place of the run. The tree is cupel's own and no part of the contract.
//
// The leaf of an event is the text form of its content hash, 71 bytes:
//
//	(printf '\0'; printf sha256:…) | sha256sum
//
// and a node above two others is
//
//	(printf '\1'; printf LEFT RIGHT) | sha256sum
//
// where LEFT and RIGHT are the 32 bytes of each. With an odd number of leaves the tree is
// that of RFC 6962 §2.1.
//
// A proof says nothing about who made the root. It is worth what the root is: compare it
// with one from a source that is trusted, such as an attestation of the tree (package
// seal).
package proof

import (
	"errors"
	"fmt"

	"golang.org/x/mod/sumdb/tlog"

	"github.com/cupel-dev/cupel/evidence"
)

// Head is the root of a tree and the number of its leaves, which together determine all
// of it.
type Head struct {
	Size int64
	Root evidence.Sum
}

// Tree grows by one content hash after another. It holds 64 bytes for each of them. The
// zero Tree is empty; it is not safe for concurrent use.
type Tree struct {
	size   int64
	hashes []tlog.Hash // of all complete subtrees, in the library's own order
}

// Add adds the next event's content hash. The error, which only says that the library
// broke its word, leaves the tree as it was.
func (t *Tree) Add(contentHash evidence.Sum) error {
	var text [71]byte
	more, err := tlog.StoredHashes(t.size, contentHash.AppendText(text[:0]), t)
	if err != nil {
		return fmt.Errorf("cannot grow the tree: %w", err)
	}
	t.hashes = append(t.hashes, more...)
	t.size++
	return nil
}

// ReadHashes makes the tree the library's own reader of its hashes.
func (t *Tree) ReadHashes(indexes []int64) ([]tlog.Hash, error) {
	list := make([]tlog.Hash, len(indexes))
	for i, at := range indexes {
		if at < 0 || at >= int64(len(t.hashes)) {
			return nil, fmt.Errorf("no hash %d in a tree of %d", at, len(t.hashes))
		}
		list[i] = t.hashes[at]
	}
	return list, nil
}

// Head returns the head of what was added. The empty tree's root is the digest of no
// bytes.
func (t *Tree) Head() (Head, error) {
	root, err := tlog.TreeHash(t.size, t)
	return Head{t.size, evidence.Sum(root)}, err
}

// ErrNoLeaf is the error of proving an event that is not in the tree.
var ErrNoLeaf = errors.New("no such event")

// Prove returns the proof for the event that was added as number seq, the first being 0,
// with that content hash. The error is [ErrNoLeaf] when there is none.
func (t *Tree) Prove(seq int64, contentHash evidence.Sum) (Proof, error) {
	if seq < 0 || seq >= t.size {
		return Proof{}, fmt.Errorf("%w: %d of %d", ErrNoLeaf, seq, t.size)
	}
	head, err := t.Head()
	if err != nil {
		return Proof{}, err
	}
	path, err := tlog.ProveRecord(t.size, seq, t)
	if err != nil {
		return Proof{}, err
	}
	p := Proof{Head: head, Seq: seq, ContentHash: contentHash}
	for _, h := range path {
		p.Path = append(p.Path, evidence.Sum(h))
	}
	if !p.holds() {
		return Proof{}, fmt.Errorf("%w: event %d has another content hash", ErrNoLeaf, seq)
	}
	return p, nil
}
