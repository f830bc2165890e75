// Package wire implements the binary encoding of a log's state. It is canonical: equal values have
// equal bytes, and readers refuse other spellings.
//
//	unsigned  LEB128, shortest form
//	signed    zigzag, then as unsigned
//	bool      one byte, 0 or 1
//	checksum  four bytes, big-endian
//	text      its length in bytes as unsigned, then the bytes
package wire

import (
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
)

// Writer appends values to Bytes.
type Writer struct{ Bytes []byte }

// Uint appends an unsigned number.
func (w *Writer) Uint(n uint64) { w.Bytes = binary.AppendUvarint(w.Bytes, n) }

// Int appends a signed number.
func (w *Writer) Int(n int64) { w.Bytes = binary.AppendVarint(w.Bytes, n) }

// Bool appends a truth.
func (w *Writer) Bool(b bool) {
	if b {
		w.Bytes = append(w.Bytes, 1)
		return
	}
	w.Bytes = append(w.Bytes, 0)
}

// Text appends a text, of any bytes.
func (w *Writer) Text(s string) {
	w.Uint(uint64(len(s)))
	w.Bytes = append(w.Bytes, s...)
}

// Blob appends bytes as Text does.
func (w *Writer) Blob(b []byte) {
	w.Uint(uint64(len(b)))
	w.Bytes = append(w.Bytes, b...)
}

func (w *Writer) Raw(b []byte) { w.Bytes = append(w.Bytes, b...) }

// Reserve ensures capacity for n more bytes. It doubles the capacity, so that a growing buffer is seldom copied.
func (w *Writer) Reserve(n int) {
	if cap(w.Bytes)-len(w.Bytes) < n {
		w.Bytes = slices.Grow(w.Bytes, len(w.Bytes)+n)
	}
}

// Sum appends a SHA-256 digest.
func (w *Writer) Sum(s [32]byte) { w.Raw(s[:]) }

// Reader decodes a Writer's output. After the first fault, values are zero and Err returns it. It does not
// allocate.
type Reader struct {
	rest []byte
	size int
	err  error
}

// NewReader returns a reader of b. Results share its memory.
func NewReader(b []byte) *Reader { return &Reader{rest: b, size: len(b)} }

// Err returns the first fault, or nil.
func (r *Reader) Err() error { return r.err }

// More reports whether bytes are left to read.
func (r *Reader) More() bool { return r.err == nil && len(r.rest) > 0 }

// Done returns the first fault, or an error for remaining bytes.
func (r *Reader) Done() error {
	if r.err == nil && len(r.rest) > 0 {
		r.fail(fmt.Sprintf("%d bytes too many", len(r.rest)))
	}
	return r.err
}

// Fail records the first fault.
func (r *Reader) Fail(why string) { r.fail(why) }

func (r *Reader) fail(why string) {
	if r.err == nil {
		r.err = fmt.Errorf("byte %d: %w", r.size-len(r.rest), errors.New(why))
	}
	r.rest = nil
}

// Uint reads an unsigned number.
func (r *Reader) Uint() uint64 {
	n, size := binary.Uvarint(r.rest)
	switch {
	case r.err != nil:
		return 0
	case size == 0:
		r.fail("the state ends within a number")
		return 0
	case size < 0, size > 1 && r.rest[size-1] == 0:
		r.fail("a malformed number")
		return 0
	}
	r.rest = r.rest[size:]
	return n
}

// Int reads a signed number.
func (r *Reader) Int() int64 {
	n := r.Uint()
	return int64(n>>1) ^ -int64(n&1)
}

// Bool reads a truth.
func (r *Reader) Bool() bool {
	b := r.Raw(1)
	if len(b) == 1 && b[0] > 1 {
		r.fail("a boolean that is neither 0 nor 1")
	}
	return len(b) == 1 && b[0] == 1
}

// Text reads a text.
func (r *Reader) Text() string { return string(r.Blob()) }

// Blob reads bytes that Blob or Text wrote. They are part of the reader's input.
func (r *Reader) Blob() []byte { return r.Raw(r.Count(1)) }

// Count reads the number of values of at least size bytes each, which must remain.
func (r *Reader) Count(size int) int {
	n := r.Uint()
	if n > uint64(len(r.rest)/max(1, size)) {
		r.fail(fmt.Sprintf("the state ends before the %d announced values", n))
		return 0
	}
	return int(n)
}

// Raw reads n bytes. They are part of the reader's input.
func (r *Reader) Raw(n int) []byte {
	if r.err != nil {
		return nil
	}
	if n > len(r.rest) {
		r.fail(fmt.Sprintf("the state ends %d bytes early", n-len(r.rest)))
		return nil
	}
	b := r.rest[:n:n]
	r.rest = r.rest[n:]
	return b
}

// Sum reads a SHA-256 digest.
func (r *Reader) Sum() (s [32]byte) {
	copy(s[:], r.Raw(len(s)))
	return s
}

// Rest reads all that is left.
func (r *Reader) Rest() []byte { return r.Raw(len(r.rest)) }
