package evidence

import (
	"github.com/cupel-dev/cupel/internal/jcs"
	"github.com/cupel-dev/cupel/internal/strictjson"
)

// Canonicalizer writes parts of events in canonical JSON (RFC 8785). It is like [Value.AppendCanonical] but reuses
// memory. It is not safe for concurrent use.
type Canonicalizer struct{ writer *jcs.Writer }

func NewCanonicalizer() *Canonicalizer { return &Canonicalizer{jcs.NewWriter(nil)} }

// AppendMember appends the byte before (a comma or brace), the member's name, a colon and its canonical value.
func (c *Canonicalizer) AppendMember(dst []byte, before byte, member Value) []byte {
	start := len(dst)
	dst = c.writer.AppendObject(dst, []strictjson.Node{member.node})
	dst[start] = before
	return dst[:len(dst)-1]
}

// CompareNames compares names in canonical order, by UTF-16 code units. The result is negative if a sorts before b.
func CompareNames(a, b string) int { return jcs.CompareNames(a, b) }
