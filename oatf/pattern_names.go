package oatf

import "strings"

// The spellings that the format prescribes. They are matched by hand: compiling the
// regular expressions would cost more than most documents.

// isName says whether s matches [a-z][a-z0-9_]* (protocols, actors, extractors).
func isName(s string) bool {
	return s != "" && isLower(s[0]) && strings.Trim(s, lowerNameChars) == ""
}

const lowerNameChars = "abcdefghijklmnopqrstuvwxyz0123456789_"

func isLower(c byte) bool { return c >= 'a' && c <= 'z' }
func isUpper(c byte) bool { return c >= 'A' && c <= 'Z' }
func isDigit(c byte) bool { return c >= '0' && c <= '9' }

// isMode says whether m matches [a-z][a-z0-9_]*_(server|client).
func isMode(m Mode) bool {
	protocol := ExtractProtocol(m)
	return protocol != Protocol(m) && isName(string(protocol))
}

// isAttackID says whether s matches ^[A-Z][A-Z0-9-]*-[0-9]{3,}$.
func isAttackID(s string) bool {
	dash := strings.LastIndexByte(s, '-')
	return dash > 0 && isUpper(s[0]) && all(s[:dash], func(c byte) bool { return isUpper(c) || isDigit(c) || c == '-' }) &&
		len(s)-dash-1 >= 3 && all(s[dash+1:], isDigit)
}

// isIndicatorID says whether s is an attack's id with a number of two or more digits.
func isIndicatorID(s, attackID string) bool {
	number, ok := strings.CutPrefix(s, attackID+"-")
	return ok && isAttackID(attackID) && len(number) >= 2 && all(number, isDigit)
}

// isCELIdentifier says whether s matches ^[_a-zA-Z][_a-zA-Z0-9]*$.
func isCELIdentifier(s string) bool {
	letter := func(c byte) bool { return c == '_' || isLower(c) || isUpper(c) }
	return s != "" && letter(s[0]) && all(s, func(c byte) bool { return letter(c) || isDigit(c) })
}

func all(s string, is func(byte) bool) bool {
	for i := range len(s) {
		if !is(s[i]) {
			return false
		}
	}
	return true
}
