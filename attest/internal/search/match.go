package search

import "unicode/utf8"

// Match is the first match of an expression in a text.
type Match struct {
	Text      string
	Character int // its place: the number of code points before it
}

// Match returns the first match of an expression, or nil. find returns its byte range and is called
// once per expression.
func (x *Text) Match(expression string, find func() []int) *Match {
	if m, known := x.matches[expression]; known {
		return m
	}
	var m *Match
	if place := find(); place != nil {
		m = &Match{x.Value[place[0]:place[1]], x.characters(place[0])}
	}
	if x.matches == nil {
		x.matches = map[string]*Match{}
	}
	x.matches[expression] = m
	return m
}

// milestone is the number of bytes of a text that are counted together.
const milestone = 4096

// characters returns the number of code points in the first n bytes.
func (x *Text) characters(n int) int {
	i := n / milestone
	for x.start(i) > n {
		i--
	}
	for reached := len(x.counted); reached <= i; reached++ {
		count := 0
		if reached > 0 {
			count = x.counted[reached-1] + utf8.RuneCountInString(x.Value[x.start(reached-1):x.start(reached)])
		}
		x.counted = append(x.counted, count)
	}
	return x.counted[i] + utf8.RuneCountInString(x.Value[x.start(i):n])
}

// start returns the first character at or after a milestone.
func (x *Text) start(i int) int {
	at := i * milestone
	for at > 0 && at < len(x.Value) && !utf8.RuneStart(x.Value[at]) {
		at++
	}
	return at
}
