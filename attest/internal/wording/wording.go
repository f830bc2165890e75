// Package wording formats names and values for explanations and errors.
package wording

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/cupel-dev/cupel/internal/say"
	"github.com/cupel-dev/cupel/internal/strictjson"
	"github.com/cupel-dev/cupel/internal/suggest"
)

// maxQuoted limits a value in an explanation, in code points, because clients read lines with small buffers.
const maxQuoted = 200

// MaxListed limits the names in a list.
const MaxListed = 10

// Preview shortens a value and replaces line breaks.
func Preview(s string) string { return OneLine(say.Clip(s, maxQuoted)) }

// OneLine replaces control characters by spaces.
func OneLine(s string) string {
	if isPlain(s) {
		return s
	}
	return strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f || r == 0x2028 || r == 0x2029 {
			return ' '
		}
		return r
	}, s)
}

// isPlain reports whether s is printable ASCII, as nearly all names are.
func isPlain(s string) bool {
	for i := range len(s) {
		if s[i] < ' ' || s[i] >= 0x7f {
			return false
		}
	}
	return true
}

// Quote puts a value in single quotes, as the specification does.
func Quote(s string) string { return "'" + Preview(s) + "'" }

const maxExcerpt = 160

// Excerpt returns the beginning of a text, in single quotes.
func Excerpt(s string) string { return "'" + OneLine(say.Clip(s, maxExcerpt)) + "'" }

// QuoteList is ['a', 'b'], cut to size.
func QuoteList(names []string) string {
	var b strings.Builder
	b.WriteByte('[')
	WriteList(&b, len(names), func(i int) string { return Quote(names[i]) })
	b.WriteByte(']')
	return b.String()
}

// Help converts a protocol error's guidance to a hint: its last line without capital and full stop.
func Help(detail string) string {
	line := strings.TrimSuffix(detail[strings.LastIndexByte(detail, '\n')+1:], ".")
	if abbreviation := len(line) > 1 && isCapital(line[1]); line == "" || !isCapital(line[0]) || abbreviation {
		return line
	}
	return strings.ToLower(line[:1]) + line[1:]
}

func isCapital(c byte) bool { return 'A' <= c && c <= 'Z' }

// IndexList is [1, 2], cut to size.
func IndexList(indexes []int32) string {
	var b strings.Builder
	b.WriteByte('[')
	WriteList(&b, len(indexes), func(i int) string { return strconv.Itoa(int(indexes[i])) })
	b.WriteByte(']')
	return b.String()
}

func WriteList(b *strings.Builder, n int, item func(int) string) {
	for i := range n {
		if i > 0 {
			b.WriteString(", ")
		}
		if i == MaxListed && n > MaxListed+1 {
			b.WriteString("… (" + strconv.Itoa(n) + " in all)")
			return
		}
		b.WriteString(item(i))
	}
}

// ShowValue formats a JSON value for an explanation: strings in single quotes, the rest as written.
func ShowValue(n strictjson.Node) string {
	if s, ok := n.Text(); ok {
		return Quote(s)
	}
	return PreviewRaw(n.Raw())
}

// PreviewRaw is Preview for raw JSON; it copies only the shown part.
func PreviewRaw(raw []byte) string {
	return Preview(string(raw[:min(len(raw), (maxQuoted+1)*utf8.UTFMax)]))
}

// Column returns the 1-based column, in code points, of a byte offset in s.
func Column(s string, offset int) int { return utf8.RuneCountInString(s[:offset]) + 1 }

func JoinNames(names []string) string { return strings.Join(names, ", ") }

// DidYouMean returns a suggestion in parentheses, or "".
func DidYouMean(name string, candidates []string) string {
	if near := suggest.Nearest(name, candidates); near != "" {
		return Meant(near)
	}
	return ""
}

// Meant returns the question whether a name was meant, to append to a message.
func Meant(name string) string { return " (did you mean " + Quote(name) + "?)" }
