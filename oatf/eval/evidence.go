package eval

import (
	"fmt"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/cupel-dev/cupel/internal/say"
	"github.com/cupel-dev/cupel/oatf"
	"github.com/cupel-dev/cupel/oatf/internal/value"
)

// evidenceLength is how much of a message a verdict shows, in code points, escapes and
// ellipses included.
const evidenceLength = 200

// excerpt is the part of a value around the bytes start to end of its text, escaped. Both are 0 for a value that is no string: its beginning as JSON.
func excerpt(v oatf.Value, start, end int) string {
	text, ok := v.(string)
	if !ok {
		text = string(value.Text(nil, v))
	}
	for most := evidenceLength; ; {
		shown := escaped(window(text, start, end, most))
		length := utf8.RuneCountInString(shown)
		if length <= evidenceLength {
			return strings.Clone(shown) // the message may be large, and change
		}
		most = min(most-1, most*evidenceLength/length)
	}
}

// window cuts a text to at most most code points and two ellipses: from start to end with
// as much on both sides as there is room for, or the beginning of that when it is longer.
func window(text string, start, end, most int) string {
	room := most - 2
	for i := start; i < end && room > 0; room-- {
		_, size := utf8.DecodeRuneInString(text[i:])
		if i += size; room == 1 {
			end = min(end, i)
		}
	}
	for left := room / 2; left > 0 && start > 0; left, room = left-1, room-1 {
		_, size := utf8.DecodeLastRuneInString(text[:start])
		start -= size
	}
	for ; room > 0 && end < len(text); room-- {
		_, size := utf8.DecodeRuneInString(text[end:])
		end += size
	}
	for ; room > 0 && start > 0; room-- {
		_, size := utf8.DecodeLastRuneInString(text[:start])
		start -= size
	}
	shown := text[start:end]
	if start > 0 {
		shown = say.Ellipsis + shown
	}
	if end < len(text) {
		shown += say.Ellipsis
	}
	return shown
}

// escaped is a text on one line in which what cannot be seen, or would act on a terminal, is
// an escape of JSON. What a report escapes besides stays as it is.
func escaped(text string) string {
	if !say.Acts(text) {
		return text
	}
	var b strings.Builder
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRuneInString(text[i:])
		switch {
		case !say.ActsAt(text[i:]):
			b.WriteString(text[i : i+size])
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\r':
			b.WriteString(`\r`)
		case r == '\t':
			b.WriteString(`\t`)
		default:
			for _, unit := range utf16.Encode([]rune{r}) {
				fmt.Fprintf(&b, `\u%04x`, unit)
			}
		}
		i += size
	}
	return b.String()
}
