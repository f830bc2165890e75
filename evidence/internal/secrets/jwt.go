package secrets

// jwt hangs at the J of the first part. No second match is looked for in a first part in
// which one has failed: all share its end, and what follows it.
func (s *Scanner) jwt(text []byte, i int) (m match, ok bool) {
	start := i - 2
	if i < s.deadJWT || start < 0 || text[start] != 'e' || text[start+1] != 'y' || !s.free(text, ruleJWT, start) {
		return m, false
	}
	first := run(text, i+1, isURL)
	if end, ok := jwtRest(text, i+1, first); ok {
		return whole(ruleJWT, start, end), true
	}
	s.deadJWT = first
	return m, false
}

// jwtRest is the end of a token whose first part, from i on, ends at first.
func jwtRest(text []byte, i, first int) (end int, ok bool) {
	const least = 10
	second := first + len(".eyJ")
	if first-i < least || second > len(text) || string(text[first:second]) != ".eyJ" {
		return 0, false
	}
	dot := run(text, second, isURL)
	if dot-second < least || dot >= len(text) || text[dot] != '.' {
		return 0, false
	}
	return lastEdge(text, dot+1+least, run(text, dot+1, isURL))
}
