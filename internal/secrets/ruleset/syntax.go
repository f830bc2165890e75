package ruleset

import (
	"regexp/syntax"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// mostStarts limits the prefixes of an expression.
const mostStarts = 64

// leading returns lower-case texts of which every match has one as prefix. ok is false if there are
// too many or none is certain.
func leading(re *syntax.Regexp) (starts []string, ok bool) {
	starts, _ = prefixes(re)
	seen := map[string]bool{}
	unique := starts[:0]
	for _, s := range starts {
		s = strings.ToLower(s)
		if !seen[s] {
			seen[s] = true
			unique = append(unique, s)
		}
	}
	return withoutLonger(unique), len(unique) > 0 && len(unique) <= mostStarts
}

// withoutLonger drops texts that have another one as prefix.
func withoutLonger(starts []string) []string {
	return slices.DeleteFunc(slices.Clone(starts), func(s string) bool {
		return slices.ContainsFunc(starts, func(other string) bool { return other != s && strings.HasPrefix(s, other) })
	})
}

// prefixes returns the prefixes of matches; whole means that they are complete matches, which can be extended.
func prefixes(re *syntax.Regexp) (starts []string, whole bool) {
	switch re.Op {
	case syntax.OpLiteral:
		return folded(string(re.Rune), re.Flags&syntax.FoldCase != 0), true
	case syntax.OpEmptyMatch, syntax.OpBeginText, syntax.OpBeginLine, syntax.OpWordBoundary, syntax.OpNoWordBoundary:
		return []string{""}, true
	case syntax.OpCapture:
		return prefixes(re.Sub[0])
	case syntax.OpConcat:
		return concatenated(re.Sub)
	case syntax.OpAlternate:
		whole = true
		for _, sub := range re.Sub {
			more, w := prefixes(sub)
			starts, whole = append(starts, more...), whole && w
		}
		return starts, whole
	case syntax.OpCharClass:
		return fewRunes(re.Rune)
	case syntax.OpQuest:
		more, w := prefixes(re.Sub[0])
		return append(more, ""), w
	case syntax.OpPlus:
		more, _ := prefixes(re.Sub[0])
		return more, false
	}
	return []string{""}, false
}

// foldedMost limits the letters whose unusual cases are expanded.
const foldedMost = 3

// folded returns the case variants of a literal outside ASCII: U+017F for s and U+212A for k.
func folded(text string, fold bool) []string {
	all := []string{""}
	unusual := 0
	for _, r := range text {
		lower := unicode.ToLower(r)
		forms := []string{string(lower)}
		if fold && unusual < foldedMost {
			switch lower {
			case 's':
				forms = append(forms, "\u017f")
				unusual++
			case 'k':
				forms = append(forms, "\u212a")
				unusual++
			}
		}
		next := make([]string, 0, len(all)*len(forms))
		for _, a := range all {
			for _, f := range forms {
				next = append(next, a+f)
			}
		}
		all = next
	}
	return all
}

func concatenated(subs []*syntax.Regexp) (starts []string, whole bool) {
	starts = []string{""}
	for _, sub := range subs {
		more, w := prefixes(sub)
		if len(starts)*len(more) > mostStarts {
			return starts, false
		}
		next := make([]string, 0, len(starts)*len(more))
		for _, a := range starts {
			for _, b := range more {
				next = append(next, a+b)
			}
		}
		starts = next
		if !w {
			return starts, false
		}
	}
	return starts, true
}

func fewRunes(ranges []rune) (starts []string, whole bool) {
	for i := 0; i < len(ranges); i += 2 {
		if ranges[i+1]-ranges[i] > 8 || len(starts) > 8 {
			return []string{""}, false
		}
		for r := ranges[i]; r <= ranges[i+1]; r++ {
			starts = append(starts, string(unicode.ToLower(r)))
		}
	}
	return starts, true
}

// shortest returns the minimum length of a match in bytes.
func shortest(re *syntax.Regexp) int {
	switch re.Op {
	case syntax.OpLiteral:
		return len(re.Rune)
	case syntax.OpCharClass, syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		return 1
	case syntax.OpCapture, syntax.OpPlus:
		return shortest(re.Sub[0])
	case syntax.OpRepeat:
		return re.Min * shortest(re.Sub[0])
	case syntax.OpConcat:
		n := 0
		for _, sub := range re.Sub {
			n += shortest(sub)
		}
		return n
	case syntax.OpAlternate:
		n := shortest(re.Sub[0])
		for _, sub := range re.Sub[1:] {
			n = min(n, shortest(sub))
		}
		return n
	}
	return 0
}

// longestOf returns the maximum length of a match in bytes, longest if unbounded.
func longestOf(re *syntax.Regexp) int {
	switch re.Op {
	case syntax.OpLiteral:
		return len(re.Rune) * 3
	case syntax.OpCharClass:
		if len(re.Rune) > 0 && re.Rune[len(re.Rune)-1] < utf8.RuneSelf {
			return 1
		}
		return utf8.UTFMax
	case syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		return utf8.UTFMax
	case syntax.OpCapture, syntax.OpQuest:
		return longestOf(re.Sub[0])
	case syntax.OpRepeat:
		if re.Max < 0 {
			return longest
		}
		return min(longest, re.Max*longestOf(re.Sub[0]))
	case syntax.OpStar, syntax.OpPlus:
		return longest
	case syntax.OpConcat:
		n := 0
		for _, sub := range re.Sub {
			n += longestOf(sub)
		}
		return min(n, longest)
	case syntax.OpAlternate:
		n := 0
		for _, sub := range re.Sub {
			n = max(n, longestOf(sub))
		}
		return n
	}
	return 0
}

// alphabet returns the bytes that a match can contain, nil for all.
func alphabet(re *syntax.Regexp) *[256]bool {
	var may [256]bool
	if !collect(re, &may) {
		return nil
	}
	return &may
}

func collect(re *syntax.Regexp, may *[256]bool) (ok bool) {
	add := func(r rune) {
		if r >= utf8.RuneSelf {
			for i := utf8.RuneSelf; i < 256; i++ {
				may[i] = true
			}
			return
		}
		may[r] = true
	}
	switch re.Op {
	case syntax.OpLiteral:
		for _, r := range re.Rune {
			add(r)
			if re.Flags&syntax.FoldCase != 0 {
				for f := unicode.SimpleFold(r); f != r; f = unicode.SimpleFold(f) {
					add(f)
				}
			}
		}
	case syntax.OpCharClass:
		for i := 0; i < len(re.Rune); i += 2 {
			if re.Rune[i+1] >= utf8.RuneSelf {
				add(utf8.RuneSelf)
			}
			for r := re.Rune[i]; r <= min(re.Rune[i+1], utf8.RuneSelf-1); r++ {
				add(r)
			}
		}
	case syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		return false
	default:
		for _, sub := range re.Sub {
			if !collect(sub, may) {
				return false
			}
		}
	}
	return true
}

// mostRequired limits the texts of which every match has one.
const mostRequired = 200

// required returns texts, in lower case, of which every match has one; nil when none is certain.
func required(re *syntax.Regexp) (texts []string) {
	switch re.Op {
	case syntax.OpLiteral:
		return []string{strings.ToLower(string(re.Rune))}
	case syntax.OpCapture, syntax.OpPlus:
		return required(re.Sub[0])
	case syntax.OpRepeat:
		if re.Min > 0 {
			return required(re.Sub[0])
		}
	case syntax.OpConcat:
		for _, sub := range re.Sub {
			if other := required(sub); len(other) > 0 && (len(texts) == 0 || shortestOf(other) > shortestOf(texts)) {
				texts = other
			}
		}
		return texts
	case syntax.OpAlternate:
		for _, sub := range re.Sub {
			other := required(sub)
			if other == nil || len(texts)+len(other) > mostRequired {
				return nil
			}
			texts = append(slices.Clip(texts), other...)
		}
		return texts
	}
	return nil
}

// whole reports whether a match of an expression is the whole text.
func whole(re *syntax.Regexp) bool {
	return re.Op == syntax.OpConcat && len(re.Sub) > 1 && re.Sub[0].Op == syntax.OpBeginText && re.Sub[len(re.Sub)-1].Op == syntax.OpEndText
}

// shortestOf is the length of the shortest text.
func shortestOf(texts []string) int {
	return len(slices.MinFunc(texts, func(a, b string) int { return len(a) - len(b) }))
}

// widened returns an expression whose repetitions have no upper bound where it is a number or more. In texts of fewer
// bytes it matches what the expression does.
func widened(expression string, number int) string {
	re, err := syntax.Parse(expression, syntax.Perl)
	if err != nil {
		return expression
	}
	widen(re, number)
	return re.String()
}

func widen(re *syntax.Regexp, number int) {
	if uncounted(re, number) {
		re.Max = -1
	}
	for _, sub := range re.Sub {
		widen(sub, number)
	}
}

// uncounted reports whether an expression is a repetition whose upper bound is a number or more.
func uncounted(re *syntax.Regexp, number int) bool {
	return re.Op == syntax.OpRepeat && re.Max >= number && re.Min < re.Max
}
