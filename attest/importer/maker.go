package importer

import (
	"bytes"
	"slices"
	"strconv"

	"github.com/cupel-dev/cupel/attest"
	"github.com/cupel-dev/cupel/attest/internal/wording"
	"github.com/cupel-dev/cupel/internal/strictjson"
)

// maker writes a trace's JSON and records the source of each value. Source values are copied unchanged.
type maker struct {
	made    []byte
	marks   []mark // in the order of made
	most    int    // bytes that made may have
	full    bool   // it would have more
	room    int    // values of the source that may still be kept
	crowded bool   // there would be more
	scanner *strictjson.Scanner

	parts  map[*strictjson.Document]int32           // of the source, by their documents; all others are part 0
	inside map[*strictjson.Document]strictjson.Node // parent of a document that is not a part
}

// mark records the source of the trace from an offset to the next mark.
type mark struct {
	at     int32
	part   int32 // of the source
	offset int32 // of the part
	copied int32 // number of bytes copied from the source, including nested values
}

// begins records the source of the value that is written next.
func (m *maker) begins(of strictjson.Node, copied int) {
	if len(m.made) > 0 && !bytes.ContainsRune([]byte("{[:"), rune(m.made[len(m.made)-1])) {
		m.made = append(m.made, ',')
	}
	for holder, held := m.inside[of.Document()]; held; holder, held = m.inside[of.Document()] {
		of, copied = holder, 0
	}
	start, _ := of.Span()
	m.marks = append(m.marks, mark{int32(len(m.made)), m.parts[of.Document()], int32(start), int32(copied)})
}

// put writes text unless the trace is too long. Line ends are replaced by spaces, because a trace is one line.
func (m *maker) put(text []byte) {
	if m.full = m.full || len(m.made)+len(text) > m.most; m.full {
		return
	}
	start := len(m.made)
	m.made = append(m.made, text...)
	for i := start; i < len(m.made); i++ {
		if c := m.made[i]; c == '\n' || c == '\r' {
			m.made[i] = ' '
		}
	}
}

func (m *maker) open(bracket byte, of strictjson.Node) {
	m.begins(of, 0)
	m.put([]byte{bracket})
}

func (m *maker) close(bracket byte) { m.put([]byte{bracket}) }

// member writes the name of a member. Its value must follow.
func (m *maker) member(name string) {
	if n := len(m.made); n > 0 && m.made[n-1] != '{' {
		m.put([]byte{','})
	}
	m.put(append(wording.AppendQuoted(nil, name), ':'))
}

// copy writes a source value unchanged.
func (m *maker) copy(n strictjson.Node) {
	m.begins(n, len(n.Raw()))
	m.put(n.Raw())
}

// text writes a string that is not from the source.
func (m *maker) text(of strictjson.Node, s string) {
	m.begins(of, 0)
	m.put(wording.AppendQuoted(nil, s))
}

func (m *maker) number(of strictjson.Node, digits string) {
	m.begins(of, 0)
	m.put([]byte(digits))
}

func (m *maker) int(of strictjson.Node, n int64) { m.number(of, strconv.FormatInt(n, 10)) }

// joined writes a text as one string.
func (m *maker) joined(t text) {
	if len(t) == 1 {
		m.copy(t[0])
		return
	}
	m.begins(t[0], 0)
	m.put([]byte{'"'})
	for _, piece := range t {
		raw := piece.Raw()
		m.put(raw[1 : len(raw)-1])
	}
	m.put([]byte{'"'})
}

func (m *maker) list(of strictjson.Node, list []strictjson.Node) {
	m.open('[', of)
	for _, n := range list {
		m.copy(n)
	}
	m.close(']')
}

func (m *maker) optional(name string, n strictjson.Node) {
	if !n.Missing() {
		m.member(name)
		m.copy(n)
	}
}

// spoken writes a text as a member, unless it is empty.
func (m *maker) spoken(name string, says text) {
	if len(says) > 0 {
		m.member(name)
		m.joined(says)
	}
}

// members writes the members of an object except those named.
func (m *maker) members(n strictjson.Node, but ...string) {
	if !n.Is(strictjson.Object) {
		return
	}
	for member := range n.Children() {
		if name := member.Key(); !slices.Contains(but, name) {
			m.optional(name, member)
		}
	}
}

// name writes a step's name: the text of a node, or as if it has none.
func (m *maker) name(n strictjson.Node, as string, at strictjson.Node, typ attest.StepType) {
	m.member("name")
	switch {
	case n.Is(strictjson.String) && !n.TextIs(""):
		m.copy(n)
	case as != "":
		m.text(at, as)
	default:
		m.text(at, string(typ))
	}
}

// object writes a value as an object. Objects, including those encoded in a string, are unchanged; other values
// become the given member.
func (m *maker) object(n strictjson.Node, name string) {
	inner, kind := m.held(n)
	switch {
	case n.Is(strictjson.Object):
		m.copy(n)
	case kind == strictjson.Object:
		m.begins(n, 0)
		m.put(inner)
	case n.Missing() || n.TextIs(""):
		m.open('{', n)
		m.close('}')
	default:
		m.open('{', n)
		m.member(name)
		m.value(n)
		m.close('}')
	}
}

// value writes a value. An object or array encoded in a string is decoded.
func (m *maker) value(n strictjson.Node) {
	if inner, _ := m.held(n); inner != nil {
		m.begins(n, 0)
		m.put(inner)
		return
	}
	m.copy(n)
}

// held returns the object or array that a string holds as JSON, or nil.
func (m *maker) held(n strictjson.Node) (text []byte, kind strictjson.Kind) {
	text = bytes.TrimSpace(n.TextBytes(nil))
	if len(text) == 0 || text[0] != '{' && text[0] != '[' {
		return nil, strictjson.Absent
	}
	doc, err := m.scanner.Scan(text)
	if err != nil {
		return nil, strictjson.Absent
	}
	return text, doc.Root().Kind()
}

// parsed returns the object or array that a string holds as JSON, or n itself.
func (m *maker) parsed(n strictjson.Node) strictjson.Node {
	if text, _ := m.held(n); text != nil {
		return m.read(n, text)
	}
	return n
}

// read parses a text in a node as JSON. It returns the absent node if the text is malformed.
func (m *maker) read(in strictjson.Node, text []byte) strictjson.Node {
	doc, err := m.scanner.Scan(text)
	if err != nil || !m.fits(doc) {
		return strictjson.Node{}
	}
	kept, _ := doc.Copy(nil)
	m.inside[&kept] = in
	return kept.Root()
}

// fits reserves space for the values of a document and reports whether there was enough.
func (m *maker) fits(doc *strictjson.Document) bool {
	m.room -= len(doc.Values)
	m.crowded = m.crowded || m.room < 0
	return !m.crowded
}

// find returns the source of the value at an offset of the trace.
func (ms marks) find(offset int) (part, at int) {
	i, exact := slices.BinarySearchFunc(ms, offset, func(m mark, offset int) int { return int(m.at) - offset })
	if !exact {
		i--
	}
	if i < 0 {
		return 0, 0
	}
	m := ms[i]
	part, at = int(m.part), int(m.offset)
	if inside := offset - int(m.at); inside < int(m.copied) {
		at += inside
	}
	return part, at
}

type marks []mark
