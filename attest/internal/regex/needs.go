package regex

import (
	"regexp/syntax"
	"slices"
	"unicode/utf8"
)

// Need is a list of literals of which every text that an expression matches contains one.
type Need []Literal

// Literal is a string that stands in an expression.
type Literal struct {
	Text    string
	AnyCase bool // it may stand in the text in any case: each rune in any of its simple folds
}

// least is the length of the shortest literal in bytes: the longer, the rarer.
func (n Need) least() int {
	shortest := len(n[0].Text)
	for _, l := range n {
		shortest = min(shortest, len(l.Text))
	}
	return shortest
}

// maxNeeds bounds the needs of one expression: the longest literals tell most.
const maxNeeds = 4

// needsOf returns what every text that re matches must contain, all of it; none when nothing
// can be said.
func needsOf(re *syntax.Regexp) []Need {
	needs := allNeeds(re)
	slices.SortStableFunc(needs, func(a, b Need) int { return b.least() - a.least() })
	return slices.Clone(needs[:min(len(needs), maxNeeds)])
}

func allNeeds(re *syntax.Regexp) []Need {
	switch re.Op {
	case syntax.OpLiteral:
		return literals(re)
	case syntax.OpCapture, syntax.OpPlus:
		return allNeeds(re.Sub[0])
	case syntax.OpRepeat:
		if re.Min > 0 {
			return allNeeds(re.Sub[0])
		}
	case syntax.OpConcat:
		var needs []Need
		for _, sub := range re.Sub {
			needs = append(needs, allNeeds(sub)...)
		}
		return needs
	case syntax.OpAlternate:
		return either(re.Sub)
	}
	return nil
}

// either is the need of alternatives: what one of them needs, the best that each has to offer.
func either(alternatives []*syntax.Regexp) []Need {
	var all Need
	for _, sub := range alternatives {
		needs := needsOf(sub)
		if len(needs) == 0 {
			return nil
		}
		all = append(all, needs[0]...)
	}
	return []Need{all}
}

// literals are the needs of a literal: itself. It is cut at U+FFFD, which also matches bytes
// that are no UTF-8.
func literals(re *syntax.Regexp) (needs []Need) {
	anyCase := re.Flags&syntax.FoldCase != 0
	var text []byte
	end := func() {
		if len(text) > 0 {
			needs = append(needs, Need{{string(text), anyCase}})
			text = text[:0]
		}
	}
	for _, r := range re.Rune {
		if r == utf8.RuneError || !utf8.ValidRune(r) {
			end()
			continue
		}
		text = utf8.AppendRune(text, r)
	}
	end()
	return needs
}
