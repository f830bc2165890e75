package suggest

import (
	"fmt"
	"strings"

	"github.com/cupel-dev/cupel/finding"
	"github.com/cupel-dev/cupel/internal/say"
)

// Fix returns a fix that replaces the word at a byte of YAML or JSON, keeping its quotes. It is
// unsafe unless the words are Alike. It returns nil if the text does not contain the word there, or
// the replacement needs other quoting.
func Fix(text []byte, at int, word, meant string) *finding.Fix {
	if at < 0 || at > len(text) || word == "" || meant == "" || word == meant {
		return nil
	}
	start, ok := wordAt(text, at, word)
	if !ok || !isWritable(word, meant, start > at) {
		return nil
	}
	return &finding.Fix{
		Title: Title(word, meant), Edits: []finding.Edit{{Start: start, End: start + len(word), Text: meant}},
		Unsafe: !Alike(word, meant),
	}
}

// Title is the title of a fix that replaces a word.
func Title(word, meant string) string {
	return fmt.Sprintf("replace %s with %s", say.Quoted(word), say.Quoted(meant))
}

// wordAt returns the start of a word at a byte, inside optional quotes.
func wordAt(text []byte, at int, word string) (start int, ok bool) {
	begins := func(s string) bool {
		return len(text)-at >= len(s) && string(text[at:at+len(s)]) == s
	}
	for _, quote := range []string{`"`, "'"} {
		if begins(quote + word + quote) {
			return at + 1, !strings.ContainsAny(word, quote+`\`)
		}
	}
	if !begins(word) || strings.ContainsAny(word[:1], `"'`) {
		return 0, false
	}
	behind := at + len(word)
	return at, behind == len(text) || strings.IndexByte(" \t\r\n,:]}", text[behind]) >= 0
}

// isWritable reports whether one word can replace another without other quoting: the words consist of letters,
// digits and similar, and unquoted ones start with a letter or like the old word.
func isWritable(word, meant string, quoted bool) bool {
	n := 0
	for n < len(word) && n < len(meant) && word[len(word)-1-n] == meant[len(meant)-1-n] {
		n++
	}
	for _, c := range []byte(meant[:len(meant)-n]) {
		if !isLetter(c) && !('0' <= c && c <= '9') && strings.IndexByte("_-./", c) < 0 {
			return false
		}
	}
	return quoted || isLetter(meant[0]) || meant[0] == word[0]
}

func isLetter(c byte) bool { return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' }
