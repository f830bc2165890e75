package secrets

// userinfo looks for the user part of a URL whose second slash is at i. It ends at the last
// @ of the authority, since passwords may have one, too.
func (s *Scanner) userinfo(text []byte, i int) {
	if starred(text, i+1) {
		return
	}
	at := 0
	for end := i + 1; end < len(text) && !endsAuthority(text[end]); end++ {
		if text[end] == '@' {
			at = end
		}
	}
	if at > i+1 {
		s.marks = append(s.marks, hide(ruleUserinfo, i+1, at))
	}
}

func endsAuthority(c byte) bool {
	switch c {
	case '/', '\\', '?', '#', '<', '>', '"', '\'':
		return true
	}
	return c <= ' '
}
