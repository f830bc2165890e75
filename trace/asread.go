package trace

import (
	"crypto/sha256"
	"hash"
	"io"

	"github.com/cupel-dev/cupel/internal/digest"
)

// asRead hashes an input while it is read. It buffers the start, because the first record decides whether the
// digest is needed.
type asRead struct {
	from   io.Reader
	head   []byte    // the beginning; nil when it is digested, or gone
	all    hash.Hash // nil until requested
	length int64
	gone   bool // the beginning is gone without a request
}

// maxAsRead limits the buffer. It exceeds the first block of a log, which nearly always contains the first record.
const maxAsRead = 64 << 10

func (a *asRead) Read(p []byte) (int, error) {
	n, err := a.from.Read(p)
	a.length += int64(n)
	switch {
	case a.all != nil:
		a.all.Write(p[:n])
	case a.gone:
	case len(a.head)+n <= maxAsRead:
		a.head = append(a.head, p[:n]...)
	default:
		a.head, a.gone = nil, true
	}
	return n, err
}

// ask requests the digest. Call it from the goroutine that reads the input.
func (a *asRead) ask() {
	if a.all == nil && !a.gone {
		a.all = sha256.New()
		a.all.Write(a.head)
		a.head = nil
	}
}

// digest returns the digest and size of the input; ok is false if it was not requested in time.
func (a *asRead) digest() (sum digest.Sum, size int64, ok bool) {
	if a.all == nil {
		return sum, a.length, false
	}
	a.all.Sum(sum[:0])
	return sum, a.length, true
}
