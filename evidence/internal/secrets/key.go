package secrets

import "bytes"

// hideKey hides a private key whose first line matches: up to the end of its last line. A
// key that has lost that ends where its words are no base64 of some length any more.
func (s *Scanner) hideKey(text []byte, m match) {
	first := int(m.end)
	if int(m.start) < s.keys {
		return
	}
	end, ok := s.keyEnd(text, first)
	if !ok {
		end = bodyEnd(text, first)
	}
	s.keys = end
	s.marks = append(s.marks, hide(rulePEM, int(m.start), end))
}

// keyEnd is the end of the first last line of a private key from i on.
func (s *Scanner) keyEnd(text []byte, i int) (end int, ok bool) {
	for !s.keyless {
		n := bytes.Index(text[i:], []byte(pemEnd))
		if n < 0 {
			s.keyless = true
			break
		}
		i += n + len(pemEnd)
		if end, ok := pemLine(text, i); ok {
			return end, true
		}
	}
	return 0, false
}

// bodyEnd is the end of the words from i on that may be a key's base64. Where lines end, a
// text that is quoted itself has \n.
func bodyEnd(text []byte, i int) int {
	const least = 20
	for {
		word := run(text, i, isSpace)
		end := word
		for end < len(text) && (is(text[end], isAlnum) || bytes.IndexByte([]byte(`+/=\`), text[end]) >= 0) {
			end++
		}
		if end-word < least {
			return i
		}
		i = end
	}
}
