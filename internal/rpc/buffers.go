package rpc

import "sync"

// growth is by how much the next buffer for a line is larger: the memory that a long line
// leaves unused costs less than copying the line once more.
const growth = 4

// buffers is the memory for reading lines: buffers of readChunk bytes and, for longer
// lines, of its multiples. Of each size one that was given back is kept for the next
// line: new memory has to be mapped and cleared before it is read full.
type buffers struct {
	sizes []int64

	mu   sync.Mutex
	kept [][]byte // by size; nil: none
}

// newBuffers returns the buffers for lines of at most max bytes.
func newBuffers(max int64) *buffers {
	b := &buffers{}
	largest := max + readChunk // so that a line that is too long shows itself
	for size := int64(readChunk); size < largest; size *= growth {
		b.sizes = append(b.sizes, size)
	}
	b.sizes = append(b.sizes, largest)
	b.kept = make([][]byte, len(b.sizes))
	return b
}

// get returns a buffer of a size.
func (b *buffers) get(size int) []byte {
	b.mu.Lock()
	defer b.mu.Unlock()
	if buf := b.kept[size]; buf != nil {
		b.kept[size] = nil
		return buf
	}
	return make([]byte, b.sizes[size])
}

// put takes a buffer of a size back.
func (b *buffers) put(size int, buf []byte) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.kept[size] = buf
}
