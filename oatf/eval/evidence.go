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

// evidenceLength is the length of an excerpt in a verdict, in code points, including escapes and ellipses.
const evidenceLength = 200

// excerpt returns an escaped excerpt of a value around bytes start to end of its text, or the start of its JSON for
// a non-string value.
func excerpt(v oatf.Value, start, end int) string {
	text, ok := v.(string)
	if !ok {
		text = string(value.Text(nil, v))
	}
	for most := evidenceLength; ; {
		shown := escaped(window(text, start, end, most))
		length := utf8.RuneCountInString(shown)
		if length <= evidenceLength {
			return strings.Clone(shown) // the message can be large and can change
		}
		most = min(most-1, most*evidenceLength/length)
	}
}

// window shortens a text to most code points plus ellipses, centered on start to end, or from start if that range
// is longer.
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

// escaped returns a text on one line. Invisible characters and those that terminals interpret become JSON escapes.
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
