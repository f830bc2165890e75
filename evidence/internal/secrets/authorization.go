package secrets

// authorization hides the value of a header: all up to the enclosing quote or the line's
// end, but the word Bearer. Its name begins at name, its value at i or behind blanks.
func (s *Scanner) authorization(text []byte, name, i int) {
	const scheme = "bearer"
	i = skipBlanks(text, i)
	if end := i + len(scheme); hasFold(text, i, scheme) && (end == len(text) || is(text[end], isEnd)) {
		i = skipBlanks(text, end)
	}
	if i < s.header || starred(text, i) {
		return
	}
	if end := s.headerEnd(text, name, i); i < end {
		s.marks = append(s.marks, hide(ruleMarker, i, end))
		s.header = end
	}
}

// headerEnd is where a header's value that begins at i ends.
func (s *Scanner) headerEnd(text []byte, name, i int) int {
	if i > s.line {
		s.line = lineEnd(text, i)
	}
	line := text[:s.line]
	if q, ok := s.enclosing(text, name); ok {
		if end, ok := q.close(line, i); ok {
			return end
		}
	}
	return len(line)
}

// enclosing is the quote that encloses a header whose name begins at i: the one right
// before it, or the one that is open there on its line.
func (s *Scanner) enclosing(text []byte, i int) (q quote, ok bool) {
	for i > 0 && is(text[i-1], isURL) {
		i-- // Proxy-Authorization
	}
	if i > 0 && isQuote(text[i-1]) {
		return quote{text[i-1], escapesBefore(text, i-1)}, true
	}
	s.quotes.read(text, i)
	return s.quotes.open, s.quotes.inside
}

// escapesBefore counts the backslashes before i.
func escapesBefore(text []byte, i int) (n int) {
	for i-n > 0 && text[i-n-1] == '\\' {
		n++
	}
	return n
}

// quotes follow the quotes of a text up to at. A line ends them, and an apostrophe in or
// behind a word opens none.
type quotes struct {
	at     int
	open   quote
	inside bool
	from   int // where what is quoted begins
}

// read goes on to i.
func (q *quotes) read(text []byte, i int) {
	for ; q.at < i; q.at++ {
		switch c := text[q.at]; {
		case c == '\n' || c == '\r':
			q.inside = false
		case !isQuote(c):
		case q.inside:
			if c == q.open.char {
				_, closed := q.open.closedBy(text, q.from, q.at)
				q.inside = !closed
			}
		default:
			escapes := escapesBefore(text, q.at)
			if !alnumAt(text, q.at-escapes-1) {
				q.open, q.inside, q.from = quote{c, escapes}, true, q.at+1
			}
		}
	}
}
