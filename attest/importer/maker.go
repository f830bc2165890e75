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

// mark is the source of the value at an offset of the trace, and of those after it up to the next mark.
type mark struct {
	at     int32
	part   int32 // of the source
	offset int32 // of the part
	copied int32 // number of bytes copied from the source, including nested values
}

// begins notes that the value which is written next was made of a node.
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

// put writes text, unless the trace is too long. All of it goes on one line: a line end in
// JSON is a blank like others.
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

// open begins an object or an array; close ends it.
func (m *maker) open(bracket byte, of strictjson.Node) {
	m.begins(of, 0)
	m.put([]byte{bracket})
}

func (m *maker) close(bracket byte) { m.put([]byte{bracket}) }

// member writes the name of a member, whose value comes next.
func (m *maker) member(name string) {
	if n := len(m.made); n > 0 && m.made[n-1] != '{' {
		m.put([]byte{','})
	}
	m.put(append(wording.AppendQuoted(nil, name), ':'))
}

// copy writes a value of the source.
func (m *maker) copy(n strictjson.Node) {
	m.begins(n, len(n.Raw()))
	m.put(n.Raw())
}

// text writes a string of the maker's own.
func (m *maker) text(of strictjson.Node, s string) {
	m.begins(of, 0)
	m.put(wording.AppendQuoted(nil, s))
}

// number writes a number that is spelled already.
func (m *maker) number(of strictjson.Node, digits string) {
	m.begins(of, 0)
	m.put([]byte(digits))
}

func (m *maker) int(of strictjson.Node, n int64) { m.number(of, strconv.FormatInt(n, 10)) }

// joined writes a text's pieces as one string.
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

// list writes an array of values of the source.
func (m *maker) list(of strictjson.Node, list []strictjson.Node) {
	m.open('[', of)
	for _, n := range list {
		m.copy(n)
	}
	m.close(']')
}

// optional writes a member, or nothing if n is missing.
func (m *maker) optional(name string, n strictjson.Node) {
	if !n.Missing() {
		m.member(name)
		m.copy(n)
	}
}

// spoken writes a text as a member unless it is empty.
func (m *maker) spoken(name string, says text) {
	if len(says) > 0 {
		m.member(name)
		m.joined(says)
	}
}

// members writes the members of an object, except for some names.
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

// name writes the name of a step: a node's text, or another one.
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

// object writes a value as an object: objects, also those encoded in a string, unchanged; anything
// else as the named member.
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

// value writes a value as it is, except for JSON in a string that is an object or an array: it is written as that.
func (m *maker) value(n strictjson.Node) {
	if inner, _ := m.held(n); inner != nil {
		m.begins(n, 0)
		m.put(inner)
		return
	}
	m.copy(n)
}

// held returns the object or the array that a string holds as JSON; nil for everything else.
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

// parsed returns the object or the array that a string holds as JSON, or the value as it is.
func (m *maker) parsed(n strictjson.Node) strictjson.Node {
	if text, _ := m.held(n); text != nil {
		return m.read(n, text)
	}
	return n
}

// read parses a text contained in a node as JSON; absent if malformed.
func (m *maker) read(in strictjson.Node, text []byte) strictjson.Node {
	doc, err := m.scanner.Scan(text)
	if err != nil || !m.fits(doc) {
		return strictjson.Node{}
	}
	kept, _ := doc.Copy(nil)
	m.inside[&kept] = in
	return kept.Root()
}

// fits reports whether there is room for the values of a document, and takes it.
func (m *maker) fits(doc *strictjson.Document) bool {
	m.room -= len(doc.Values)
	m.crowded = m.crowded || m.room < 0
	return !m.crowded
}

// find says of the value at an offset of the trace was made of.
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
