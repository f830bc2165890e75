package secrets

import "bytes"

// A match is where a rule of the table matches: what it takes, and of that what is hidden.
type match struct {
	start, end int32 // as RE2 has it; of the two last rules, up to the value
	hidden     hidden
}

// free says whether a word that starts at i can be a rule's match: one that lies in the
// match before is none, and is not to be read again.
func (s *Scanner) free(text []byte, rule, i int) bool {
	return i >= s.last[rule] && wordEdge(text, i)
}

// Each of the following looks for one rule whose rare byte stands at i.

// aws hangs at the I.
func (s *Scanner) aws(text []byte, i int) (m match, ok bool) {
	start := i - 2
	if start < 0 || text[start] != 'A' || (text[i-1] != 'K' && text[i-1] != 'S') || i+1 >= len(text) || text[i+1] != 'A' || !s.free(text, ruleAWS, start) {
		return m, false
	}
	end := i + 2 + 16
	return whole(ruleAWS, start, end), run(text, i+2, isUpper) >= end && wordEdge(text, end)
}

// gitHub hangs at the underscore.
func (s *Scanner) gitHub(text []byte, i int) (m match, ok bool) {
	start := i - 3
	if start < 0 || text[start] != 'g' || text[start+1] != 'h' || bytes.IndexByte([]byte("pousr"), text[start+2]) < 0 || !s.free(text, ruleGitHub, start) {
		return m, false
	}
	end, ok := lastEdge(text, i+1+36, run(text, i+1, isAlnum))
	return whole(ruleGitHub, start, end), ok
}

// openAI hangs at the first hyphen. What may follow it takes in "proj-".
func (s *Scanner) openAI(text []byte, i int) (m match, ok bool) {
	start := i - 2
	if start < 0 || text[start] != 's' || text[start+1] != 'k' || !s.free(text, ruleOpenAI, start) {
		return m, false
	}
	end, ok := lastEdge(text, i+1+20, run(text, i+1, isURL))
	return whole(ruleOpenAI, start, end), ok
}

// slack hangs at the hyphen.
func (s *Scanner) slack(text []byte, i int) (m match, ok bool) {
	start := i - 4
	if start < 0 || string(text[start:start+3]) != "xox" || bytes.IndexByte([]byte("baprs"), text[start+3]) < 0 || !s.free(text, ruleSlack, start) {
		return m, false
	}
	end := i + 1
	for end < len(text) && (is(text[end], isAlnum) || text[end] == '-') {
		end++
	}
	end, ok = lastEdge(text, i+1+10, end)
	return whole(ruleSlack, start, end), ok
}

// google hangs at the z.
func (s *Scanner) google(text []byte, i int) (m match, ok bool) {
	start := i - 2
	if start < 0 || text[start] != 'A' || text[start+1] != 'I' || i+1 >= len(text) || text[i+1] != 'a' || !s.free(text, ruleGoogle, start) {
		return m, false
	}
	end := i + 2 + 35
	return whole(ruleGoogle, start, end), runTo(text, i+2, end, isURL) && wordEdge(text, end)
}

// stripe hangs at the first underscore.
func (s *Scanner) stripe(text []byte, i int) (m match, ok bool) {
	start := i - 2
	if start < 0 || text[start+1] != 'k' || (text[start] != 's' && text[start] != 'p') || !s.free(text, ruleStripe, start) {
		return m, false
	}
	const mode = "live_" // or test_
	from := i + 1 + len(mode)
	if from > len(text) || (string(text[i+1:from]) != mode && string(text[i+1:from]) != "test_") {
		return m, false
	}
	end, ok := lastEdge(text, from+16, run(text, from, isAlnum))
	return whole(ruleStripe, start, end), ok
}

const (
	pemBegin = "-----BEGIN "
	pemEnd   = "-----END "
	pemName  = "PRIVATE KEY"
	pemDash  = "-----"
)

// pem hangs at the last hyphen before the B.
func (s *Scanner) pem(text []byte, i int) (m match, ok bool) {
	start := i - len(pemDash) + 1
	if start < s.last[rulePEM] || !bytes.HasPrefix(text[start:], []byte(pemBegin)) {
		return m, false
	}
	end, ok := pemLine(text, start+len(pemBegin))
	return whole(rulePEM, start, end), ok
}

// pemLine is the end of a line of a key whose name begins at i.
func pemLine(text []byte, i int) (end int, ok bool) {
	name := run(text, i, isPEM)
	return name + len(pemDash), bytes.HasSuffix(text[i:name], []byte(pemName)) && bytes.HasPrefix(text[name:], []byte(pemDash))
}

// bearer hangs at the white space.
func (s *Scanner) bearer(text []byte, i int) (m match, ok bool) {
	const word = "bearer"
	start := i - len(word)
	if !endsFold(text, i, word) || !s.free(text, ruleBearer, start) {
		return m, false
	}
	end, runes := bearerRun(text, run(text, i, isSpace))
	if runes < 20 {
		return m, false
	}
	for end < len(text) && text[end] == '=' {
		end++
	}
	return whole(ruleBearer, start, end), true
}

// bearerRun is the end of a token that begins at i, and its length in runes. RE2's letters
// without regard to case are two more than ASCII's.
func bearerRun(text []byte, i int) (end, runes int) {
	for i < len(text) {
		switch {
		case is(text[i], isBearer):
			i++
		case bytes.HasPrefix(text[i:], []byte(longS)):
			i += len(longS)
		case bytes.HasPrefix(text[i:], []byte(kelvin)):
			i += len(kelvin)
		default:
			return i, runes
		}
		runes++
	}
	return i, runes
}

// query hangs at the equals sign. Its value ends as that of a marker.
func (s *Scanner) query(text []byte, i int) (m match, ok bool) {
	start, ok := queryName(text, i)
	if !ok || starred(text, i+1) || !holds(text, i+1, 6, endsQuery) {
		return m, false
	}
	return value(ruleQuery, start, i+1, s.unquotedEnd(text, i+1)), true
}

func endsQuery(c byte) bool { return is(c, isSpace) || isQuote(c) || c == '&' || c == '#' }

// queryName is where the name of a query parameter starts that ends at i > 0.
func queryName(text []byte, i int) (start int, ok bool) {
	switch lower(text[i-1]) {
	case 'n':
		return prefixed(text, i, "token", "access", "refresh")
	case 'g':
		start, ok = endsRE2(text, i, "sig")
	case 'e':
		start, ok = endsRE2(text, i, "signature")
	}
	return start, ok && wordEdge(text, start)
}

// prefixed is where a name starts that ends at i: one of the first words, a hyphen or an
// underscore or nothing, and the last word.
func prefixed(text []byte, i int, last string, first ...string) (start int, ok bool) {
	i, ok = endsRE2(text, i, last)
	if !ok {
		return 0, false
	}
	if i > 0 && (text[i-1] == '-' || text[i-1] == '_') {
		i--
	}
	for _, word := range first {
		if start, ok := endsRE2(text, i, word); ok && wordEdge(text, start) {
			return start, true
		}
	}
	return 0, false
}

// assignment hangs at the equals sign or the colon; the name ends at word, before white
// space. Its value ends as that of a marker.
func (s *Scanner) assignment(text []byte, word, i int) (m match, ok bool) {
	start, ok := assignmentName(text, word)
	if !ok {
		return m, false
	}
	from := run(text, i+1, isSpace)
	if starred(text, from) || !holds(text, from, 6, endsAssignment) {
		return m, false
	}
	return value(ruleAssignment, start, from, s.unquotedEnd(text, from)), true
}

func endsAssignment(c byte) bool { return is(c, isSpace) || isQuote(c) }

// assignmentName is where the name of a credential starts that ends at i > 0.
func assignmentName(text []byte, i int) (start int, ok bool) {
	switch lower(text[i-1]) {
	case 'y':
		return prefixed(text, i, "key", "api", "access")
	case 't':
		if start, ok := prefixed(text, i, "secret", "client"); ok {
			return start, true
		}
		start, ok = endsRE2(text, i, "secret")
	case 'n':
		start, ok = endsRE2(text, i, "token")
	case 'd':
		if start, ok = endsRE2(text, i, "password"); !ok {
			start, ok = endsRE2(text, i, "passwd")
		}
	}
	return start, ok && wordEdge(text, start)
}

// whole is a match that is hidden as a whole.
func whole(rule uint8, start, end int) match {
	return match{int32(start), int32(end), hide(rule, start, end)}
}

// value is a match of which only the value is hidden.
func value(rule uint8, start, from, end int) match {
	return match{int32(start), int32(from), hide(rule, from, end)}
}

// runTo says whether all bytes from i to end are of a class.
func runTo(text []byte, i, end int, class byte) bool {
	for ; i < end; i++ {
		if i >= len(text) || !is(text[i], class) {
			return false
		}
	}
	return true
}

// lastEdge is the last \b from least to end: what a greedy run before a \b ends at.
func lastEdge(text []byte, least, end int) (int, bool) {
	for ; end >= least; end-- {
		if wordEdge(text, end) {
			return end, true
		}
	}
	return 0, false
}
