package session

import (
	"fmt"
	"math"
	"math/bits"
	"slices"
	"strconv"
	"strings"

	"github.com/cupel-dev/cupel/internal/jcs"
	"github.com/cupel-dev/cupel/internal/strictjson"
	"github.com/cupel-dev/cupel/trace/stream"
)

// The codes of payload rules. They make the log invalid and leave its integrity
// alone.
const (
	codePayloadMissing      = "payload.missing"
	codePayloadType         = "payload.type"
	codePayloadEnum         = "payload.enum"
	codePayloadRange        = "payload.range"
	codePayloadUUID         = "payload.uuid"
	codePayloadHashFormat   = "payload.hash_format"
	codePayloadUnknown      = "payload.unknown"
	codePayloadNullOptional = "payload.null_optional"
	codeRedactionMissing    = "redaction.hash_missing"
	codeRedactionDiffers    = "redaction.hash_differs"
)

// payloadFault is one breach of the payload table, or one note.
type payloadFault struct {
	rule     string
	node     strictjson.Node // the offending value, or the object that lacks a member
	key      bool            // point at the member's name, not at its value
	path     string
	message  string
	expected string
	found    string
	inside   bool // a marker inside the value: beyond what a JSON Schema can say
}

// payloadChecker checks payloads against the tables of SCHEMA.md v0.2. It is not
// safe for concurrent use.
type payloadChecker struct {
	report func(payloadFault)
	// note says whether a note about this member is wanted; it spares the work of
	// explaining what was said before.
	note      func(rule string, t *table, name []byte) bool
	writer    *jcs.Writer
	scratch   []byte
	canonical []byte
}

// check takes the payload of an event. Types without a table take any object.
func (c *payloadChecker) check(t eventType, payload strictjson.Node) {
	if table := payloads[t]; table != nil {
		c.object(payload, table, place{})
	}
}

// place is where an object stands: the payload itself, a group of it, or an element
// of one of its arrays.
type place struct {
	member  string
	element int // 1-based; 0 for a group
}

func (p place) path(name string) string {
	path := "payload"
	if p.member != "" {
		path += "." + p.member
	}
	if p.element > 0 {
		path += "[" + strconv.Itoa(p.element-1) + "]"
	}
	if name == "" {
		return path
	}
	return path + "." + name
}

func (c *payloadChecker) object(n strictjson.Node, t *table, at place) {
	var members [16]strictjson.Node
	var seen uint32
	for m := range n.Children() {
		key := c.key(m)
		i := t.find(key)
		switch {
		case i < 0:
			if c.note(codePayloadUnknown, t, key) {
				c.report(payloadFault{rule: codePayloadUnknown, node: m, key: true, path: at.path(string(key)),
					message: fmt.Sprintf("member %q is not in the payload table", clip(string(key)))})
			}
		case !m.Is(strictjson.Null):
			seen |= 1 << i
			members[i] = m
		case !t.fields[i].required && c.note(codePayloadNullOptional, t, key):
			c.report(payloadFault{rule: codePayloadNullOptional, node: m, path: at.path(string(key)),
				message: fmt.Sprintf("%s is null, which counts as absent", key)})
		}
	}
	for missing := t.required &^ seen; missing != 0; missing &= missing - 1 {
		c.missing(n, &t.fields[bits.TrailingZeros32(missing)], at)
	}
	for rest := seen; rest != 0; rest &= rest - 1 {
		i := bits.TrailingZeros32(rest)
		c.member(members[i], &t.fields[i], at)
	}
	for rest := seen & t.redacts; rest != 0; rest &= rest - 1 {
		f := &t.fields[bits.TrailingZeros32(rest)]
		c.redaction(members[bits.TrailingZeros32(rest)], members[t.find([]byte(f.hash))], f, at)
	}
}

func (c *payloadChecker) key(m strictjson.Node) []byte {
	start, end := m.KeySpan()
	raw := m.Document().Source[start+1 : end-1]
	if !m.Document().Values[m.Index()].KeyEscaped {
		return raw
	}
	c.scratch = strictjson.AppendUnescaped(c.scratch[:0], raw)
	return c.scratch
}

func (c *payloadChecker) missing(n strictjson.Node, f *field, at place) {
	fault := payloadFault{rule: codePayloadMissing, node: n, path: at.path(f.name),
		message: fmt.Sprintf("required member %q is missing", f.name)}
	if null := n.Get(f.name); null.Exists() {
		fault.node, fault.message = null, fmt.Sprintf("required member %q is null", f.name)
	}
	c.report(fault)
}

// member checks one present value by its row.
func (c *payloadChecker) member(n strictjson.Node, f *field, at place) {
	if f.hash != "" && isMarker(n) {
		return // whatever its type: the redaction rule judges it
	}
	switch f.kind {
	case object, group:
		c.want(n, f, at, strictjson.Object)
	case outcome:
		if !n.Is(strictjson.Object) {
			c.want(n, f, at, strictjson.String)
		}
	case boolean:
		if _, ok := n.Bool(); !ok {
			c.wrongType(n, at.path(f.name), f.kind)
		}
	case number:
		c.want(n, f, at, strictjson.Number)
	case unsigned, integer:
		c.integer(n, f, at)
	case texts, objects:
		c.elements(n, f, at)
	default:
		c.text(n, f, at)
	}
	if f.kind == group && n.Is(strictjson.Object) {
		c.object(n, f.nested, place{member: f.name})
	}
}

func (c *payloadChecker) want(n strictjson.Node, f *field, at place, k strictjson.Kind) {
	if !n.Is(k) {
		c.wrongType(n, at.path(f.name), f.kind)
	}
}

func (c *payloadChecker) elements(n strictjson.Node, f *field, at place) {
	if !n.Is(strictjson.Array) {
		c.wrongType(n, at.path(f.name), f.kind)
		return
	}
	want, element := strictjson.String, text
	if f.kind == objects {
		want, element = strictjson.Object, object
	}
	i := 0
	for e := range n.Children() {
		i++
		switch {
		case !e.Is(want):
			c.wrongType(e, place{f.name, i}.path(""), element)
		case f.kind == objects:
			c.object(e, f.nested, place{f.name, i})
		}
	}
}

func (c *payloadChecker) text(n strictjson.Node, f *field, at place) {
	if !n.Is(strictjson.String) {
		c.wrongType(n, at.path(f.name), f.kind)
		return
	}
	if f.kind == text {
		return
	}
	value := n.TextBytes(c.scratch)
	fault := payloadFault{node: n, path: at.path(f.name), found: clip(string(value))}
	switch {
	case f.kind == choice && !slices.Contains(f.values, string(value)):
		fault.rule, fault.expected = codePayloadEnum, strings.Join(f.values, ", ")
		fault.message = fmt.Sprintf("%s is %q, expected one of %s", f.name, fault.found, fault.expected)
	case f.kind == name && len(value) == 0:
		fault.rule, fault.message = codePayloadEnum, fmt.Sprintf("%s is empty, expected a name", f.name)
	case f.kind == uuid && !isUUID(value):
		fault.rule, fault.expected = codePayloadUUID, "8-4-4-4-12 hexadecimal digits"
		fault.message = fmt.Sprintf("%s is %q, expected a UUID", f.name, fault.found)
	case f.kind == sha && !isHash(value):
		fault.rule, fault.expected = codePayloadHashFormat, "64 lower-case hexadecimal digits"
		fault.message = fmt.Sprintf("%s is %q, expected a SHA-256", f.name, fault.found)
	default:
		return
	}
	c.report(fault)
}

func (c *payloadChecker) integer(n strictjson.Node, f *field, at place) {
	if !n.Is(strictjson.Number) {
		c.wrongType(n, at.path(f.name), f.kind)
		return
	}
	raw := n.Raw()
	if v := &n.Document().Values[n.Index()]; v.Integer && len(raw) <= 18 && (raw[0] != '-' || f.kind == integer) {
		return // the usual case: up to 18 digits fit both kinds
	}
	negative, magnitude, whole, wide := integral(raw)
	if !whole {
		c.wrongType(n, at.path(f.name), f.kind)
		return
	}
	outside := wide || f.kind == unsigned && negative && magnitude > 0
	limits := "0 to 18446744073709551615"
	if f.kind == integer {
		limits = "-9223372036854775808 to 9223372036854775807"
		outside = wide || magnitude > math.MaxInt64 && !(negative && magnitude == 1<<63)
	}
	if outside {
		c.report(payloadFault{rule: codePayloadRange, node: n, path: at.path(f.name), expected: limits, found: clip(string(raw)),
			message: fmt.Sprintf("%s is %s, expected %s", f.name, clip(string(raw)), limits)})
	}
}

var kindNames = [...]string{
	text: "a string", name: "a string", choice: "a string", uuid: "a string", sha: "a string",
	object: "an object", group: "an object", outcome: "an object or a string", boolean: "a boolean",
	unsigned: "an integer", integer: "an integer", number: "a number", texts: "an array of strings", objects: "an array of objects",
}

func (c *payloadChecker) wrongType(n strictjson.Node, path string, k kind) {
	found := stream.Article(n.Kind())
	if n.Is(strictjson.Number) && (k == unsigned || k == integer) {
		found = "a number with a fraction"
	}
	c.report(payloadFault{rule: codePayloadType, node: n, path: path, expected: kindNames[k], found: found,
		message: fmt.Sprintf("%s is %s, expected %s", path, found, kindNames[k])})
}

// redaction demands the hash of a redacted value, and compares the hash of one that
// is not redacted where its bytes are defined.
func (c *payloadChecker) redaction(n, hash strictjson.Node, f *field, at place) {
	redacted := isMarker(n)
	if hash.Exists() {
		if !redacted && n.Is(strictjson.String) {
			c.compareHash(n, hash, f, at)
		}
		return // a malformed hash is the business of its own row
	}
	if redacted || f.deep && uncovered(n) {
		c.report(payloadFault{rule: codeRedactionMissing, node: n, path: at.path(f.hash), inside: !redacted,
			message: fmt.Sprintf("%s is redacted, but %s is missing", f.name, f.hash)})
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
		c.report(payloadFault{rule: codeRedactionDiffers, node: hash, path: at.path(f.hash),
			message: fmt.Sprintf("%s is not the hash of %s as it stands", f.hash, f.name)})
	}
}

// uncovered says whether a container holds a redaction marker without a hash of its
// own: a sibling member called like it with "_hash" appended. Depth is bounded by the
// scanner's limit.
func uncovered(n strictjson.Node) bool {
	if !n.Is(strictjson.Object) && !n.Is(strictjson.Array) || !holdsMarker(n) {
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

// holdsMarker looks at all values inside a container, which stand side by side.
func holdsMarker(n strictjson.Node) bool {
	doc := n.Document()
	for i, end := n.Index()+1, int(doc.Values[n.Index()].Next); i < end; i++ {
		v := &doc.Values[i]
		if v.Kind == strictjson.String && v.End-v.Start >= int32(len("[REDACTED]")) && (v.Escaped || doc.Source[v.Start] == '[') {
			if v.Escaped || strings.HasPrefix(string(doc.Source[v.Start:v.Start+9]), "[REDACTED") {
				return true
			}
		}
	}
	return false
}

// hashMembers returns the names of an object's well-formed hashes.
func hashMembers(n strictjson.Node) map[string]bool {
	names := map[string]bool{}
	for m := range n.Children() {
		if value, ok := m.Text(); ok && isHash([]byte(value)) {
			names[m.Key()] = true
		}
	}
	return names
}

// clip cuts a value that a message repeats.
func clip(s string) string {
	const most = 72 // a hash with its prefix fits
	if len(s) <= most {
		return s
	}
	return strings.ToValidUTF8(s[:most], "") + "…"
}
