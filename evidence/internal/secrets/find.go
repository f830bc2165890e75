package secrets

// anchors are the bytes at which something may hang.
var anchors = func() (of [256]bool) {
	for _, c := range []byte("-_IJz=:/\\ \t\n\f\r") {
		of[c] = true
	}
	return of
}()

// hidden is a part of a text that becomes three stars, and because of which rule.
type hidden struct {
	start, end int
	rule       uint8
}

// found is what a pass over a text has found, and what it remembers so that it looks at
// nothing twice.
type found struct {
	marks   []hidden // values of markers and flags, user parts of URLs
	matches []match  // of the rules of the table
	homes   bool     // something may be a home folder

	last     [shapes]int // where the last match of a rule ended; values may hold another
	deadJWT  int         // no token starts before
	value    [2]int      // the last value without quotes
	header   int         // the end of the last authorization header's value
	line     int         // the end of its line
	quotes   quotes      // the quotes up to the last header that needed them
	command  int         // how far a command with a -p was looked for
	password bool        // and that there was one
	keyless  bool        // no private key ends from here on
	keys     int         // where the last private key ended
}

// find looks for everything in a text; of the rules of the table alone when shapesOnly.
func (s *Scanner) find(text []byte, shapesOnly bool) {
	s.found = found{marks: s.marks[:0], matches: s.matches[:0]}
	for i, c := range text {
		if !anchors[c] {
			continue
		}
		s.shape(text, i, c)
		if !shapesOnly {
			s.mark(text, i, c)
		}
	}
}

// shape looks for the rules of the table that hang at a byte.
func (s *Scanner) shape(text []byte, i int, c byte) {
	switch c {
	case '-':
		s.hyphen(text, i)
	case '_':
		s.match(s.gitHub(text, i))
		s.match(s.stripe(text, i))
	case 'I':
		s.match(s.aws(text, i))
	case 'J':
		s.match(s.jwt(text, i))
	case 'z':
		s.match(s.google(text, i))
	case '=', ':':
		s.assigned(text, i, c)
	case ' ', '\t', '\n', '\f', '\r':
		s.match(s.bearer(text, i))
	}
}

// hyphen looks for the rules that hang at a hyphen.
func (s *Scanner) hyphen(text []byte, i int) {
	if i == 0 || i+1 == len(text) {
		return
	}
	switch {
	case text[i-1] == 'k':
		s.match(s.openAI(text, i))
	case text[i-1] == '-' && text[i+1] == 'B':
		s.match(s.pem(text, i))
	default:
		s.match(s.slack(text, i))
	}
}

// assigned looks for the name of a query parameter or of a credential before an equals
// sign or a colon.
func (s *Scanner) assigned(text []byte, i int, c byte) {
	word := i
	for word > 0 && is(text[word-1], isSpace) {
		word--
	}
	if word == 0 || !nameEnds[text[word-1]] {
		return
	}
	if c == '=' && word == i {
		s.match(s.query(text, i))
	}
	s.match(s.assignment(text, word, i))
}

// nameEnds are the last letters of those names.
var nameEnds = func() (of [256]bool) {
	for _, c := range []byte("degntyDEGNTY") {
		of[c] = true
	}
	return of
}()

// match takes a match down.
func (s *Scanner) match(m match, ok bool) {
	if ok {
		s.last[m.rule] = m.end
		s.matches = append(s.matches, m)
	}
}

// mark looks for markers, flags, user parts of URLs and traces of home folders.
func (s *Scanner) mark(text []byte, i int, c byte) {
	switch c {
	case '=':
		s.assignmentMarker(text, i)
	case ':':
		s.colonMarker(text, i)
		s.homes = s.homes || i > 0 && i+1 < len(text) && text[i+1] == '/'
	case ' ', '\t':
		if endsFold(text, i, "bearer") && !alnumAt(text, i-len("bearer")-1) {
			s.hide(text, ruleMarker, i)
		}
	case '-':
		s.flag(text, i)
	case '/':
		s.userinfo(text, i)
		s.homes = s.homes || i+1 < len(text) && (text[i+1] == 'h' || text[i+1] == 'U' || text[i+1] == 'r')
	case '\\':
		s.homes = true
	}
}
