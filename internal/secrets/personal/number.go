package personal

import (
	"bytes"
	"net/netip"
)

// Kind is a bit set of kinds of personal numbers.
type Kind uint8

// The kinds.
const (
	Mail Kind = 1 << iota
	Phone
	Card
	IBAN
	SSN
	IP
	AllKinds = Mail | Phone | Card | IBAN | SSN | IP
)

// Rules maps kinds to rule names.
var Rules = map[Kind]string{Mail: "email", Phone: "phone", Card: "payment-card", IBAN: "iban", SSN: "us-ssn", IP: "ip-address"}

// Numbers calls found for each number of the wanted kinds.
func Numbers(text []byte, wanted Kind, found func(kind Kind, start, end int)) {
	for i := 0; i < len(text); {
		c := text[i]
		if letters[c] != digitKind && c != '+' && c != '(' {
			i++
			continue
		}
		if i > 0 && (isWord(text[i-1]) || text[i-1] == '_') {
			for i < len(text) && (isWord(text[i]) || text[i] == '_') { // part of a word, such as a digest or id
				i++
			}
			if i < len(text) && !isWord(text[i]) && text[i] != '_' {
				i++
			}
			continue
		}
		kind, end := number(text, i)
		if kind != 0 && wanted&kind != 0 {
			found(kind, i, end)
		}
		i = max(end, i+1)
	}
}

// number returns the kind and end of the number at i; kind 0 for any other.
func number(text []byte, i int) (kind Kind, end int) {
	if text[i] == '+' {
		if end := international(text, i); end > 0 {
			return Phone, end
		}
		return 0, i + 1
	}
	if text[i] == '(' {
		if end := national(text, i); end > 0 {
			return Phone, end
		}
		return 0, i + 1
	}
	end = i
	groups := 0
	for end < len(text) && end-i < 40 {
		switch c := text[end]; {
		case isDigit(c):
			end++
			continue
		case (c == '-' || c == ' ' || c == '.') && end+1 < len(text) && isDigit(text[end+1]):
			groups++
			end++
			continue
		}
		break
	}
	stop := i
	for stop < len(text) && isDigit(text[stop]) {
		stop++
	}
	if end < len(text) && (isWord(text[end]) || text[end] == '_') {
		if end := address6(text, i); end > 0 {
			return IP, end
		}
		return 0, stop
	}
	whole := text[i:end]
	switch {
	case address(text, i, end):
		return IP, end
	case card(text, i, end):
		return Card, end
	case ssn(whole) && clear(text, i, end):
		return SSN, end
	case groups > 0 && clear(text, i, end) && northAmerican(whole):
		return Phone, end
	case stop-i >= 2 && clear(text, i, end) && national(text, i) > 0 && called(text, i):
		return Phone, max(end, national(text, i))
	}
	if end < len(text) && text[end] == ':' { // IPv6 that starts with a digit
		if end := address6(text, i); end > 0 {
			return IP, end
		}
	}
	if stop < len(text) && (text[stop] == ' ' || text[stop] == '\n') {
		return 0, stop // the next group can start another number
	}
	return 0, end
}

// clear reports whether a number is not part of a longer number, date, version or expression.
func clear(text []byte, start, end int) bool {
	return (start == 0 || bytes.IndexByte([]byte(".-/:#@=%"), text[start-1]) < 0 || text[start-1] == ':' && start > 1 && !isDigit(text[start-2]) || text[start-1] == '=') &&
		(end == len(text) || bytes.IndexByte([]byte("-/:%"), text[end]) < 0) && !(end+1 < len(text) && text[end] == '.' && isDigit(text[end+1]))
}

// northAmericanDigits is the number of digits after + of a number of North America.
const northAmericanDigits = 11

// international matches E.164: +, a country code and 7 to 15 digits in groups.
func international(text []byte, i int) (end int) {
	if i > 0 && (isWord(text[i-1]) || text[i-1] == '+') {
		return 0
	}
	digits, last, dots := 0, 0, 0
	for j := i + 1; j < len(text) && j-i < 30; j++ {
		c := text[j]
		if c == '.' && j+1 < len(text) && isDigit(text[j+1]) {
			dots++
		}
		if isDigit(c) {
			digits++
			last = j + 1
			continue
		}
		if c != ' ' && c != '-' && c != '.' && c != '(' && c != ')' && c != '/' || j == i+1 || text[j-1] == c {
			break
		}
	}
	if digits < 8 || digits > 15 || dots == 1 || text[i+1] == '0' || text[i+1] == '1' && digits != northAmericanDigits || last < len(text) && isWord(text[last]) {
		return 0
	}
	return last
}

// northAmerican matches 555-123-4567.
func northAmerican(number []byte) bool {
	if len(number) != 12 || number[3] != number[7] || number[3] == ' ' || isDigit(number[3]) {
		return false
	}
	for i, c := range number {
		if (i == 3 || i == 7) == isDigit(c) {
			return false
		}
	}
	return number[0] >= '2' && number[4] >= '2'
}

// national matches national numbers with an area code in brackets or a leading zero: (030) 123456,
// 0151 2880 2031. Without brackets, preceding words must indicate a telephone.
func national(text []byte, i int) (end int) {
	digits, last, closed := 0, 0, text[i] != '('
	for j := i; j < len(text) && j-i < 24; j++ {
		c := text[j]
		switch {
		case isDigit(c):
			digits++
			last = j + 1
			continue
		case c == ')' && !closed && digits >= 2 && digits <= 5:
			closed = true
			continue
		case c == '(' && j == i, (c == ' ' || c == '-' || c == '/' || c == '.') && j > i && isNumberByte(text[j-1]):
			continue
		}
		break
	}
	if !closed || digits < 7 || digits > 13 || last < len(text) && isWord(text[last]) || text[i] == '(' && digits < 9 {
		return 0
	}
	return last
}

func isNumberByte(c byte) bool { return isDigit(c) || c == ')' }

// callWords precede telephone numbers.
var callWords = []string{"phone", "tel", "telephone", "telefon", "fon", "mobile", "mobil", "cell", "fax", "call", "phone number", "whatsapp", "sms", "handy", "hotline"}

// called reports whether words before i indicate a telephone number.
func called(text []byte, i int) bool {
	end := i
	for end > 0 && bytes.IndexByte([]byte(" .:=\"'#"), text[end-1]) >= 0 {
		end--
	}
	for range 2 {
		start := end
		for start > 0 && isLetter(text[start-1]) {
			start--
		}
		if oneOf(text[start:end], callWords) {
			return true
		}
		end = start
		for end > 0 && (text[end-1] == ' ' || text[end-1] == '_') {
			end--
		}
	}
	return false
}

// card matches payment card numbers: an issuer's length and first digits, in one group or four,
// with a Luhn check digit.
func card(text []byte, start, end int) bool {
	var digits [19]byte
	n, group := 0, 0
	separator := byte(0)
	for _, c := range text[start:end] {
		if !isDigit(c) {
			if separator != 0 && separator != c || c == '.' || group < 4 {
				return false
			}
			separator, group = c, 0
			continue
		}
		group++
		if n == len(digits) {
			return false
		}
		digits[n] = c - '0'
		n++
	}
	if n == len(digits) && separator == 0 {
		return false // also a number of 64 bits
	}
	return issued(digits[:n]) && luhn(digits[:n]) && clear(text, start, end)
}

func issued(d []byte) bool {
	if len(d) < 14 {
		return false
	}
	two := int(d[0])*10 + int(d[1])
	four := two*100 + int(d[2])*10 + int(d[3])
	switch {
	case d[0] == 4:
		return len(d) == 16 || len(d) == 19
	case two >= 51 && two <= 55, four >= 2221 && four <= 2720, four == 6011, two == 65, four/10 >= 644 && four/10 <= 649, four >= 3528 && four <= 3589, two == 62:
		return len(d) == 16
	case two == 34, two == 37:
		return len(d) == 15
	case two == 36, two == 38, two == 39, four/10 >= 300 && four/10 <= 305:
		return len(d) == 14
	}
	return false
}

func luhn(d []byte) bool {
	sum := 0
	for i := range d {
		n := int(d[len(d)-1-i])
		if i%2 == 1 {
			if n *= 2; n > 9 {
				n -= 9
			}
		}
		sum += n
	}
	return sum%10 == 0
}

// ssn matches assignable US social security numbers, ddd-dd-dddd.
func ssn(number []byte) bool {
	if len(number) != 11 || number[3] != '-' || number[6] != '-' {
		return false
	}
	area, group, serial := string(number[:3]), string(number[4:6]), string(number[7:])
	for i, c := range number {
		if i != 3 && i != 6 && !isDigit(c) {
			return false
		}
	}
	return area != "000" && area != "666" && area[0] != '9' && group != "00" && serial != "0000"
}

// address matches public IPv4 addresses that are not versions.
func address(text []byte, start, end int) bool {
	if start > 0 && bytes.IndexByte([]byte("/-=v"), text[start-1]) >= 0 && !bytes.HasSuffix(text[:start], []byte("//")) && text[start-1] != '=' {
		return false
	}
	if end-start > len("255.255.255.255") || bytes.Count(text[start:end], []byte{'.'}) != 3 {
		return false
	}
	a, err := netip.ParseAddr(string(text[start:end]))
	if err != nil || !a.Is4() || versioned(text, start) {
		return false
	}
	four := a.As4()
	small := four[0] < 10 && four[1] < 10 || max(four[0], four[1], four[2], four[3]) < 20 // part of a version or object identifier
	return public(a) && !small && four[3] != 0 && !numbers(text, start, end) && !ends6(text, start)
}

// ends6 reports whether an address is the end of one of IPv6: ::ffff:93.184.216.34 is one by itself.
func ends6(text []byte, i int) bool {
	if i == 0 || text[i-1] != ':' {
		return false
	}
	first := i - 1
	for first > 0 && isHex(text[first-1]) {
		first--
	}
	return first > 0 && text[first-1] == ':' && first < i-1 && !bytes.EqualFold(text[first:i-1], []byte("ffff"))
}

// numbers reports whether an address is the number of a heading: 31.7.8.1. Loads
func numbers(text []byte, start, end int) bool {
	if !bytes.HasPrefix(text[end:], []byte(". ")) {
		return false
	}
	for start > 0 && !isWord(text[start-1]) && text[start-1] != '\n' {
		start--
	}
	return start == 0 || text[start-1] == '\n'
}

func versioned(text []byte, start int) bool {
	before := bytes.ToLower(text[max(0, start-12):start])
	before = bytes.TrimRight(before, " :=\"'")
	return bytes.HasSuffix(before, []byte("version")) || bytes.HasSuffix(before, []byte("release")) || bytes.HasSuffix(before, []byte(" v"))
}

// reserved are networks for documentation, benchmarks and shared use.
var reserved = []netip.Prefix{
	netip.MustParsePrefix("192.0.2.0/24"), netip.MustParsePrefix("198.51.100.0/24"), netip.MustParsePrefix("203.0.113.0/24"), netip.MustParsePrefix("198.18.0.0/15"),
	netip.MustParsePrefix("100.64.0.0/10"), netip.MustParsePrefix("240.0.0.0/4"), netip.MustParsePrefix("0.0.0.0/8"), netip.MustParsePrefix("2001:db8::/32"),
}

func public(a netip.Addr) bool {
	if !a.IsGlobalUnicast() || a.IsPrivate() {
		return false
	}
	for _, p := range reserved {
		if p.Contains(a) {
			return false
		}
	}
	return true
}

// address6 returns the end of a public IPv6 address at i.
func address6(text []byte, i int) (end int) {
	if i > 1 && text[i-1] == ':' && (text[i-2] == ':' || isHex(text[i-2])) {
		return 0 // inside of another one
	}
	end = i
	colons := 0
	for end < len(text) && end-i < 40 && (isHex(text[end]) || text[end] == ':') {
		if text[end] == ':' {
			colons++
		}
		end++
	}
	if colons < 3 || text[i] != '2' && text[i] != '3' || end < len(text) && isWord(text[end]) {
		return 0
	}
	a, err := netip.ParseAddr(string(text[i:end]))
	if err != nil || !public(a) {
		return 0
	}
	return end
}

func isHex(c byte) bool { return isDigit(c) || c|0x20 >= 'a' && c|0x20 <= 'f' }

// ibanLengths are the lengths for common countries; others have at least 15.
var ibanLengths = map[string]int{
	"AT": 20, "BE": 16, "CH": 21, "CZ": 24, "DE": 22, "DK": 18, "ES": 24, "FI": 18, "FR": 27, "GB": 22, "GR": 27, "HU": 28, "IE": 22, "IT": 27, "LU": 20, "NL": 18,
	"NO": 15, "PL": 28, "PT": 25, "RO": 24, "SA": 24, "SE": 24, "SK": 24, "TR": 26, "AE": 23, "IL": 23, "HR": 21, "SI": 19, "EE": 20, "LT": 20, "LV": 21, "BG": 22, "CY": 28, "MT": 31,
}

// Accounts calls found for each international bank account number (ISO 13616).
func Accounts(text []byte, found func(start, end int)) {
	last := 0 // the kinds of five bytes
	for i := -3; i+3 < len(text); i++ {
		if last = last<<2&(1<<10-1) | int(letters[text[i+3]]); last != accountStart || i+15 > len(text) {
			continue
		}
		if end := account(text, i); end > 0 {
			found(i, end)
			i, last = end-4, digitKind
		}
	}
}

// The kinds of bytes, of which others have 0.
const (
	smallKind = 1 + iota
	capitalKind
	digitKind

	accountStart = capitalKind<<6 | capitalKind<<4 | digitKind<<2 | digitKind // after a byte of no word
)

// letters are the kinds by byte.
var letters = func() (of [256]uint8) {
	for i := range of {
		switch c := byte(i); {
		case isDigit(c):
			of[i] = digitKind
		case c >= 'A' && c <= 'Z':
			of[i] = capitalKind
		case isLetter(c):
			of[i] = smallKind
		}
	}
	return of
}()

func account(text []byte, i int) (end int) {
	var plain [34]byte
	n := 0
	want, listed := ibanLengths[string(text[i:i+2])]
	if !listed {
		return 0
	}
	end = i
	for end < len(text) && n < want {
		c := text[end]
		if c == ' ' && (end-i)%5 == 4 {
			end++
			continue
		}
		if !isDigit(c) && (c < 'A' || c > 'Z') {
			break
		}
		plain[n] = c
		n++
		end++
	}
	if n != want || end < len(text) && isWord(text[end]) || !mod97(plain[:n]) {
		return 0
	}
	return end
}

func mod97(plain []byte) bool {
	rest := 0
	for i := range plain {
		c := plain[(i+4)%len(plain)]
		if isDigit(c) {
			rest = (rest*10 + int(c-'0')) % 97
		} else {
			rest = (rest*100 + int(c-'A') + 10) % 97
		}
	}
	return rest == 1
}

// Telephone reports whether a text is only a telephone number.
func Telephone(text []byte) bool {
	digits := 0
	for _, c := range text {
		switch {
		case isDigit(c):
			digits++
		case bytes.IndexByte([]byte("+ -/().x"), c) < 0:
			return false
		}
	}
	return digits >= 6 && digits <= 15
}
