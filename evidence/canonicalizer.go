package evidence

import (
	"github.com/cupel-dev/cupel/internal/jcs"
	"github.com/cupel-dev/cupel/internal/strictjson"
)

// Canonicalizer writes parts of events in canonical JSON (RFC 8785), as
// [Value.AppendCanonical] does, and reuses its memory. It is not safe for concurrent use.
type Canonicalizer struct{ writer *jcs.Writer }

// NewCanonicalizer returns a canonicalizer.
func NewCanonicalizer() *Canonicalizer { return &Canonicalizer{jcs.NewWriter(nil)} }

// AppendMember appends a byte and then a member's name, a colon and its value in canonical
// form. The byte is what stands before the member: a comma, or an opening brace.
func (c *Canonicalizer) AppendMember(dst []byte, before byte, member Value) []byte {
	start := len(dst)
	dst = c.writer.AppendObject(dst, []strictjson.Node{member.node})
	dst[start] = before
	return dst[:len(dst)-1]
}

// CompareNames says in which order canonical JSON has two members: below zero when a comes
// first. It is the order of their names' UTF-16 code units.
func CompareNames(a, b string) int { return jcs.CompareNames(a, b) }
