package secrets

import "bytes"

// hideValue takes down the value of a marker or flag that begins at i or behind blanks.
func (s *Scanner) hideValue(text []byte, rule uint8, i int) {
	i = skipBlanks(text, i)
	if start, end := s.valueAt(text, i); start < end && !starred(text, start) {
		s.marks = append(s.marks, hide(rule, start, end))
	}
}

// skipBlanks is the first byte from i on that is no blank. A line that goes on in the next,
// as shells have it, ends in no blank.
func skipBlanks(text []byte, i int) int {
	for i < len(text) {
		switch {
		case isBlank(text[i]):
			i++
		case bytes.HasPrefix(text[i:], []byte("\\\n")):
			i += 2
		case bytes.HasPrefix(text[i:], []byte("\\\r\n")):
			i += 3
		default:
			return i
		}
	}
	return i
}

// valueAt is the value that begins at i: inside its quotes when it opens with one, to the
// line's end when that is never closed.
func (s *Scanner) valueAt(text []byte, i int) (start, end int) {
	q, ok := quoteAt(text, i)
	if !ok {
		return i, s.unquotedEnd(text, i)
	}
	start = i + q.escapes + 1
	if end, ok = q.close(text, start); !ok {
		end = lineEnd(text, start)
	}
	return start, end
}

// unquotedEnd is where a value ends that begins at i with no quote: at white space, a
// quote and the backslashes before it, & or ;.
func (s *Scanner) unquotedEnd(text []byte, i int) int {
	if s.value[0] <= i && i < s.value[1] {
		return s.value[1]
	}
	end := i
	for end < len(text) && !is(text[end], isEnd) {
		end++
	}
	if end < len(text) && isQuote(text[end]) {
		for end > i && text[end-1] == '\\' {
			end--
		}
	}
	s.value = [2]int{i, end}
	return end
}

// A quote is one that opens a value. Inside a text that is quoted itself it is escaped.
type quote struct {
	char    byte
	escapes int // the backslashes before it
}

// mostEscapes are those of a quote in a JSON string in a JSON string in a JSON string.
const mostEscapes = 7

// quoteAt is the quote that opens at i.
func quoteAt(text []byte, i int) (q quote, ok bool) {
	for i < len(text) && text[i] == '\\' && q.escapes < mostEscapes {
		i, q.escapes = i+1, q.escapes+1
	}
	if i == len(text) || !isQuote(text[i]) {
		return quote{}, false
	}
	q.char = text[i]
	return q, true
}

// close is where what the quote has opened ends, from i on. A quote with more backslashes
// belongs to what is quoted.
func (q quote) close(text []byte, i int) (end int, ok bool) {
	for from := i; ; {
		n := bytes.IndexByte(text[from:], q.char)
		if n < 0 {
			return 0, false
		}
		at := from + n
		if end, ok := q.closedBy(text, i, at); ok {
			return end, true
		}
		from = at + 1
	}
}

// closedBy says whether the quote at i closes what has begun at start, and where that ends.
func (q quote) closedBy(text []byte, start, i int) (end int, ok bool) {
	escapes := 0
	for i-escapes > start && text[i-escapes-1] == '\\' {
		escapes++
	}
	switch {
	case escapes == q.escapes:
		return i - escapes, true
	case q.escapes == 0 && escapes%2 == 0:
		return i, true
	}
	return 0, false
}
