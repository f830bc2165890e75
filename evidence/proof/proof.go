// Package proof proves that an event is in a run without the other events. Checking the contract's
// run root requires all content hashes; the Merkle tree of RFC 6962 over the same hashes needs only
// its root and a path of a few digests. The tree is specific to cupel and not in the contract.
//
// The leaf of an event is the text form of its content hash, 71 bytes:
//
//	(printf '\0'; printf sha256:…) | sha256sum
//
// and a node above two others is
//
//	(printf '\1'; printf LEFT RIGHT) | sha256sum
//
// where LEFT and RIGHT are the 32 bytes of each. For other sizes see RFC 6962 §2.1.
//
// A proof does not say who made the root: compare it with a trusted one, such as in an attestation
// of the tree (package seal).
package proof

import (
	"errors"
	"fmt"

	"golang.org/x/mod/sumdb/tlog"

	"github.com/cupel-dev/cupel/evidence"
)

// Head is the root and size of a tree, which determine its content.
type Head struct {
	Size int64
	Root evidence.Sum
}

// Tree is a growing tree of content hashes, 64 bytes each. The zero Tree is empty. It is not safe for concurrent
// use.
type Tree struct {
	size   int64
	hashes []tlog.Hash // of all complete subtrees, in the library's own order
}

// Add adds the next event's content hash. An error, a violation of the library's contract, leaves the tree unchanged.
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

// ReadHashes implements tlog.HashReader.
func (t *Tree) ReadHashes(indexes []int64) ([]tlog.Hash, error) {
	list := make([]tlog.Hash, len(indexes))
	for i, at := range indexes {
		if at < 0 || at >= int64(len(t.hashes)) {
			return nil, fmt.Errorf("the tree has no hash %d, only %d", at, len(t.hashes))
		}
		list[i] = t.hashes[at]
	}
	return list, nil
}

// Head returns the current head. The empty tree's root is the digest of no bytes.
func (t *Tree) Head() (Head, error) {
	root, err := tlog.TreeHash(t.size, t)
	return Head{t.size, evidence.Sum(root)}, err
}

// ErrNoLeaf is the error of proving an event that is not in the tree.
var ErrNoLeaf = errors.New("the tree has no such event")

// Prove returns the proof for event seq, from 0, with a content hash, or [ErrNoLeaf].
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
		return Proof{}, fmt.Errorf("%w: content hash mismatch for event %d", ErrNoLeaf, seq)
	}
	return p, nil
}
