package checkpoint

import (
	"bytes"
	"crypto/sha256"
	"hash"

	"golang.org/x/mod/sumdb/tlog"

	"github.com/cupel-dev/cupel/internal/digest"
	"github.com/cupel-dev/cupel/internal/rfc6962"
)

// Lines computes the tree over the lines of a log that is written to it. A leaf is a line without its line feed; lines
// of white space are not leaves. However long the log and its lines are, it keeps only a few hashes.
type Lines struct {
	tree   rfc6962.Tree
	line   hash.Hash // of the current line
	begun  bool      // it has bytes
	leaf   bool      // it has other bytes than white space
	roots  map[int64]digest.Sum
	stored map[int64]tlog.Hash // what a proof needs, by the library's index; zero until it is known
	cut    bool                // the last line has no line feed
}

// NewLines returns an empty tree that keeps its roots at some sizes.
func NewLines(sizes ...int64) *Lines {
	l := &Lines{line: sha256.New(), roots: map[int64]digest.Sum{}, stored: map[int64]tlog.Hash{}}
	for _, n := range sizes {
		l.roots[n] = l.tree.Root()
	}
	return l
}

// Write implements io.Writer. It never fails.
func (l *Lines) Write(p []byte) (int, error) {
	n := len(p)
	for len(p) > 0 {
		text, rest, ended := bytes.Cut(p, []byte{'\n'})
		l.take(text)
		if ended {
			l.end()
		}
		p = rest
	}
	return n, nil
}

func (l *Lines) take(text []byte) {
	if len(text) == 0 {
		return
	}
	if !l.begun {
		l.line.Reset()
		l.line.Write([]byte{0})
		l.begun = true
	}
	l.leaf = l.leaf || len(bytes.TrimLeft(text, " \t\r")) > 0
	l.line.Write(text)
}

// end ends the current line.
func (l *Lines) end() {
	if l.leaf {
		var sum digest.Sum
		l.line.Sum(sum[:0])
		l.tree.Add(sum, l.keep())
		if _, wanted := l.roots[l.Size()]; wanted {
			l.roots[l.Size()] = l.tree.Root()
		}
	}
	l.begun, l.leaf = false, false
}

// keep returns the function that stores the hashes for proofs, or nil.
func (l *Lines) keep() func(int, int64, digest.Sum) {
	if len(l.stored) == 0 {
		return nil
	}
	return func(height int, number int64, node digest.Sum) {
		at := tlog.StoredHashIndex(height, number)
		if _, wanted := l.stored[at]; wanted {
			l.stored[at] = tlog.Hash(node)
		}
	}
}

// Cut reports whether the text ends within a line, and forgets this line.
func (l *Lines) Cut() bool {
	cut := l.leaf
	l.begun, l.leaf = false, false
	return cut
}

// Close ends the last line. Without a line feed it is a leaf, too.
func (l *Lines) Close() {
	l.cut = l.leaf
	l.end()
}

// Size returns the number of leaves.
func (l *Lines) Size() int64 { return int64(l.tree.Leaves) }

// Head returns the current head.
func (l *Lines) Head(origin string) Head { return Head{origin, l.Size(), l.tree.Root()} }

// expect prepares the tree for a proof: ask calls the library, which names the hashes that it needs.
func (l *Lines) expect(ask func(tlog.HashReader) error) {
	_ = ask(tlog.HashReaderFunc(func(indexes []int64) ([]tlog.Hash, error) {
		for _, i := range indexes {
			l.stored[i] = tlog.Hash{}
		}
		return make([]tlog.Hash, len(indexes)), nil
	})) // the hashes are not known yet, so the result does not count
}

// ReadHashes implements tlog.HashReader for the expected hashes.
func (l *Lines) ReadHashes(indexes []int64) (list []tlog.Hash, err error) {
	for _, i := range indexes {
		list = append(list, l.stored[i])
	}
	return list, nil
}
