package reasoning

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/cupel-dev/cupel/internal/strictjson"
)

// want is the JSON type that a member must have.
type want uint8

const (
	anything want = iota
	aString
	anInteger // digits alone, within 64 bits
	aNumber
	aBoolean
	anObject
	anArray
	strings_ // an array of strings
	aSpan    // an array of two integers
)

var wantNames = [...]string{
	anything: "any value", aString: "a string", anInteger: "an integer", aNumber: "a number", aBoolean: "a boolean",
	anObject: "an object", anArray: "an array", strings_: "an array of strings", aSpan: "an array of two integers",
}

func (w want) fits(n strictjson.Node) bool {
	switch w {
	case aString:
		return n.Is(strictjson.String)
	case anInteger:
		_, ok := n.Int()
		return ok
	case aNumber:
		return n.Is(strictjson.Number)
	case aBoolean:
		return n.Is(strictjson.True) || n.Is(strictjson.False)
	case anObject:
		return n.Is(strictjson.Object)
	case anArray:
		return n.Is(strictjson.Array)
	case strings_:
		return n.Is(strictjson.Array) && allFit(n, aString)
	case aSpan:
		return n.Is(strictjson.Array) && n.Len() == 2 && allFit(n, anInteger)
	}
	return true
}

func allFit(array strictjson.Node, w want) bool {
	for element := range array.Children() {
		if !w.fits(element) {
			return false
		}
	}
	return true
}

// member is one row of an object's table.
type member struct {
	name  string
	want  want
	must  bool   // mandatory: absent, null or empty is a fault
	alias string // the name that old writers used
}

// maxMembers bounds an object's table.
const maxMembers = 12

// found holds the members of an object in the order of its table.
type found [maxMembers]strictjson.Node

// location is the path of an object, spelled out only for findings.
type location struct {
	base  string
	index int // of an array element; -1 for none
}

func (l location) String() string {
	if l.index < 0 {
		return l.base
	}
	return l.base + "[" + strconv.Itoa(l.index) + "]"
}

func (l location) member(name string) string {
	switch base := l.String(); base {
	case "":
		return name
	default:
		return base + "." + name
	}
}

// object checks an object against its table and returns its members. Faults are
// structural; members outside the table are additive and only noted.
func (w *worker) object(n strictjson.Node, at location, table []member) (out found) {
	for child := range n.Children() {
		if i := w.lookup(child, table); i >= 0 {
			if !out[i].Exists() || child.KeyIs(table[i].name) {
				out[i] = child
			}
			continue
		}
		w.unknownMember(child, at)
	}
	for i := range table {
		w.checkMember(n, at, &table[i], out[i])
	}
	return out
}

// lookup returns the row of a member, -1 when the table has none.
func (w *worker) lookup(child strictjson.Node, table []member) int {
	for i := range table {
		if child.KeyIs(table[i].name) {
			return i
		}
	}
	if !w.c.opt.AcceptAliases {
		return -1
	}
	for i := range table {
		if table[i].alias != "" && child.KeyIs(table[i].alias) {
			return i
		}
	}
	return -1
}

func (w *worker) checkMember(parent strictjson.Node, at location, m *member, n strictjson.Node) {
	switch {
	case n.Missing() && m.must:
		f := point(w.line, "field.missing", at.member(m.name), opening(parent), fmt.Sprintf("mandatory member %q is missing", m.name))
		if n.Exists() {
			f = point(w.line, "field.missing", at.member(m.name), placeOf(n), fmt.Sprintf("mandatory member %q is null", m.name))
		} else if m.alias != "" && parent.Get(m.alias).Exists() {
			f.Help = fmt.Sprintf("%q is an old name of it: --accept-aliases reads that", m.alias)
		}
		w.reject(f)
	case n.Missing():
	case !m.want.fits(n):
		w.wrongType(n, at.member(m.name), m.name, m.want)
	case m.must && m.want == aString && n.TextIs(""):
		w.reject(point(w.line, "field.empty", at.member(m.name), placeOf(n), fmt.Sprintf("mandatory member %q is empty", m.name)))
	}
}

func (w *worker) wrongType(n strictjson.Node, path, name string, expected want) {
	f := point(w.line, "field.type", path, placeOf(n), fmt.Sprintf("%q is %s, expected %s", name, describe(n), wantNames[expected]))
	f.Expected, f.Found = wantNames[expected], describe(n)
	w.reject(f)
}

// describe names a value's type, and the value itself where that explains more.
func describe(n strictjson.Node) string {
	switch n.Kind() {
	case strictjson.Number:
		return "the number " + preview(n.Raw())
	case strictjson.Array:
		return fmt.Sprintf("an array of %d", n.Len())
	case strictjson.Object:
		return "an object"
	case strictjson.Null:
		return "null"
	}
	return "a " + n.Kind().String()
}

// maxPreview is how much of a long value a message repeats.
const maxPreview = 60

func preview(b []byte) string {
	if len(b) <= maxPreview {
		return string(b)
	}
	return strings.ToValidUTF8(string(b[:maxPreview]), "") + "…"
}

// unknownMember notes an additive member, once in a block for each place of the
// format where it can stand.
func (w *worker) unknownMember(n strictjson.Node, at location) {
	start, end := n.KeySpan()
	name := n.Document().Source[start+1 : end-1]
	name = name[:min(len(name), maxPreview)]
	w.scratch = append(append(append(w.scratch[:0], at.base...), '.'), name...)
	if w.unknown[string(w.scratch)] || len(w.unknown) >= w.c.limits.Findings {
		return
	}
	pattern := string(w.scratch)
	w.unknown[pattern] = true
	key := preview([]byte(n.Key()))
	f := point(w.line, "field.unknown", at.member(key), place{start, end}, fmt.Sprintf("member %q is not part of the format", key))
	f.Index = w.index()
	w.batch.unknown = append(w.batch.unknown, unknownMember{pattern, f})
}
