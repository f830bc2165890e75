package source

// copyChunk is copied within microseconds, also to new memory.
const copyChunk = 32 << 10

// Copy is copy for long texts. Allocating memory for them can start a garbage collection, which cannot stop a goroutine
// within a copy: its workers would spin, and send signals, until the end of the text.
func Copy(dst, src []byte) int {
	n := min(len(dst), len(src))
	for at := 0; at < n; at += copyChunk {
		copyPart(dst[at:n], src[at:min(at+copyChunk, n)])
	}
	return n
}

// copyPart is a call of its own, because goroutines stop for a collection where a function begins.
//
//go:noinline
func copyPart(dst, src []byte) { copy(dst, src) }
