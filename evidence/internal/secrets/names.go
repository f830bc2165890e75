package secrets

import (
	"maps"
	"slices"
	"unicode"
	"unicode/utf8"
)

// forbiddenNames are names of members whose values are secrets.
var forbiddenNames = map[string]bool{
	"token": true, "accesstoken": true, "refreshtoken": true, "authtoken": true, "idtoken": true,
	"sessiontoken": true, "password": true, "passwd": true, "apikey": true, "secret": true,
	"clientsecret": true, "secretkey": true, "authorization": true, "credential": true,
	"credentials": true, "privatekey": true, "secretaccesskey": true,
}

// ForbiddenNames returns the names that [ForbiddenName] is about, sorted.
func ForbiddenNames() []string { return slices.Sorted(maps.Keys(forbiddenNames)) }

// longestName is the longest of them.
const longestName = len("secretaccesskey")

// ForbiddenName says whether a member's name, in lower case and without '_', '-' and
// blanks, is one of the 17 whose values are secrets.
func ForbiddenName(name []byte) bool {
	var plain [longestName]byte
	n := 0
	for len(name) > 0 {
		r, size := utf8.DecodeRune(name)
		name = name[size:]
		if r == '_' || r == '-' || r == ' ' {
			continue
		}
		r = unicode.ToLower(r) // of U+212A that is a k
		if r >= utf8.RuneSelf || n == len(plain) {
			return false
		}
		plain[n] = byte(r)
		n++
	}
	return forbiddenNames[string(plain[:n])]
}
