package oatf

import "strings"

// templateReferences cuts a template string into its references (§5.5): the text between "{{"
// and the next "}}". A "\{{" is a literal "{{". unclosed says that a "{{" has no end.
func templateReferences(s string) (references []string, unclosed bool) {
	for {
		open := strings.Index(s, "{{")
		if open < 0 {
			return references, false
		}
		rest := s[open+2:]
		if open > 0 && s[open-1] == '\\' {
			s = rest
			continue
		}
		end := strings.Index(rest, "}}")
		if end < 0 {
			return references, true
		}
		references = append(references, rest[:end])
		s = rest[end+2:]
	}
}
