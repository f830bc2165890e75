package session

import (
	"crypto/sha256"
	"errors"

	"github.com/cupel-dev/cupel/internal/digest"
	"github.com/cupel-dev/cupel/internal/siphash"
	"github.com/cupel-dev/cupel/internal/strictjson"
)

// link is the hash of an event as written in the log.
type link struct {
	digest.Sum
	null   bool // JSON null
	proper bool // 64 lower-case digits; else Sum only identifies the text
}

// read parses a hash. Any other text becomes a link that equals only the same text. Words are written in place,
// because copying fresh data stalls the processor.
func (l *link) read(n strictjson.Node) {
	l.null, l.proper = n.Missing(), false
	if l.null {
		l.Sum = digest.Sum{}
		return
	}
	var scratch [80]byte
	text := n.TextBytes(scratch[:0])
	if l.proper = l.SetHex(text); !l.proper {
		l.Sum = sha256.Sum256(append([]byte("no hash: "), text...))
	}
}

// lastLink is the hash of the previous event, to which the next event links.
type lastLink struct {
	link
	text [2 * sha256.Size]byte // its digits, if it is proper
}

func (l *lastLink) own(n strictjson.Node) {
	if l.read(n); l.proper {
		var scratch [80]byte
		copy(l.text[:], n.TextBytes(scratch[:0]))
	}
}

// before reads the link of the next event into prev. It usually equals the last hash and need not be parsed again.
func (l *lastLink) before(n strictjson.Node, prev *link) {
	var scratch [80]byte
	if l.proper && string(n.TextBytes(scratch[:0])) == string(l.text[:]) {
		*prev = l.link
		return
	}
	prev.read(n)
}

func (l link) String() string {
	switch {
	case l.null:
		return "null"
	case l.proper:
		return l.Hex()
	}
	return "no SHA-256"
}

func (l link) key(keys siphash.Key) uint64 {
	text := append(make([]byte, 0, len(l.Sum)+1), l.Sum[:]...)
	if l.proper {
		text = append(text, 1)
	}
	return max(1, keys.Sum64(text))
}

// head returns the link as hex digits, "" if it is not a hash.
func (l link) head() string {
	if !l.proper {
		return ""
	}
	return l.Hex()
}

func (l link) MarshalText() ([]byte, error) {
	switch {
	case l.null:
		return []byte("null"), nil
	case !l.proper:
		return []byte("?" + l.Hex()), nil
	}
	return []byte(l.Hex()), nil
}

func (l *link) UnmarshalText(text []byte) error {
	*l = link{}
	if string(text) == "null" {
		l.null = true
		return nil
	}
	l.proper = len(text) > 0 && text[0] != '?'
	if !l.proper {
		text = text[min(1, len(text)):]
	}
	sum, ok := digest.ParseHex(text)
	if !ok {
		return errors.New("a link that is not a hash")
	}
	l.Sum = sum
	return nil
}
