package format

import (
	"bytes"

	"github.com/cupel-dev/cupel/internal/digest"
	"github.com/cupel-dev/cupel/trace/internal/wire"
)

// Encodings of a text, which is often an id, in a row.
const (
	textAbsent = iota // no text
	textAgain         // an earlier text, by position
	textHashed        // a text that ends in a SHA-256: the prefix and the digest
	textPlain         // the text itself
)

// Limits of the cache. Shorter texts are not worth caching, longer ones take too much memory.
const (
	leastKnown = 4
	mostKnown  = 256
	knownTexts = 4_096
)

func worthKnowing(text []byte) bool { return len(text) >= leastKnown && len(text) <= mostKnown }

// texts caches recent texts by CRC-32C, one per slot. Writer and reader have the same cache.
type texts [knownTexts][]byte

func placeOfText(text []byte) uint64 { return uint64(CheckOf(text) % knownTexts) }

// write writes a text or nil.
func (t *texts) write(w *wire.Writer, text []byte) {
	if text == nil {
		w.Uint(textAbsent)
		return
	}
	if worthKnowing(text) {
		at := placeOfText(text)
		if bytes.Equal(t[at], text) {
			w.Uint(textAgain)
			w.Uint(at)
			return
		}
		t[at] = append(t[at][:0], text...)
	}
	if prefix := len(text) - hashLen; prefix >= 0 {
		if sum, ok := digest.ParseHex(text[prefix:]); ok {
			w.Uint(textHashed)
			w.Blob(text[:prefix])
			w.Sum(sum)
			return
		}
	}
	w.Uint(textPlain)
	w.Blob(text)
}

// hashLen is the length of a SHA-256 in hexadecimal digits.
const hashLen = 2 * len(digest.Sum{})

// read reads a text. The result remains valid.
func (t *texts) read(r *wire.Reader) (text []byte) {
	switch r.Uint() {
	case textAbsent:
		return nil
	case textAgain:
		at := r.Uint()
		if at >= knownTexts || t[at] == nil {
			r.Fail("a reference to a missing text")
			return nil
		}
		return t[at]
	case textHashed:
		prefix := r.Blob()
		text = make([]byte, 0, len(prefix)+hashLen)
		text = digest.Sum(r.Sum()).AppendHex(append(text, prefix...))
	case textPlain:
		if text = r.Blob(); text == nil {
			text = []byte{}
		}
	default:
		r.Fail("a text in an unknown encoding")
	}
	if r.Err() == nil && worthKnowing(text) {
		t[placeOfText(text)] = bytes.Clone(text) // do not retain a large buffer for a small text
	}
	return text
}
