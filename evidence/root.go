package evidence

import (
	"crypto/sha256"
	"hash"

	"github.com/cupel-dev/cupel/internal/digest"
)

// Root computes the run root of content hashes: SHA-256 over each hash's text followed by a line feed.
//
//	printf '%s\n' sha256:aaa sha256:bbb | sha256sum
type Root struct {
	hash hash.Hash
	line []byte
}

func NewRoot() *Root {
	return &Root{hash: sha256.New(), line: make([]byte, 0, digest.TextLen+1)}
}

// Add appends a content hash in text form. The text is not checked.
func (r *Root) Add(contentHash string) {
	r.line = append(append(r.line[:0], contentHash...), '\n')
	r.hash.Write(r.line)
}

func (r *Root) addSum(sum digest.Sum) {
	r.line = append(sum.AppendText(r.line[:0]), '\n')
	r.hash.Write(r.line)
}

// Sum returns the run root so far.
func (r *Root) Sum() Sum { return Sum(r.hash.Sum(nil)) }

// RunRoot returns the run root of content hashes, in their order.
func RunRoot(contentHashes ...string) string {
	root := NewRoot()
	for _, h := range contentHashes {
		root.Add(h)
	}
	return root.Sum().String()
}
