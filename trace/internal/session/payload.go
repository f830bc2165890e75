package session

import (
	"fmt"
	"math"
	"math/bits"
	"strings"
	"unicode/utf8"

	"github.com/cupel-dev/cupel/internal/jcs"
	"github.com/cupel-dev/cupel/internal/say"
	"github.com/cupel-dev/cupel/internal/strictjson"
)

type payloadNote struct {
	rule  rule
	table *table // of the object that the member belongs to
	node  strictjson.Node
	name  []byte // valid during the call
	at    place  // of the object
}

type payloadFault struct {
	rule     rule
	node     strictjson.Node // the offending value, or the object that lacks a member
	key      bool            // point at the member's name, not at its value
	path     string
	message  string
	expected string
	found    string
	inside   bool // a marker inside the value, which JSON Schema cannot express
}

// payloadChecker checks payloads against the tables of SCHEMA.md v0.2. It is not safe for concurrent use.
type payloadChecker struct {
	tables    *payloadTables
	report    func(payloadFault)
	note      func(payloadNote)
	writer    *jcs.Writer
	scratch   []byte
	canonical []byte
	unproven  unproven // unverifiable content of the payload
	rows      rowMemory
}

// check validates a payload. Event types without a table accept any object.
func (c *payloadChecker) check(t eventType, payload strictjson.Node) {
	if table := c.tables[t]; table != nil {
		c.object(payload, table, place{})
	}
}

func (c *payloadChecker) object(n strictjson.Node, t *table, at place) {
	var members [16]strictjson.Node
	var seen uint32
	rows := c.rows.of(n, t)
	for m := range n.Children() {
		i := rows[0]
		rows = rows[1:]
		switch {
		case i < 0:
			c.note(payloadNote{rulePayloadUnknown, t, m, c.key(m), at})
		case !m.Is(strictjson.Null):
			seen |= 1 << i
			members[i] = m
		case !t.fields[i].required:
			c.note(payloadNote{rulePayloadNullOptional, t, m, c.key(m), at})
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
	key := m.KeyBytes(c.scratch)
	if m.KeyEscaped() {
		c.scratch = key
	}
	return key
}

func (c *payloadChecker) missing(n strictjson.Node, f *field, at place) {
	fault := payloadFault{
		rule: rulePayloadMissing, node: n, path: at.path(f.name),
		message: fmt.Sprintf("required member %q is missing", f.name),
	}
	if null := n.Get(f.name); null.Exists() {
		fault.node, fault.message = null, fmt.Sprintf("required member %q is null", f.name)
	}
	c.report(fault)
}

// member validates one member against its row of the table.
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
		c.object(n, f.table, place{member: f.name})
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
			c.object(e, f.table, place{f.name, i})
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
	if f.admits(value) {
		return
	}
	fault := payloadFault{node: n, path: at.path(f.name), found: clip(string(value))}
	switch f.kind {
	case choice:
		fault.rule, fault.expected = rulePayloadEnum, strings.Join(f.values, ", ")
		fault.message = fmt.Sprintf("%s is %q, expected one of %s", f.name, fault.found, fault.expected)
	case name:
		fault.rule, fault.message = rulePayloadEnum, fmt.Sprintf("%s is empty, expected a name", f.name)
	case uuid:
		fault.rule, fault.expected = rulePayloadUUID, "8-4-4-4-12 hexadecimal digits"
		fault.message = fmt.Sprintf("%s is %q, expected a UUID", f.name, fault.found)
	case brief:
		fault.rule, fault.expected = rulePayloadRange, fmt.Sprintf("at most %d characters", mostBrief)
		fault.message = fmt.Sprintf("%s has %d characters, expected %s", f.name, utf8.RuneCount(value), fault.expected)
	case moment:
		fault.rule, fault.expected = rulePayloadEnum, "a time such as 2026-03-01T12:00:00Z"
		fault.message = fmt.Sprintf("%s is %q, expected a time with a zone", f.name, fault.found)
	case sha:
		fault.rule, fault.expected = rulePayloadHashFormat, "64 lower-case hexadecimal digits"
		fault.message = fmt.Sprintf("%s is %q, expected a SHA-256", f.name, fault.found)
	}
	c.report(fault)
}

func (c *payloadChecker) integer(n strictjson.Node, f *field, at place) {
	if !n.Is(strictjson.Number) {
		c.wrongType(n, at.path(f.name), f.kind)
		return
	}
	raw := n.Raw()
	if n.Integer() && len(raw) <= 18 && (raw[0] != '-' || f.kind == integer) {
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
		c.report(payloadFault{
			rule: rulePayloadRange, node: n, path: at.path(f.name), expected: limits, found: clip(string(raw)),
			message: say.Expected(f.name, clip(string(raw)), limits),
		})
	}
}

var kindNames = [...]string{
	text: "a string", name: "a string", choice: "a string", uuid: "a string", sha: "a string", brief: "a string", moment: "a string",
	object: "an object", group: "an object", outcome: "an object or a string", boolean: "a boolean",
	unsigned: "an integer", integer: "an integer", number: "a number", texts: "an array of strings", objects: "an array of objects",
}

func (c *payloadChecker) wrongType(n strictjson.Node, path string, k kind) {
	found := say.Article(n.Kind().String())
	if n.Is(strictjson.Number) && (k == unsigned || k == integer) {
		found = "a number with a fraction"
	}
	c.report(payloadFault{
		rule: rulePayloadType, node: n, path: path, expected: kindNames[k], found: found,
		message: say.Expected(path, found, kindNames[k]),
	})
}
