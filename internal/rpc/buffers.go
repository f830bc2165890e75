package rpc

import "sync"

// growth is the factor between buffer sizes. Unused memory is cheaper than copying long lines more often.
const growth = 4

// buffers provides line buffers of readChunk bytes and multiples of it. It keeps one returned buffer per size,
// because new memory must be mapped and cleared.
type buffers struct {
	sizes []int64

	mu   sync.Mutex
	kept [][]byte // by size
}

// newBuffers returns buffers for lines of at most max bytes.
func newBuffers(max int64) *buffers {
	b := &buffers{}
	largest := max + readChunk // to detect lines that are too long
	for size := int64(readChunk); size < largest; size *= growth {
		b.sizes = append(b.sizes, size)
	}
	b.sizes = append(b.sizes, largest)
	b.kept = make([][]byte, len(b.sizes))
	return b
}

func (b *buffers) get(size int) []byte {
	b.mu.Lock()
	defer b.mu.Unlock()
	if buf := b.kept[size]; buf != nil {
		b.kept[size] = nil
		return buf
	}
	return make([]byte, b.sizes[size])
}

func (b *buffers) put(size int, buf []byte) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.kept[size] = buf
}
