package checkpoint

import (
	"bytes"
	"encoding/base64"
	"errors"
	"fmt"
	"strings"

	"golang.org/x/mod/sumdb/tlog"

	"github.com/cupel-dev/cupel/internal/digest"
	"github.com/cupel-dev/cupel/internal/say"
)

// proofHeader is the first line of a tlog-proof.
const proofHeader = "c2sp.org/tlog-proof@v1\n"

// maxHashes is the most that a proof of a tree of 2⁶³ leaves can have.
const maxHashes = 63

// Proof is a proof about the tree of a checkpoint: that it has a leaf at an index, or that it continues an older tree.
type Proof struct {
	Index      int64 // of the leaf, or the size of the older tree
	Hashes     []tlog.Hash
	Checkpoint *Checkpoint
}

// ExpectLeaf prepares the tree for Inclusion, and ExpectOlder for Consistency, before the log is written to it.
func (l *Lines) ExpectLeaf(c *Checkpoint, index int64) {
	l.expect(func(r tlog.HashReader) error { _, err := tlog.ProveRecord(c.Size, index, r); return err })
}

func (l *Lines) ExpectOlder(c *Checkpoint, older int64) {
	if older > 0 {
		l.expect(func(r tlog.HashReader) error { _, err := tlog.ProveTree(c.Size, older, r); return err })
	}
}

// Inclusion returns the proof that the leaf at an index is in the tree of a checkpoint.
func (l *Lines) Inclusion(c *Checkpoint, index int64) (*Proof, error) {
	path, err := tlog.ProveRecord(c.Size, index, l)
	return &Proof{index, path, c}, err
}

// Consistency returns the proof that the tree of a checkpoint continues that of an older size.
func (l *Lines) Consistency(c *Checkpoint, older int64) (p *Proof, err error) {
	p = &Proof{Index: older, Checkpoint: c}
	if older > 0 {
		p.Hashes, err = tlog.ProveTree(c.Size, older, l)
	}
	return p, err
}

// Includes reports whether the proof shows that a line is the leaf at its index.
func (p *Proof) Includes(line []byte) bool {
	c := p.Checkpoint
	return p.Index < c.Size && tlog.CheckRecord(p.Hashes, c.Size, tlog.Hash(c.Root), p.Index, tlog.RecordHash(line)) == nil
}

// Continues reports whether the proof shows that its checkpoint continues an older tree.
func (p *Proof) Continues(size int64, root digest.Sum) bool {
	c := p.Checkpoint
	switch {
	case p.Index != size || size > c.Size:
		return false
	case size == 0:
		return len(p.Hashes) == 0
	case size == c.Size:
		return len(p.Hashes) == 0 && root == c.Root
	}
	return tlog.CheckTree(p.Hashes, c.Size, tlog.Hash(c.Root), size, tlog.Hash(root)) == nil
}

func (p *Proof) text(head string) []byte {
	text := []byte(head)
	for _, h := range p.Hashes {
		text = append(base64.StdEncoding.AppendEncode(text, h[:]), '\n')
	}
	return append(append(text, '\n'), p.Checkpoint.Bytes...)
}

// InclusionText returns the proof of a leaf as a tlog-proof.
func (p *Proof) InclusionText() []byte {
	return p.text(fmt.Sprintf("%sindex %d\n", proofHeader, p.Index))
}

// ConsistencyText returns the proof of an older tree as the body of a tlog-witness request.
func (p *Proof) ConsistencyText() []byte { return p.text(fmt.Sprintf("old %d\n", p.Index)) }

// ParseInclusion parses a tlog-proof. An extra line is ignored, because nothing authenticates it.
func ParseInclusion(text []byte) (*Proof, error) {
	rest, ok := bytes.CutPrefix(text, []byte(proofHeader))
	if !ok {
		return nil, errors.New("expected \"c2sp.org/tlog-proof@v1\" in the first line")
	}
	if extra, after, _ := strings.Cut(string(rest), "\n"); strings.HasPrefix(extra, "extra ") {
		if _, err := decode(extra[len("extra "):]); err != nil {
			return nil, errors.New("the extra line is not base64")
		}
		rest = []byte(after)
	}
	return parseProof(rest, "index ")
}

// ParseConsistency parses the body of a tlog-witness request.
func ParseConsistency(text []byte) (*Proof, error) { return parseProof(text, "old ") }

func parseProof(text []byte, word string) (p *Proof, err error) {
	head, note, ok := bytes.Cut(text, []byte("\n\n"))
	if !ok {
		return nil, errors.New("the blank line before the checkpoint is missing")
	}
	lines := strings.Split(string(head), "\n")
	number, ok := strings.CutPrefix(lines[0], word)
	p = &Proof{}
	if p.Index, err = size(number); !ok || err != nil {
		return nil, fmt.Errorf("the proof has the line %s, expected %q and a number", say.Quoted(lines[0]), strings.TrimSpace(word))
	}
	if len(lines)-1 > maxHashes {
		return nil, fmt.Errorf("the proof has %d hashes, expected at most %d", len(lines)-1, maxHashes)
	}
	for _, line := range lines[1:] {
		h, err := decode(line)
		if err != nil || len(h) != tlog.HashSize {
			return nil, fmt.Errorf("the proof has the line %s, expected the base64 of 32 bytes", say.Quoted(line))
		}
		p.Hashes = append(p.Hashes, tlog.Hash(h))
	}
	if p.Checkpoint, err = Parse(note); err != nil {
		return nil, fmt.Errorf("the checkpoint of the proof: %w", err)
	}
	return p, nil
}
