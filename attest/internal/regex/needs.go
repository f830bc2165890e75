package regex

import (
	"regexp/syntax"
	"slices"
	"unicode/utf8"
)

// Need is a list of literals, one of which every match contains.
type Need []Literal

// Literal is a string in an expression.
type Literal struct {
	Text    string
	AnyCase bool // matches in any case, by simple folding
}

// least returns the length of the shortest literal in bytes: the longer, the rarer.
func (n Need) least() int {
	shortest := len(n[0].Text)
	for _, l := range n {
		shortest = min(shortest, len(l.Text))
	}
	return shortest
}

// maxNeeds limits an expression's needs. The longest literals are the most selective.
const maxNeeds = 4

// needsOf returns literals that every match contains, or nil if unknown.
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

// either returns a need that is satisfied if any alternative is.
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

// literals returns the needs of a literal: itself, split at U+FFFD, which also matches invalid UTF-8.
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
