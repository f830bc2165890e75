package ruleset

import (
	"regexp/syntax"
	"strings"
	"unicode/utf8"
)

// piece is a number of bytes of a set.
type piece struct {
	set         [256]bool
	least, most int // most -1: any number
}

// sequence is an expression that is sets of bytes one after the other, none of which can take a byte of the
// next one: what it matches is found in one pass, without going back.
type sequence struct {
	pieces      []piece
	first, last int  // the pieces in the group, from first up to last
	grouped     bool // there is a group
	ends        bool // one of the library's ends follows
	folds       bool // without regard to case
}

// newSequence returns the sequence of an expression, nil when it is more than one.
func newSequence(expression string) *sequence {
	s := &sequence{folds: strings.HasPrefix(expression, "(?i)")}
	expression, s.ends = strings.CutSuffix(expression, libraryEnd)
	parsed, err := syntax.Parse(expression, syntax.Perl)
	if err != nil || !s.add(parsed) {
		return nil
	}
	for i := range s.pieces {
		p := &s.pieces[i]
		if p.least == p.most {
			continue
		}
		for c := range p.set {
			if p.set[c] && (i+1 < len(s.pieces) && (s.pieces[i+1].set[c] || s.pieces[i+1].least == 0) || i+1 == len(s.pieces) && s.ends && isEnd(byte(c))) {
				return nil
			}
		}
	}
	return s
}

// add appends the pieces of an expression.
func (s *sequence) add(re *syntax.Regexp) bool {
	switch re.Op {
	case syntax.OpConcat:
		for _, sub := range re.Sub {
			if !s.add(sub) {
				return false
			}
		}
		return true
	case syntax.OpCapture:
		if s.grouped {
			return false
		}
		s.grouped, s.first = true, len(s.pieces)
		ok := s.add(re.Sub[0])
		s.last = len(s.pieces)
		return ok
	case syntax.OpLiteral:
		for _, r := range re.Rune {
			one := &syntax.Regexp{Op: syntax.OpLiteral, Flags: re.Flags, Rune: []rune{r}}
			if !s.addSet(one, 1, 1) {
				return false
			}
		}
		return true
	case syntax.OpCharClass:
		return s.addSet(re, 1, 1)
	case syntax.OpRepeat:
		return s.addSet(re.Sub[0], re.Min, re.Max)
	case syntax.OpPlus:
		return s.addSet(re.Sub[0], 1, -1)
	case syntax.OpStar:
		return s.addSet(re.Sub[0], 0, -1)
	case syntax.OpQuest:
		return s.addSet(re.Sub[0], 0, 1)
	}
	return false
}

// addSet appends a piece of one set. Letters outside of ASCII that fold to one in it are not of the set.
func (s *sequence) addSet(re *syntax.Regexp, least, most int) bool {
	if re.Flags&syntax.NonGreedy != 0 || re.Op != syntax.OpCharClass && (re.Op != syntax.OpLiteral || len(re.Rune) != 1) {
		return false
	}
	set := alphabet(re)
	if set == nil || re.Op == syntax.OpLiteral && re.Rune[0] >= utf8.RuneSelf || re.Op == syntax.OpCharClass && re.Rune[len(re.Rune)-1] > '\u212a' {
		return false
	}
	for c := utf8.RuneSelf; c < 256; c++ {
		set[c] = false
	}
	s.pieces = append(s.pieces, piece{*set, least, most})
	return true
}

// match matches at the start of a text. It returns the range of the group, or of the whole match without a group, and
// the end of the match.
func (s *sequence) match(text []byte) (from, to, end int, ok bool) {
	for i := range s.pieces {
		p := &s.pieces[i]
		if s.grouped && i == s.first {
			from = end
		}
		n := 0
		for end < len(text) && n != p.most && p.set[text[end]] {
			n++
			end++
		}
		if n < p.least {
			return 0, 0, 0, false
		}
		if s.grouped && i == s.last-1 {
			to = end
		}
	}
	if !s.grouped {
		to = end
	}
	if !s.ends || end == len(text) {
		return from, to, end, true
	}
	switch c := text[end]; c {
	case '\\':
		if end+1 == len(text) {
			return 0, 0, 0, false
		}
		next := text[end+1]
		if s.folds {
			next |= 0x20
		}
		return from, to, end + 2, next == 'n' || next == 'r'
	default:
		return from, to, end + 1, isEnd(c)
	}
}

// isEnd reports whether a byte begins one of the library's ends.
func isEnd(c byte) bool {
	return strings.IndexByte("`'\";\\ \t\n\r\f", c) >= 0
}
