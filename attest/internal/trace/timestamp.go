package trace

import "time"

// isRFC3339 reports whether s is an RFC 3339 §5.6 date-time. time.Parse alone also accepts
// one-digit hours and a comma before the fraction.
func isRFC3339(s string) bool {
	const shape = "dddd-dd-ddTdd:dd:dd"
	if len(s) <= len(shape) {
		return false
	}
	for i, c := range []byte(shape) {
		switch {
		case c == 'd' && !isDigit(s[i]), c == 'T' && s[i]|0x20 != 't', c != 'd' && c != 'T' && c != s[i]:
			return false
		}
	}
	day := s[:len("dddd-dd-dd")]
	if _, err := time.Parse(time.DateOnly, day); err != nil {
		return false
	}
	clock := s[len("dddd-dd-ddT"):len(shape)]
	if clock[:2] > "23" || clock[3:5] > "59" || clock[6:] > "60" { // 60: a leap second
		return false
	}
	rest := s[len(shape):]
	if rest[0] == '.' {
		digits := 1
		for digits < len(rest) && isDigit(rest[digits]) {
			digits++
		}
		if digits == 1 {
			return false
		}
		rest = rest[digits:]
	}
	return isOffset(rest)
}

// isOffset accepts Z, z and ±hh:mm.
func isOffset(s string) bool {
	if s == "Z" || s == "z" {
		return true
	}
	return len(s) == len("+hh:mm") && (s[0] == '+' || s[0] == '-') && s[3] == ':' &&
		isDigit(s[1]) && isDigit(s[2]) && isDigit(s[4]) && isDigit(s[5]) &&
		s[1:3] <= "23" && s[4:] <= "59"
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }
