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

// excerpt returns the escaped part of a value around bytes start to end of its text; for a
// non-string value (both 0), the start of its JSON. name and hide are those of Options.Hide.
func excerpt(v oatf.Value, start, end int, name string, hide func(name, text string) [][2]int) string {
	text, ok := v.(string)
	if !ok {
		text = string(value.Text(nil, v))
	}
	if hide != nil {
		text, start, end = hidden(text, start, end, hide(name, text))
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

// stars stands in evidence for text that is hidden.
const stars = "***"

// hidden returns a text with stars in place of ranges, and where its bytes start to end are then. A match that
// begins or ends inside a range covers its stars.
func hidden(text string, start, end int, ranges [][2]int) (shown string, from, to int) {
	var b strings.Builder
	from, to = start, end
	at := 0
	for _, r := range ranges {
		b.WriteString(text[at:r[0]])
		at = r[1]
		switch {
		case r[1] <= start:
			from += len(stars) - (r[1] - r[0])
		case r[0] < start:
			from = b.Len()
		}
		switch {
		case r[1] <= end:
			to += len(stars) - (r[1] - r[0])
		case r[0] < end:
			to = b.Len() + len(stars)
		}
		b.WriteString(stars)
	}
	b.WriteString(text[at:])
	return b.String(), from, to
}

// lastName returns the last name of a path: "b" of "a[1].b[0]".
func lastName(path string) string {
	name := path[strings.LastIndexByte(path, '.')+1:]
	name, _, _ = strings.Cut(name, "[")
	return name
}

// window truncates a text to most code points and ellipses, centered on start to end, or at its
// start if that is longer.
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
