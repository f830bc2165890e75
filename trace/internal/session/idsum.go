package session

import (
	"crypto/sha256"
	"encoding/binary"
	"math/bits"

	"github.com/cupel-dev/cupel/internal/siphash"
	"github.com/cupel-dev/cupel/internal/strictjson"
)

// idSum is what a summary keeps of an event's id: the first 96 bits of its SHA-256, as of
// the id of a tool call. It is the same in all processes, and too long for anyone to make
// two ids that look alike.
type idSum [12]byte

func idSumOf(id []byte) idSum {
	sum := sha256.Sum256(id)
	return idSum(sum[:len(idSum{})])
}

// key is what the id is remembered under. It needs no more than to fold the sum in a way that
// nobody knows.
func (s idSum) key(keys siphash.Key) uint64 {
	high, low := bits.Mul64(binary.LittleEndian.Uint64(s[:])^keys[0], uint64(binary.LittleEndian.Uint32(s[8:]))^keys[1])
	return high ^ low
}

// idSumReader keeps the sum of an event's id, for a summary.
type idSumReader struct{}

func (idSumReader) read(rec *record, e *event) {
	if n := rec.nodes[eventID]; n.Is(strictjson.String) {
		var scratch [64]byte
		e.idSum = idSumOf(n.TextBytes(scratch[:0]))
	}
}
