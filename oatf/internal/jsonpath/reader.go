package jsonpath

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/cupel-dev/cupel/oatf/model"
)

// reader parses a query that the library accepted, without error messages. After a failure, results are
// meaningless.
type reader struct {
	text   string
	at     int
	failed bool
}

func (r *reader) blank() {
	for r.at < len(r.text) && strings.IndexByte(" \t\n\r", r.text[r.at]) >= 0 {
		r.at++
	}
}

// take skips blanks, then a token if it is next.
func (r *reader) take(token string) bool {
	r.blank()
	if !strings.HasPrefix(r.text[r.at:], token) {
		return false
	}
	r.at += len(token)
	return true
}

func (r *reader) need(token string) {
	if !r.take(token) {
		r.failed = true
	}
}

// next returns the next non-blank byte, 0 at the end.
func (r *reader) next() byte {
	if r.blank(); r.at < len(r.text) {
		return r.text[r.at]
	}
	return 0
}

func (r *reader) span(in func(byte) bool) string {
	start := r.at
	for r.at < len(r.text) && in(r.text[r.at]) {
		r.at++
	}
	return r.text[start:r.at]
}

func (r *reader) query() query {
	q := query{relative: r.take("@")}
	if !q.relative {
		r.need("$")
	}
	for !r.failed {
		end := r.at
		switch {
		case r.take(".."):
			q.segments = append(q.segments, segment{true, r.selectors()})
		case r.take("."), r.next() == '[':
			q.segments = append(q.segments, segment{false, r.selectors()})
		default:
			r.at = end
			return q
		}
	}
	return q
}

// selectors reads a name, a wildcard, or a list in brackets.
func (r *reader) selectors() []selector {
	if !r.take("[") {
		if r.take("*") {
			return []selector{{kind: selectWildcard}}
		}
		return []selector{{kind: selectName, name: r.name()}}
	}
	list := []selector{r.selector()}
	for !r.failed && r.take(",") {
		list = append(list, r.selector())
	}
	r.need("]")
	return list
}

func (r *reader) name() string {
	name := r.span(func(c byte) bool { return c == '_' || c >= utf8.RuneSelf || isLetter(c) || isDigit(c) })
	if name == "" {
		r.failed = true
	}
	return name
}

func (r *reader) selector() selector {
	switch {
	case r.take("*"):
		return selector{kind: selectWildcard}
	case r.take("?"):
		return selector{kind: selectFilter, filter: r.or()}
	case r.next() == '"' || r.next() == '\'':
		return selector{kind: selectName, name: r.quoted()}
	}
	first := r.integer()
	if !r.take(":") {
		if first == nil {
			r.failed = true
			return selector{}
		}
		return selector{kind: selectIndex, index: *first}
	}
	s := slice{start: first, end: r.integer()}
	if r.take(":") {
		s.step = r.integer()
	}
	return selector{kind: selectSlice, slice: s}
}

func (r *reader) integer() *int64 {
	r.blank()
	text := r.span(func(c byte) bool { return c == '-' || isDigit(c) })
	if text == "" {
		return nil
	}
	i, err := strconv.ParseInt(text, 10, 64)
	r.failed = r.failed || err != nil
	return &i
}

func (r *reader) quoted() string {
	quote := r.next()
	r.at++
	var b strings.Builder
	for r.at < len(r.text) && r.text[r.at] != quote {
		if c := r.text[r.at]; c != '\\' {
			b.WriteByte(c)
			r.at++
			continue
		}
		b.WriteRune(r.escape())
	}
	r.need(string(quote))
	return b.String()
}

func (r *reader) escape() rune {
	if r.at += 2; r.at > len(r.text) {
		r.at, r.failed = len(r.text), true
		return 0
	}
	switch c := r.text[r.at-1]; c {
	case 'b', 'f', 'n', 'r', 't':
		return rune("\b\f\n\r\t"[strings.IndexByte("bfnrt", c)])
	case 'u':
		first := r.hex()
		if !utf16.IsSurrogate(first) {
			return first
		}
		if strings.HasPrefix(r.text[r.at:], `\u`) {
			r.at += 2
		}
		return utf16.DecodeRune(first, r.hex())
	default:
		return rune(c)
	}
}

func (r *reader) hex() rune {
	end := min(r.at+4, len(r.text))
	code, err := strconv.ParseUint(r.text[r.at:end], 16, 16)
	r.at, r.failed = end, r.failed || err != nil
	return rune(code)
}

func (r *reader) or() logical {
	list := either{r.and()}
	for !r.failed && r.take("||") {
		list = append(list, r.and())
	}
	if len(list) == 1 {
		return list[0]
	}
	return list
}

func (r *reader) and() logical {
	list := both{r.basic()}
	for !r.failed && r.take("&&") {
		list = append(list, r.basic())
	}
	if len(list) == 1 {
		return list[0]
	}
	return list
}

// basic reads a test, a comparison, or an expression in parentheses.
func (r *reader) basic() logical {
	if r.next() == '!' {
		r.at++
		return not{r.basic()}
	}
	if r.take("(") {
		inner := r.or()
		r.need(")")
		return inner
	}
	left := r.operand()
	if r.failed {
		return nil
	}
	for _, operator := range comparisons {
		if r.take(operator) {
			return comparison{left, operator, r.operand()}
		}
	}
	test, ok := left.(logical)
	r.failed = r.failed || !ok
	return test
}

// comparisons lists operators, longer ones before their prefixes.
var comparisons = []string{"==", "!=", "<=", ">=", "<", ">"}

// operand reads an operand of a comparison, a test or an argument.
func (r *reader) operand() operand {
	switch c := r.next(); {
	case c == '$' || c == '@':
		return r.query()
	case c == '"' || c == '\'':
		return literal{r.quoted()}
	case c == '-' || isDigit(c):
		return literal{model.Number(r.span(func(c byte) bool { return isDigit(c) || strings.IndexByte("+-.eE", c) >= 0 }))}
	}
	name := r.name()
	switch name {
	case "true", "false":
		return literal{name == "true"}
	case "null":
		return literal{nil}
	}
	if !slices.Contains(functions, name) {
		r.failed = true
		return nil
	}
	r.need("(")
	f := function{name: name, arguments: []operand{r.operand()}}
	for !r.failed && r.take(",") {
		f.arguments = append(f.arguments, r.operand())
	}
	r.need(")")
	return f
}

func isDigit(c byte) bool  { return c >= '0' && c <= '9' }
func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }
