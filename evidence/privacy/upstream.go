package privacy

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// upstreamMarkers are searched for in this order.
var upstreamMarkers = [...]string{
	"authorization: bearer ", "authorization: ", "token=", "key=", "bearer ", "api_key=", "apikey=",
	"secret=", "password=", "session=", "cookie=", "x-api-key:", "x-token:",
}

// upstreamSubject redacts a subject like the reference implementation: a home folder at the start, or /Users/
// anywhere, removes everything before it, and text after the first marker found is cut. The reference searches the
// lower-case text and cuts the original at the same offset, although lower case can have another length. Where that
// fails, upstreamSubject cuts before the marker.
func upstreamSubject(text string) string {
	text = upstreamHome(text)
	folded := upstreamLower(text)
	for _, marker := range upstreamMarkers {
		i := strings.Index(folded, marker)
		if i < 0 {
			continue
		}
		if end := i + len(marker); startsRune(text, end) {
			return text[:end] + stars
		}
		for i = min(i, len(text)); !startsRune(text, i); {
			i--
		}
		return text[:i] + stars
	}
	return text
}

func startsRune(text string, i int) bool {
	return i == len(text) || i < len(text) && utf8.RuneStart(text[i])
}

func upstreamHome(text string) string {
	slashed := strings.ReplaceAll(text, `\`, "/")
	if !strings.HasPrefix(slashed, "/home/") && !strings.Contains(slashed, "/Users/") {
		return text
	}
	segments := strings.Split(slashed, "/")
	for i, segment := range segments[:len(segments)-1] {
		if segment == "Users" || segment == "home" {
			return "~/**/" + strings.Join(segments[i+2:], "/")
		}
	}
	return text
}

// upstreamLower converts to lower case like the reference's language, where U+0130 becomes two characters.
func upstreamLower(text string) string {
	var b strings.Builder
	b.Grow(len(text))
	for _, r := range text {
		if r == '\u0130' {
			b.WriteString("i\u0307")
			continue
		}
		b.WriteRune(unicode.ToLower(r))
	}
	return b.String()
}
