package session

import (
	"crypto/sha256"

	"github.com/cupel-dev/cupel/internal/digest"
	"github.com/cupel-dev/cupel/internal/source"
	"github.com/cupel-dev/cupel/internal/strictjson"
)

// event is what one line leaves behind for the part of the work that needs the lines
// before it. Its line's bytes stay valid until it has been put in order.
type event struct {
	line   source.Line
	kind   eventType // 0 for a type outside the closed set
	lost   bool      // not an event of this family, or not readable: a hole in the chain
	cut    bool      // lost, and the input ends inside it
	misfit bool      // lost, but readable
	own    string    // the code of its own hash that does not hold, or, when lost, of its fault; "" when all is well
	spans  [memberCount]span

	numbered bool
	number   uint64
	first    uint64 // the number that the first event must have
	hash     link
	prev     link
	version  uint8  // a bit of versions, or noVersion
	profiles uint8  // which canonicalizations explained the hashes
	tool     toolID // of a TOOL_CALL or TOOL_RESULT that has one
	hasTool  bool
	toolSpan span    // of tool_id
	detail   *detail // what seals, ends and signatures need; nil for most events
}

// span is a member's value in the bytes of its line; the zero span is an absent or
// null member.
type span struct{ start, end int32 }

// has says whether a member is there and not null.
func (e *event) has(m member) bool { return e.spans[m].end > 0 }

// raw returns a member's JSON.
func (e *event) raw(m member) []byte { return e.line.Bytes[e.spans[m].start:e.spans[m].end] }

// link is the hash of an event as a log writes it.
type link struct {
	digest.Sum
	null   bool // JSON null
	proper bool // 64 lower-case digits; else Sum stands for the text only
}

// linkOf reads a hash. A text that is no hash becomes a link that only the same text
// equals.
func linkOf(n strictjson.Node) link {
	if n.Missing() {
		return link{null: true}
	}
	var scratch [80]byte
	text := n.TextBytes(scratch[:0])
	if sum, ok := digest.ParseHex(text); ok {
		return link{Sum: sum, proper: true}
	}
	return link{Sum: sha256.Sum256(append([]byte("no hash: "), text...))}
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

// detail holds what only a few events have.
type detail struct {
	keys      map[string]string // string members of the payload, by name
	leaves    uint64            // merkle_leaf_count
	hasLeaves bool
	mac       string // hmac, seal_hmac or payload.server_hmac
	signed    sigState
}
