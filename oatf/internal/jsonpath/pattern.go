package jsonpath

import (
	"regexp"
	"regexp/syntax"

	"github.com/cupel-dev/cupel/oatf/internal/expression"
)

// pattern is an I-Regexp (RFC 9485), compiled.
type pattern struct {
	*regexp.Regexp
	perByte int // steps that a byte of text takes
}

type patternKey struct {
	expression string
	whole      bool // it matches whole strings only
}

const (
	maxPatterns         = 16 // that a walk remembers: queries have few, messages may have any number
	instructionsPerStep = 64
)

// pattern returns a compiled regular expression, from the cache if possible, or nil if it is invalid.
func (w *walk) pattern(text string, whole bool) *pattern {
	key := patternKey{text, whole}
	p, known := w.patterns[key]
	if known {
		return p
	}
	if len(w.patterns) >= maxPatterns || w.patterns == nil {
		w.patterns = map[patternKey]*pattern{}
	}
	p = compilePattern(key)
	w.patterns[key] = p
	if p != nil && !w.spend(instructionsPerStep*p.perByte*4) {
		return nil
	}
	return p
}

func compilePattern(key patternKey) *pattern {
	if expression.CheckRegex(key.expression) != nil {
		return nil
	}
	tree, err := syntax.Parse(key.expression, syntax.Perl|syntax.DotNL)
	if err != nil {
		return nil
	}
	replaceDot(tree)
	text := tree.String()
	if key.whole {
		text = `\A(?:` + text + `)\z`
	}
	regex, size, err := expression.CompileRegex(text)
	if err != nil {
		return nil
	}
	return &pattern{regex, 1 + size/instructionsPerStep}
}

// replaceDot makes dots match any character except line feed and carriage return (RFC 9485 §5.4).
func replaceDot(tree *syntax.Regexp) {
	if tree.Op == syntax.OpAnyChar {
		tree.Op, tree.Rune = syntax.OpCharClass, []rune{0, '\n' - 1, '\n' + 1, '\r' - 1, '\r' + 1, '\U0010FFFF'}
		return
	}
	for _, sub := range tree.Sub {
		replaceDot(sub)
	}
}
