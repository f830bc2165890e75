package yamltext

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/cupel-dev/cupel/oatf/model"
)

// Write writes an object as block YAML that YAML 1.1 and 1.2 parsers read as the same object.
func Write(o model.Object) []byte {
	var w writer
	w.mapping(o, 0, false)
	return w.Bytes()
}

// writer uses plain scalars if unambiguous, literal blocks for multi-line text, otherwise double quotes.
type writer struct{ bytes.Buffer }

// IndentStep is the indentation of each level, in spaces.
const IndentStep = 2

// maxSimpleKey limits a quoted key before a colon (YAML allows 1024 characters). Longer keys use "?".
const maxSimpleKey = 1000

// mapping writes each member of an object on a line. An inline mapping starts on the current line.
func (w *writer) mapping(o model.Object, indent int, inline bool) {
	for i, m := range o {
		if i > 0 || !inline {
			w.indent(indent)
		}
		if key := yamlText(m.Key); len(key) <= maxSimpleKey {
			w.WriteString(key + ":")
		} else {
			w.WriteString("? " + key + "\n")
			w.indent(indent)
			w.WriteByte(':')
		}
		w.member(m.Value, indent)
	}
}

// member writes the value after a key's colon.
func (w *writer) member(v model.Value, indent int) {
	switch v := v.(type) {
	case model.Object:
		if len(v) > 0 {
			w.WriteByte('\n')
			w.mapping(v, indent+IndentStep, false)
			return
		}
	case []model.Value:
		if len(v) > 0 {
			w.WriteByte('\n')
			w.sequence(v, indent+IndentStep, false)
			return
		}
	}
	w.WriteByte(' ')
	w.scalar(v, indent+IndentStep)
}

// sequence writes each item of an array on a line. An inline sequence starts on the current line.
func (w *writer) sequence(list []model.Value, indent int, inline bool) {
	for i, item := range list {
		if i > 0 || !inline {
			w.indent(indent)
		}
		w.WriteString("- ")
		switch item := item.(type) {
		case model.Object:
			if len(item) > 0 {
				w.mapping(item, indent+IndentStep, true)
				continue
			}
		case []model.Value:
			if len(item) > 0 {
				w.sequence(item, indent+IndentStep, true)
				continue
			}
		}
		w.scalar(item, indent+IndentStep)
	}
}

func (w *writer) indent(n int) {
	const spaces = "                                                                "
	for ; n > len(spaces); n -= len(spaces) {
		w.WriteString(spaces)
	}
	w.WriteString(spaces[:n])
}

// scalar writes a scalar or an empty collection, and a line break. indent applies to the lines of a literal block.
func (w *writer) scalar(v model.Value, indent int) {
	switch v := v.(type) {
	case nil:
		w.WriteString("null")
	case bool:
		fmt.Fprint(w, v)
	case model.Number:
		w.WriteString(yamlNumber(v))
	case model.Object:
		w.WriteString("{}")
	case []model.Value:
		w.WriteString("[]")
	case string:
		if isBlockText(v) {
			w.literal(v, indent)
			return
		}
		w.WriteString(yamlText(v))
	}
	w.WriteByte('\n')
}

// yamlNumber formats a number. Invalid numbers, which Parse cannot return, are written as text.
func yamlNumber(n model.Number) string {
	if n != "" && coreValue(string(n)) == n {
		return string(n)
	}
	return yamlText(string(n))
}

// literal writes text of several lines as a literal block.
func (w *writer) literal(s string, indent int) {
	text, ends := strings.CutSuffix(s, "\n")
	if ends {
		w.WriteString("|\n")
	} else {
		w.WriteString("|-\n")
	}
	for line := range strings.SplitSeq(text, "\n") {
		if line != "" {
			w.indent(indent)
			w.WriteString(line)
		}
		w.WriteByte('\n')
	}
}

// isBlockText reports whether a literal block preserves the text: several lines, at most one final line end, no
// trailing blanks and no leading blanks that look like indentation.
func isBlockText(s string) bool {
	text := strings.TrimSuffix(s, "\n")
	if !strings.Contains(text, "\n") || strings.HasPrefix(text, "\n") || strings.HasSuffix(text, "\n") {
		return false
	}
	if text[0] == ' ' || !utf8.ValidString(s) {
		return false
	}
	for line := range strings.SplitSeq(text, "\n") {
		if strings.HasPrefix(line, "\t") || strings.HasSuffix(line, " ") || strings.HasSuffix(line, "\t") {
			return false
		}
	}
	return !strings.ContainsFunc(text, func(r rune) bool { return r != '\n' && r != '\t' && !isVisible(r) })
}

// isVisible reports whether a code point is not a control character, line separator or modifier.
func isVisible(r rune) bool {
	return r == ' ' || unicode.IsGraphic(r) && !unicode.Is(unicode.Z, r) && r != utf8.RuneError
}

// yamlText formats a string on one line: plain if unambiguous, else in double quotes.
func yamlText(s string) string {
	if isPlainText(s) {
		return s
	}
	return quoteYAML(s)
}

// Text formats a string on one line outside of brackets, unquoted if unambiguous.
func Text(s string) string { return yamlText(s) }

// Quoted formats a string in double quotes.
func Quoted(s string) string { return quoteYAML(s) }

// isPlainText reports whether a string needs no quotes: it starts with a letter or a safe character, so that no
// YAML version reads it as a number or date, and contains nothing that ends a plain scalar.
func isPlainText(s string) bool {
	first, _ := utf8.DecodeRuneInString(s)
	if !unicode.IsLetter(first) && !strings.ContainsRune(`_$/(\^`, first) || first == utf8.RuneError {
		return false
	}
	last := s[len(s)-1]
	switch {
	case last == ' ' || last == ':':
		return false
	case strings.Contains(s, ": ") || strings.Contains(s, " #"):
		return false
	case len(s) <= len("false") && slices.Contains(retyped, strings.ToLower(s)):
		return false
	}
	return utf8.ValidString(s) && !strings.ContainsFunc(s, func(r rune) bool { return !isVisible(r) })
}

// quoteYAML double-quotes a string and escapes invisible code points.
func quoteYAML(s string) string {
	var b strings.Builder
	b.Grow(len(s) + 2)
	b.WriteByte('"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\t':
			b.WriteString(`\t`)
		case r == '\r':
			b.WriteString(`\r`)
		case isVisible(r):
			b.WriteRune(r)
		case r <= 0xff:
			fmt.Fprintf(&b, `\x%02x`, r)
		case r <= 0xffff:
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			fmt.Fprintf(&b, `\U%08x`, r)
		}
	}
	b.WriteByte('"')
	return b.String()
}
