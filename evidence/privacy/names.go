package privacy

import (
	"slices"
	"unicode"
	"unicode/utf8"
)

// forbiddenNames are member names whose values are secrets, by length.
var forbiddenNames = [longestName + 1][]string{
	5:  {"token"},
	6:  {"apikey", "passwd", "secret"},
	7:  {"idtoken"},
	8:  {"password"},
	9:  {"authtoken", "secretkey"},
	10: {"credential", "privatekey"},
	11: {"accesstoken", "credentials"},
	12: {"clientsecret", "refreshtoken", "sessiontoken"},
	13: {"authorization"},
	15: {"secretaccesskey"},
}

// ForbiddenNames returns the 17 member names that the contract's reference forbids, sorted, in lower case and
// without _, - and blanks.
func ForbiddenNames() []string {
	return slices.Sorted(slices.Values(slices.Concat(forbiddenNames[:]...)))
}

const longestName = len("secretaccesskey")

func forbiddenName(name []byte) bool {
	var plain [longestName]byte
	n := 0
	for i := 0; i < len(name); {
		c, size := rune(name[i]), 1
		switch {
		case c == '_' || c == '-' || c == ' ':
			i++
			continue
		case 'A' <= c && c <= 'Z':
			c += 'a' - 'A'
		case c >= utf8.RuneSelf:
			c, size = utf8.DecodeRune(name[i:])
			c = unicode.ToLower(c) // of U+212A that is a k
		}
		if c >= utf8.RuneSelf || n == len(plain) {
			return false
		}
		plain[n] = byte(c)
		i, n = i+size, n+1
	}
	for _, forbidden := range forbiddenNames[n] {
		if forbidden[0] == plain[0] && forbidden == string(plain[:n]) {
			return true
		}
	}
	return false
}
