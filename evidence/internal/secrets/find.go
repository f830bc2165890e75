package secrets

// anchors are the bytes at which something may hang.
var anchors = func() (of [256]bool) {
	for _, c := range []byte("-_IJz=:/\\ \t\n\f\r") {
		of[c] = true
	}
	return of
}()

// hidden is a part of a text that becomes three stars, and because of which rule. There may
// be as many as a text has words, so they are small.
type hidden struct {
	start, end int32
	rule       uint8
}

func hide(rule uint8, start, end int) hidden { return hidden{int32(start), int32(end), rule} }

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
		if !anchors[c] || s.idle(text, i, c) {
			continue
		}
		s.shape(text, i, c)
		if !shapesOnly {
			s.mark(text, i, c)
		}
	}
}

// idle says that nothing hangs at a byte: most blanks, what a step before has hidden, and
// what can only be of a home folder, which it notes.
func (s *Scanner) idle(text []byte, i int, c byte) bool {
	switch c {
	case ' ', '\t', '\n', '\f', '\r':
		return i == 0 || lower(text[i-1]) != 'r'
	case '=':
		return starred(text, i+1)
	case '/':
		s.homes = s.homes || i+1 < len(text) && (text[i+1] == 'h' || text[i+1] == 'U' || text[i+1] == 'r')
		return i == 0 || text[i-1] != '/'
	case '\\':
		s.homes = true
		return true
	}
	return false
}

// shape looks for the rules of the table that hang at a byte. Mostly the byte before tells
// that there is none.
func (s *Scanner) shape(text []byte, i int, c byte) {
	if i == 0 {
		return
	}
	before := text[i-1]
	switch c {
	case '-':
		s.hyphen(text, i, before)
	case '_':
		if before == 'k' {
			s.match(s.stripe(text, i))
		} else if i > 1 && text[i-2] == 'h' {
			s.match(s.gitHub(text, i))
		}
	case 'I':
		if before == 'K' || before == 'S' {
			s.match(s.aws(text, i))
		}
	case 'J':
		if before == 'y' {
			s.match(s.jwt(text, i))
		}
	case 'z':
		if before == 'I' {
			s.match(s.google(text, i))
		}
	case '=', ':':
		s.assigned(text, i, c)
	case ' ', '\t', '\n', '\f', '\r':
		s.match(s.bearer(text, i))
	}
}

// hyphen looks for the rules that hang at a hyphen.
func (s *Scanner) hyphen(text []byte, i int, before byte) {
	switch {
	case before == 'k':
		s.match(s.openAI(text, i))
	case before == '-' && i+1 < len(text) && text[i+1] == 'B':
		s.match(s.pem(text, i))
	case i > 1 && text[i-2] == 'x':
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
		s.last[m.hidden.rule] = int(m.end)
		s.matches = append(s.matches, m)
	}
}

// mark looks for markers, flags and user parts of URLs.
func (s *Scanner) mark(text []byte, i int, c byte) {
	switch c {
	case '=':
		s.assignmentMarker(text, i)
	case ':':
		s.colonMarker(text, i)
		s.homes = s.homes || i > 0 && i+1 < len(text) && text[i+1] == '/'
	case ' ', '\t':
		if endsFold(text, i, "bearer") && !alnumAt(text, i-len("bearer")-1) {
			s.hideValue(text, ruleMarker, i)
		}
	case '-':
		if i+1 < len(text) && (text[i+1] == '-' || text[i+1] == 'p') {
			s.flag(text, i)
		}
	case '/':
		s.userinfo(text, i)
	}
}
