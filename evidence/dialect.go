package evidence

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/cupel-dev/cupel/internal/jcs"
	"github.com/cupel-dev/cupel/internal/strictjson"
)

// dialect writes JSON like a producer that violates RFC 8785. The zero value conforms. It is simple rather than
// fast, because it is used only for events with mismatches.
type dialect struct {
	order   order
	escapes escapes
	numbers numbers
	indent  string // of one level; "" for one line
	item    string // between items on one line; "" for ","
	colon   string // after a name; "" for ":"
	nfc     bool   // strings and names in Unicode normalization form C

	most int  // bytes of a text; 0: any number
	over bool // the text would have more, and was given up
}

type order uint8

const (
	byUTF16 order = iota
	byBytes
	asWritten
)

type escapes uint8

const (
	minimal   escapes = iota
	forHTML           // <, >, &, U+2028 and U+2029 as \u escapes
	onlyASCII         // everything beyond ASCII as \u escapes
	withSlash         // / as \/
)

type numbers uint8

const (
	asDoubles     numbers = iota
	integersExact         // an integer beyond 2^53 keeps its digits
	asSpelled             // every number as the event spells it
	asPython              // floats as Python's repr
)

// field is a member to write: a value of the event, or a text that replaces it.
type field struct {
	name  string
	value strictjson.Node
	text  string // JSON; "" for value
}

func (d *dialect) appendFields(dst []byte, fields []field) []byte {
	d.sort(fields)
	return d.appendObject(dst, fields, 0)
}

func (d *dialect) sort(fields []field) {
	if d.order == asWritten {
		return
	}
	slices.SortStableFunc(fields, func(a, b field) int {
		if d.order == byBytes {
			return cmp.Compare(a.name, b.name)
		}
		return slices.Compare(utf16.Encode([]rune(a.name)), utf16.Encode([]rune(b.name)))
	})
}

func (d *dialect) appendValue(dst []byte, n strictjson.Node, level int) []byte {
	if d.over = d.over || d.most > 0 && len(dst) > d.most; d.over {
		return dst
	}
	switch n.Kind() {
	case strictjson.Object:
		return d.appendObject(dst, d.membersOf(n), level)
	case strictjson.Array:
		return d.appendArray(dst, n, level)
	case strictjson.String:
		text, _ := n.Text()
		return d.appendString(dst, text)
	case strictjson.Number:
		return d.appendNumber(dst, n)
	}
	return append(dst, n.Raw()...)
}

func (d *dialect) membersOf(object strictjson.Node) []field {
	fields := make([]field, 0, object.Len())
	for member := range object.Children() {
		fields = append(fields, field{name: member.Key(), value: member})
	}
	d.sort(fields)
	return fields
}

func (d *dialect) appendObject(dst []byte, fields []field, level int) []byte {
	dst = append(dst, '{')
	for i, f := range fields {
		if d.over {
			return dst
		}
		dst = d.separate(dst, i, level+1)
		dst = append(d.appendString(dst, f.name), cmp.Or(d.colon, ":")...)
		if f.text != "" {
			dst = append(dst, f.text...)
		} else {
			dst = d.appendValue(dst, f.value, level+1)
		}
	}
	return append(d.finish(dst, len(fields), level), '}')
}

func (d *dialect) appendArray(dst []byte, array strictjson.Node, level int) []byte {
	dst = append(dst, '[')
	i := 0
	for element := range array.Children() {
		if d.over {
			return dst
		}
		dst = d.appendValue(d.separate(dst, i, level+1), element, level+1)
		i++
	}
	return append(d.finish(dst, i, level), ']')
}

// separate writes the text before item i of a container.
func (d *dialect) separate(dst []byte, i, level int) []byte {
	switch {
	case d.indent != "" && i > 0:
		dst = append(dst, ",\n"...)
	case d.indent != "":
		dst = append(dst, '\n')
	case i > 0:
		return append(dst, cmp.Or(d.item, ",")...)
	}
	return append(dst, strings.Repeat(d.indent, level)...)
}

// finish writes the text before the end of a container.
func (d *dialect) finish(dst []byte, items, level int) []byte {
	if d.indent == "" || items == 0 {
		return dst
	}
	return append(append(dst, '\n'), strings.Repeat(d.indent, level)...)
}

// pythonNumbers formats floats like Python's repr.
var pythonNumbers = &jcs.Profile{Python: true, ExponentPlus: true, Zero: "0.0", NegativeZero: "-0.0"}

func (d *dialect) appendNumber(dst []byte, n strictjson.Node) []byte {
	switch {
	case d.numbers == asSpelled, d.numbers == integersExact && n.Integer():
		return append(dst, n.Raw()...)
	case d.numbers == asPython:
		return jcs.NewWriter(pythonNumbers).Append(dst, n)
	}
	return jcs.NewWriter(nil).Append(dst, n)
}

func (d *dialect) appendString(dst []byte, s string) []byte {
	if d.nfc {
		s = norm.NFC.String(s)
	}
	dst = append(dst, '"')
	for _, r := range s {
		dst = d.appendRune(dst, r)
	}
	return append(dst, '"')
}

func (d *dialect) appendRune(dst []byte, r rune) []byte {
	const short = "\b\t\n\f\r\"\\"
	if i := strings.IndexRune(short, r); i >= 0 {
		return append(dst, '\\', "btnfr\"\\"[i])
	}
	html := d.escapes == forHTML && strings.ContainsRune("<>&\u2028\u2029", r)
	switch {
	case r == '/' && d.escapes == withSlash:
		return append(dst, `\/`...)
	case r > 0xffff && d.escapes == onlyASCII:
		high, low := utf16.EncodeRune(r)
		return appendHex(appendHex(dst, high), low)
	case r < ' ', html, d.escapes == onlyASCII && r >= 0x7f:
		return appendHex(dst, r)
	}
	return utf8.AppendRune(dst, r)
}

func appendHex(dst []byte, r rune) []byte {
	const digits = "0123456789abcdef"
	return append(dst, '\\', 'u', digits[r>>12&15], digits[r>>8&15], digits[r>>4&15], digits[r&15])
}
