package diagnosis

import (
	"github.com/cupel-dev/cupel/internal/digest"
	"github.com/cupel-dev/cupel/trace/internal/stream"
)

// node is an event in the graph: 64 bytes of places, numbers and hashes' keys.
type node struct {
	hash, computed, prev key
	number               uint64
	session              uint32
	line                 int32
	rank                 int32 // position among all nodes and gaps, in text order
	numbered, genesis    bool
	start, end           bool
	broken               bool // its hashes do not hold
}

// key is the start of a hash, sufficient to identify an event.
type key [8]byte

func keyOf(sum digest.Sum) (k key) {
	copy(k[:], sum[:])
	return k
}

// gap is a place of the text that holds no event, or where bytes are lost.
type gap struct {
	kind     stream.DamageKind
	from, to int
	rank     int32
	lost     int  // known lost events
	more     bool // there can be more
	note     string
	help     string
	name     string
	count    int
	size     int // bytes of a torn line
}
