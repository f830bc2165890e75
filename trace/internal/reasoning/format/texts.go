package format

import (
	"encoding/hex"

	"github.com/cupel-dev/cupel/internal/digest"
	"github.com/cupel-dev/cupel/trace/internal/wire"
)

// A row spells a text, which most often is an id, in one of four ways.
const (
	textAbsent = iota // there is none
	textAgain         // one of the texts before: how many texts ago it was first spelled
	textHashed        // a text that ends in a SHA-256: what stands before, and the digest
	textPlain         // the text itself
)

// The texts that are spelled once as long as they are remembered: long enough to be worth
// it, and short enough that all of them take little memory.
const (
	leastKnown = 4
	mostKnown  = 256
	knownTexts = 4_096
)

func worthKnowing(text []byte) bool { return len(text) >= leastKnown && len(text) <= mostKnown }

// textWriter writes texts, the latest of which it remembers.
type textWriter struct {
	number map[string]int // of the texts that are known
	known  []string       // by number, modulo knownTexts
	next   int            // number of the next text that is new
}

func (t *textWriter) write(w *wire.Writer, text []byte) {
	if text == nil {
		w.Uint(textAbsent)
		return
	}
	if n, again := t.number[string(text)]; again {
		w.Uint(textAgain)
		w.Uint(uint64(t.next - n))
		return
	}
	if worthKnowing(text) {
		t.learn(string(text))
	}
	if prefix := len(text) - hex.EncodedLen(len(digest.Sum{})); prefix >= 0 {
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

func (t *textWriter) learn(text string) {
	if t.number == nil {
		t.number = map[string]int{}
	}
	if t.next < knownTexts {
		t.known = append(t.known, text)
	} else {
		delete(t.number, t.known[t.next%knownTexts])
		t.known[t.next%knownTexts] = text
	}
	t.number[text] = t.next
	t.next++
}

// textReader reads what a textWriter has written.
type textReader struct {
	known [][]byte // by number, modulo knownTexts
	next  int
}

// read returns a text, nil for none.
func (t *textReader) read(r *wire.Reader) (text []byte) {
	switch r.Uint() {
	case textAbsent:
		return nil
	case textAgain:
		back := r.Uint()
		if back == 0 || back > uint64(len(t.known)) {
			r.Fail("a text that nobody knows")
			return nil
		}
		return t.known[(t.next-int(back))%knownTexts]
	case textHashed:
		prefix := r.Blob()
		text = make([]byte, 0, len(prefix)+hex.EncodedLen(len(digest.Sum{})))
		text = digest.Sum(r.Sum()).AppendHex(append(text, prefix...))
	case textPlain:
		if text = r.Blob(); text == nil {
			text = []byte{}
		}
	default:
		r.Fail("a text that is spelled in no way")
	}
	if r.Err() == nil && worthKnowing(text) {
		t.learn(text)
	}
	return text
}

// learn remembers a copy: the text may be a small part of what it would keep.
func (t *textReader) learn(text []byte) {
	text = append([]byte(nil), text...)
	if t.next < knownTexts {
		t.known = append(t.known, text)
	} else {
		t.known[t.next%knownTexts] = text
	}
	t.next++
}
