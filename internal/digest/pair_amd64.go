//go:build amd64 && !purego

package digest

import (
	"crypto/fips140"
	"crypto/sha256"
	"encoding/binary"
)

// pair interleaves the SHA extensions' instructions for two messages.
type pair struct{ lanes [2]lane }

// able reports whether compress can run. In FIPS 140-3 mode Go's validated module computes all digests.
var able = hasExtensions() && !fips140.Enabled()

// compute sets the digest of each message. It returns false if the processor does not support it.
func (p *pair) compute(sums []Sum, messages [][]byte) bool {
	if !able || len(messages) < 2 {
		return false
	}
	a, b := &p.lanes[0], &p.lanes[1]
	queue := queue{sums, messages, 0}
	for both := queue.next(a) && queue.next(b); both; {
		blocks := min(len(a.blocks), len(b.blocks)) / sha256.BlockSize
		compress(&a.state, &b.state, &a.blocks[0], &b.blocks[0], blocks)
		both = queue.after(a, blocks) && both
		both = queue.after(b, blocks) && both
	}
	if len(a.blocks) == 0 {
		a, b = b, a
	}
	for len(a.blocks) > 0 { // an idle second lane computes to no effect
		blocks := len(a.blocks) / sha256.BlockSize
		compress(&a.state, &b.state, &a.blocks[0], &a.blocks[0], blocks)
		queue.after(a, blocks)
	}
	return true
}

type queue struct {
	sums     []Sum
	messages [][]byte
	begun    int
}

// next starts the next message on l. It returns false if no message is left.
func (q *queue) next(l *lane) bool {
	if q.begun == len(q.messages) {
		return false
	}
	l.begin(q.messages[q.begun], &q.sums[q.begun])
	q.begun++
	return true
}

// after skips the blocks that l has processed. It returns false if nothing is left to do.
func (q *queue) after(l *lane, blocks int) bool {
	l.blocks = l.blocks[blocks*sha256.BlockSize:]
	if len(l.blocks) > 0 {
		return true
	}
	if l.last != nil {
		l.blocks, l.last = l.last, nil
		return true
	}
	l.finish()
	return q.next(l)
}

type lane struct {
	state  [8]uint32
	blocks []byte // blocks to process: of the message, then of end
	last   []byte // final padded blocks, in end; nil if done
	end    [2 * sha256.BlockSize]byte
	sum    *Sum
}

// initial is the initial hash value of FIPS 180-4 §5.3.3.
var initial = [8]uint32{0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19}

// begin starts a message. It reads whole blocks in place and copies the rest into the padding of FIPS 180-4 §5.1.1.
func (l *lane) begin(message []byte, sum *Sum) {
	l.state, l.sum = initial, sum
	whole := len(message) &^ (sha256.BlockSize - 1)
	l.end = [len(l.end)]byte{}
	n := copy(l.end[:], message[whole:])
	l.end[n] = 0x80
	l.last = l.end[:sha256.BlockSize]
	if n+1+8 > sha256.BlockSize {
		l.last = l.end[:]
	}
	binary.BigEndian.PutUint64(l.last[len(l.last)-8:], uint64(len(message))*8)
	if l.blocks = message[:whole]; whole == 0 {
		l.blocks, l.last = l.last, nil
	}
}

func (l *lane) finish() {
	for i, word := range l.state {
		binary.BigEndian.PutUint32(l.sum[4*i:], word)
	}
}

// compress updates two states with the same number (at least one) of blocks each: the hash
// computation of FIPS 180-4 §6.2.2, interleaved.
//
//go:noescape
func compress(a, b *[8]uint32, x, y *byte, blocks int)

// hasExtensions reports whether the processor has the SHA extensions, SSSE3 and SSE4.1.
func hasExtensions() bool
