package attest

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/cupel-dev/cupel/internal/strictjson"
)

// maxQuoted bounds how many code points of a value an explanation or a message
// repeats: clients read answers line by line with small buffers.
const maxQuoted = 200

// maxListed bounds how many names a list in an explanation shows.
const maxListed = 10

// preview cuts a value to size and keeps it on one line.
func preview(s string) string { return cut(oneLine(s), maxQuoted) }

// cut shortens s to n code points, the last of which is "…" when something is missing.
func cut(s string, n int) string {
	if len(s) <= n {
		return s
	}
	end := 0
	for i := range s {
		if n--; n == 0 {
			end = i
		} else if n < 0 {
			return s[:end] + "…"
		}
	}
	return s
}

// oneLine turns control characters into spaces.
func oneLine(s string) string {
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

// isPlain says whether s is printable ASCII, as nearly all names are.
func isPlain(s string) bool {
	for i := range len(s) {
		if s[i] < ' ' || s[i] >= 0x7f {
			return false
		}
	}
	return true
}

// quote puts a value in the single quotes of the specification's sentences.
func quote(s string) string { return "'" + preview(s) + "'" }

// quoteList is ['a', 'b'], cut to size.
func quoteList(names []string) string {
	var b strings.Builder
	b.WriteByte('[')
	writeList(&b, len(names), func(i int) string { return quote(names[i]) })
	b.WriteByte(']')
	return b.String()
}

// indexList is [1, 2], cut to size.
func indexList(indexes []int32) string {
	var b strings.Builder
	b.WriteByte('[')
	writeList(&b, len(indexes), func(i int) string { return strconv.Itoa(int(indexes[i])) })
	b.WriteByte(']')
	return b.String()
}

func writeList(b *strings.Builder, n int, item func(int) string) {
	for i := range n {
		if i > 0 {
			b.WriteString(", ")
		}
		if i == maxListed && n > maxListed+1 {
			b.WriteString("… (" + strconv.Itoa(n) + " in all)")
			return
		}
		b.WriteString(item(i))
	}
}

// showValue is a JSON value as an explanation shows it: strings in single quotes,
// the rest as written.
func showValue(n strictjson.Node) string {
	if s, ok := n.Text(); ok {
		return quote(s)
	}
	return preview(string(n.Raw()))
}

// withArticle names a kind of value in a sentence: "a string", "an object".
func withArticle(kind string) string {
	switch kind {
	case "null":
		return kind
	case "array", "object", "integer":
		return "an " + kind
	}
	return "a " + kind
}

// column is the 1-based column, in code points, of a byte offset in s.
func column(s string, offset int) int { return utf8.RuneCountInString(s[:offset]) + 1 }

func joinNames(names []string) string { return strings.Join(names, ", ") }
