package vocabulary

import (
	"fmt"
	"strings"

	"github.com/cupel-dev/cupel/oatf/model"
)

// Spellings prescribed by the format, matched by hand: compiling regular expressions would cost
// more than most documents.

// IsName reports whether s matches [a-z][a-z0-9_]* (protocols, actors, extractors).
func IsName(s string) bool {
	return s != "" && IsLower(s[0]) && strings.Trim(s, lowerNameChars) == ""
}

const lowerNameChars = "abcdefghijklmnopqrstuvwxyz0123456789_"

func IsLower(c byte) bool { return c >= 'a' && c <= 'z' }
func IsUpper(c byte) bool { return c >= 'A' && c <= 'Z' }
func IsDigit(c byte) bool { return c >= '0' && c <= '9' }

// IsMode reports whether m matches [a-z][a-z0-9_]*_(server|client).
func IsMode(m model.Mode) bool {
	protocol := ExtractProtocol(m)
	return protocol != model.Protocol(m) && IsName(string(protocol))
}

// IsAttackID reports whether s matches ^[A-Z][A-Z0-9-]*-[0-9]{3,}$.
func IsAttackID(s string) bool {
	dash := strings.LastIndexByte(s, '-')
	return dash > 0 && IsUpper(s[0]) && All(s[:dash], func(c byte) bool { return IsUpper(c) || IsDigit(c) || c == '-' }) &&
		len(s)-dash-1 >= 3 && All(s[dash+1:], IsDigit)
}

// IsIndicatorID reports whether s is an attack's id with a number of two or more digits.
func IsIndicatorID(s, attackID string) bool {
	number, ok := strings.CutPrefix(s, attackID+"-")
	return ok && IsAttackID(attackID) && len(number) >= 2 && All(number, IsDigit)
}

// IsCELIdentifier reports whether s matches ^[_a-zA-Z][_a-zA-Z0-9]*$.
func IsCELIdentifier(s string) bool {
	letter := func(c byte) bool { return c == '_' || IsLower(c) || IsUpper(c) }
	return s != "" && letter(s[0]) && All(s, func(c byte) bool { return letter(c) || IsDigit(c) })
}

func All(s string, is func(byte) bool) bool {
	for i := range len(s) {
		if !is(s[i]) {
			return false
		}
	}
	return true
}

// IndicatorID returns the generated id of an indicator (N-003): the attack's id and the indicator's number with at
// least two digits.
func IndicatorID(prefix string, number int) string { return fmt.Sprintf("%s-%02d", prefix, number) }

// PhaseName returns the generated name of a phase (N-001) from its number in the actor.
func PhaseName(number int) string { return fmt.Sprintf("phase-%d", number) }
