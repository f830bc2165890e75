package secrets

import (
	"bytes"
	"unicode/utf8"
)

// Classes of bytes, as the rules and the ends of values have them.
const (
	isAlnum  = 1 << iota // A-Z a-z 0-9
	isWord               // those and _
	isUpper              // A-Z 0-9
	isURL                // A-Z a-z 0-9 _ -
	isBearer             // A-Z a-z 0-9 . _ ~ + / -
	isSpace              // \s of RE2
	isEnd                // ends a value: white space, quotes, & and ;
	isPEM                // A-Z and blank
)

var classes = func() (of [256]uint8) {
	set := func(class uint8, members string) {
		for i := range len(members) {
			of[members[i]] |= class
		}
	}
	const upper, lower, digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZ", "abcdefghijklmnopqrstuvwxyz", "0123456789"
	const alnum = upper + lower + digits
	set(isAlnum, alnum)
	set(isWord, alnum+"_")
	set(isUpper, upper+digits)
	set(isURL, alnum+"_-")
	set(isBearer, alnum+"._~+/-")
	set(isSpace, " \t\n\f\r")
	set(isEnd, " \t\n\v\f\r\"'&;")
	set(isPEM, upper+" ")
	return of
}()

func is(c, class byte) bool { return classes[c]&class != 0 }

// run is the end of the bytes of a class from i on.
func run(text []byte, i int, class byte) int {
	for i < len(text) && is(text[i], class) {
		i++
	}
	return i
}

// wordEdge says whether RE2's \b holds at i.
func wordEdge(text []byte, i int) bool {
	return wordAt(text, i-1) != wordAt(text, i)
}

func wordAt(text []byte, i int) bool { return i >= 0 && i < len(text) && is(text[i], isWord) }

func alnumAt(text []byte, i int) bool { return i >= 0 && i < len(text) && is(text[i], isAlnum) }

func isQuote(c byte) bool { return c == '"' || c == '\'' }

// isBlank is for what may stand between a marker and its value.
func isBlank(c byte) bool { return c == ' ' || c == '\t' }

// lower folds an ASCII letter.
func lower(c byte) byte {
	if 'A' <= c && c <= 'Z' {
		return c | 0x20
	}
	return c
}

// hasFold says whether word, in lower case, stands at i.
func hasFold(text []byte, i int, word string) bool {
	if i < 0 || len(text)-i < len(word) {
		return false
	}
	for j := range len(word) {
		if lower(text[i+j]) != word[j] {
			return false
		}
	}
	return true
}

// endsFold says whether word, in lower case, ends at i.
func endsFold(text []byte, i int, word string) bool { return hasFold(text, i-len(word), word) }

// RE2 without regard to case takes these for an s and a k.
const (
	longS  = "\u017f"
	kelvin = "\u212a"
)

// endsRE2 is endsFold as RE2 has it, and returns where the word starts.
func endsRE2(text []byte, i int, word string) (start int, ok bool) {
	for j := len(word) - 1; j >= 0; j-- {
		switch {
		case i > 0 && lower(text[i-1]) == word[j]:
			i--
		case word[j] == 's' && bytes.HasSuffix(text[:i], []byte(longS)):
			i -= len(longS)
		case word[j] == 'k' && bytes.HasSuffix(text[:i], []byte(kelvin)):
			i -= len(kelvin)
		default:
			return 0, false
		}
	}
	return i, true
}

const stars = "***"

// starred says whether what begins at i is hidden already.
func starred(text []byte, i int) bool {
	return len(text)-i >= len(stars) && string(text[i:i+len(stars)]) == stars
}

// holds says whether at least n runes stand at i before the first byte that ends returns
// true for.
func holds(text []byte, i, n int, ends func(byte) bool) bool {
	for ; n > 0; n-- {
		if i >= len(text) || ends(text[i]) {
			return false
		}
		_, size := utf8.DecodeRune(text[i:])
		i += size
	}
	return true
}

// lineEnd is the end of the line of i.
func lineEnd(text []byte, i int) int {
	if n := bytes.IndexAny(text[i:], "\r\n"); n >= 0 {
		return i + n
	}
	return len(text)
}
