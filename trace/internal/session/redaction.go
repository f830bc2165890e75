package session

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"unicode/utf16"

	"github.com/cupel-dev/cupel/internal/digest"
	"github.com/cupel-dev/cupel/internal/strictjson"
)

// isMarker reports whether a value is a redaction marker: the string "[REDACTED]" or "[REDACTED:label]".
func isMarker(n strictjson.Node) bool {
	if !n.Is(strictjson.String) {
		return false
	}
	if raw := n.Raw(); raw[1] != '[' && raw[1] != '\\' {
		return false // as most are not, and their text begins here
	}
	var scratch [64]byte
	rest, ok := bytes.CutPrefix(n.TextBytes(scratch[:0]), []byte("[REDACTED"))
	if !ok {
		return false
	}
	rest, ok = bytes.CutSuffix(rest, []byte("]"))
	if !ok || len(rest) == 0 {
		return ok
	}
	return rest[0] == ':' && len(rest) > 1 && bytes.IndexByte(rest, ']') < 0
}

// redaction requires a hash for a redacted value. For a value in the clear, it checks the hash if the hashed bytes
// are defined.
func (c *payloadChecker) redaction(n, hash strictjson.Node, f *field, at place) {
	redacted := isMarker(n)
	marked := f.deep && isContainer(n) && holdsMarker(n)
	if redacted || marked {
		c.unproven |= redactedValue
	} else if hash.Exists() && isContainer(n) {
		c.unproven |= objectHash
	}
	if hash.Exists() {
		if !redacted && n.Is(strictjson.String) {
			c.compareHash(n, hash, f, at)
		}
		return // checked by its own row
	}
	if redacted || marked && uncovered(n) {
		c.report(payloadFault{
			rule: ruleRedactionMissing, node: n, path: at.path(f.hash), inside: !redacted,
			message: fmt.Sprintf("%s is redacted, but %s is missing", f.name, f.hash),
		})
	}
}

func (c *payloadChecker) compareHash(n, hash strictjson.Node, f *field, at place) {
	text, _ := n.Text()
	value, _ := hash.Text()
	if !isHash([]byte(value)) {
		return
	}
	c.canonical = c.writer.Append(c.canonical[:0], n)
	if !matchesText([]byte(value), []byte(text), c.canonical) {
		c.report(payloadFault{
			rule: ruleRedactionDiffers, node: hash, path: at.path(f.hash),
			message: fmt.Sprintf("%s is not the hash of %s", f.hash, f.name),
		})
	}
}

// uncovered reports whether a container has a redaction marker without a hash of its own: a sibling with the suffix
// "_hash". The depth is limited by the parser.
func uncovered(n strictjson.Node) bool {
	if !isContainer(n) || !holdsMarker(n) {
		return false
	}
	var hashes map[string]bool
	for child := range n.Children() {
		switch {
		case !isMarker(child):
			if uncovered(child) {
				return true
			}
		case n.Is(strictjson.Array):
			return true
		default:
			if hashes == nil {
				hashes = hashMembers(n)
			}
			if !hashes[child.Key()+"_hash"] {
				return true
			}
		}
	}
	return false
}

// holdsMarker reports whether a container has a redaction marker at any depth.
func holdsMarker(n strictjson.Node) bool {
	for v := range n.All() {
		if !v.Is(strictjson.String) {
			continue
		}
		raw := v.Raw()
		if len(raw) >= len(`"[REDACTED]"`) && (v.Escaped() || bytes.HasPrefix(raw, []byte(`"[REDACTED`))) && isMarker(v) {
			return true
		}
	}
	return false
}

// hashMembers returns the names of an object's members that are well-formed hashes.
func hashMembers(n strictjson.Node) map[string]bool {
	names := map[string]bool{}
	for m := range n.Children() {
		if value, ok := m.Text(); ok && isHash([]byte(value)) {
			names[m.Key()] = true
		}
	}
	return names
}

// matchesText reports whether a hash matches a string in one of three forms: its bytes, its canonical JSON or its
// ASCII JSON.
func matchesText(hash, text, canonical []byte) bool {
	want, _ := digest.ParseHex(bytes.TrimPrefix(hash, []byte(digest.Prefix)))
	return want == sha256.Sum256(text) || want == sha256.Sum256(canonical) || want == sha256.Sum256(asciiJSON(text))
}

// asciiJSON returns a string as JSON with all non-ASCII characters escaped.
func asciiJSON(text []byte) []byte {
	out := []byte{'"'}
	for _, r := range string(text) {
		switch {
		case r == '"' || r == '\\':
			out = append(out, '\\', byte(r))
		case r >= ' ' && r < 0x80:
			out = append(out, byte(r))
		case shortEscape(r) != 0:
			out = append(out, '\\', shortEscape(r))
		case r > 0xffff:
			high, low := utf16.EncodeRune(r)
			out = fmt.Appendf(out, `\u%04x\u%04x`, high, low)
		default:
			out = fmt.Appendf(out, `\u%04x`, r)
		}
	}
	return append(out, '"')
}

func shortEscape(r rune) byte {
	switch r {
	case '\b':
		return 'b'
	case '\f':
		return 'f'
	case '\n':
		return 'n'
	case '\r':
		return 'r'
	case '\t':
		return 't'
	}
	return 0
}
