package expression

import (
	"regexp/syntax"
	"strings"
	"unicode/utf8"
)

// Needles are texts. Every match of a regular expression contains at least one of them, and searching for them is
// much faster. The zero value is empty and excludes nothing.
type Needles []needle

// needle is a text, in lower case if case does not matter.
type needle struct {
	text string
	fold bool
}

// mostNeedles limits the texts to search for.
const mostNeedles = 8

// NeedlesOf returns the needles of an expression, or none.
func NeedlesOf(expression string) Needles {
	tree, err := syntax.Parse(expression, syntax.Perl)
	if err != nil {
		return nil
	}
	return needlesOf(tree)
}

func needlesOf(tree *syntax.Regexp) Needles {
	switch tree.Op {
	case syntax.OpLiteral:
		return literal(tree)
	case syntax.OpCapture, syntax.OpPlus:
		return needlesOf(tree.Sub[0])
	case syntax.OpRepeat:
		if tree.Min > 0 {
			return needlesOf(tree.Sub[0])
		}
	case syntax.OpConcat:
		var best Needles
		for _, sub := range tree.Sub {
			if n := needlesOf(sub); n.shortest() > best.shortest() {
				best = n
			}
		}
		return best
	case syntax.OpAlternate:
		var all Needles
		for _, sub := range tree.Sub {
			n := needlesOf(sub)
			if all = append(all, n...); n == nil || len(all) > mostNeedles {
				return nil
			}
		}
		return all
	}
	return nil
}

// literal returns a literal as a needle. It returns none for U+FFFD, which also matches invalid UTF-8, and for
// letters beyond ASCII, which have other forms.
func literal(tree *syntax.Regexp) Needles {
	text := string(tree.Rune)
	if strings.ContainsRune(text, utf8.RuneError) {
		return nil
	}
	fold := tree.Flags&syntax.FoldCase != 0
	if fold {
		for i := range len(text) {
			if text[i] >= utf8.RuneSelf {
				return nil
			}
		}
		text = strings.ToLower(text)
	}
	return Needles{{text, fold}}
}

// shortest returns the length of the shortest needle, 0 without needles.
func (n Needles) shortest() int {
	if len(n) == 0 {
		return 0
	}
	length := len(n[0].text)
	for _, needle := range n[1:] {
		length = min(length, len(needle.text))
	}
	return length
}

// Absent reports whether a text contains no needle, so that the expression cannot match it.
func (n Needles) Absent(text string) bool {
	for _, needle := range n {
		if needle.in(text) {
			return false
		}
	}
	return len(n) > 0
}

func (n needle) in(text string) bool {
	if !n.fold {
		return strings.Contains(text, n.text)
	}
	// The letters k and s have another form beyond ASCII: the Kelvin sign and the long s.
	if strings.ContainsAny(n.text, "ks") && (strings.Contains(text, "\u212a") || strings.Contains(text, "\u017f")) {
		return true
	}
	first := n.text[0]
	for i := 0; i+len(n.text) <= len(text); i++ {
		if lower(text[i]) == first && n.at(text[i:]) {
			return true
		}
	}
	return false
}

// at reports whether a text starts with the needle, ignoring the case of ASCII letters.
func (n needle) at(text string) bool {
	for i := range len(n.text) {
		if lower(text[i]) != n.text[i] {
			return false
		}
	}
	return true
}

func lower(c byte) byte {
	if 'A' <= c && c <= 'Z' {
		c += 'a' - 'A'
	}
	return c
}
