package search

import "strings"

// Limits of an automaton, whose table takes states × distinct bytes × 4 bytes, at most 8 MiB. Further needles go to
// other automata. Long ones are searched by strings.Contains, which is faster.
const (
	maxStates  = 8192
	maxNeedle  = 256
	fewNeedles = 4 // that few are searched one by one
	noNeedle   = -1
	rootState  = 0
)

// searchAll reports for each needle whether text contains it, in one pass per automaton.
func searchAll(text string, needles []string) []bool {
	hits := make([]bool, len(needles))
	if len(needles) <= fewNeedles {
		for i, needle := range needles {
			hits[i] = strings.Contains(text, needle)
		}
		return hits
	}
	var group []int
	states := 1
	flush := func() {
		if len(group) > 0 {
			newAutomaton(needles, group).search(text, hits)
			group, states = group[:0], 1
		}
	}
	for i, needle := range needles {
		if len(needle) > maxNeedle {
			hits[i] = strings.Contains(text, needle)
			continue
		}
		if states+len(needle) > maxStates {
			flush()
		}
		group = append(group, i)
		states += len(needle)
	}
	flush()
	return hits
}

// automaton finds needles in one pass (Aho and Corasick) with a complete transition table.
type automaton struct {
	column [256]uint8 // of the table; bytes that no needle has share column 0
	width  int32
	next   []int32 // state*width + column → state*width
	needle []int32 // by state: the needle that ends here, or noNeedle
	more   []int32 // by state: nearest shorter suffix that ends a needle, or rootState
	left   int     // needles not found yet
}

// newAutomaton builds an automaton for the needles in group, which are non-empty and distinct.
func newAutomaton(needles []string, group []int) *automaton {
	a := &automaton{width: 1, left: len(group)}
	for _, i := range group {
		for _, c := range []byte(needles[i]) {
			if a.column[c] == 0 {
				a.column[c] = uint8(a.width)
				a.width++ // at most 244: thirteen bytes never occur in UTF-8
			}
		}
	}
	a.addState()
	for _, i := range group {
		a.insert(needles[i], int32(i))
	}
	a.complete()
	return a
}

func (a *automaton) addState() int32 {
	state := int32(len(a.needle))
	a.needle = append(a.needle, noNeedle)
	a.more = append(a.more, rootState)
	a.next = append(a.next, make([]int32, a.width)...)
	return state
}

// insert adds a needle to the trie. Missing transitions are 0 for now.
func (a *automaton) insert(needle string, i int32) {
	state := int32(rootState)
	for _, c := range []byte(needle) {
		cell := state*a.width + int32(a.column[c])
		if a.next[cell] == rootState {
			next := a.addState()
			a.next[cell] = next
		}
		state = a.next[cell]
	}
	a.needle[state] = i
}

// complete fills in the transitions that leave the trie, breadth first: a state goes where its longest proper
// suffix goes.
func (a *automaton) complete() {
	states := len(a.needle)
	suffix := make([]int32, states)
	queue := make([]int32, 0, states)
	queue = append(queue, rootState)
	for head := 0; head < len(queue); head++ {
		state := queue[head]
		for column := range a.width {
			cell := state*a.width + column
			child := a.next[cell]
			fallback := int32(rootState)
			if state != rootState {
				fallback = a.next[suffix[state]*a.width+column]
			}
			if child == rootState {
				a.next[cell] = fallback
				continue
			}
			suffix[child] = fallback
			if a.more[child] = fallback; a.needle[fallback] == noNeedle {
				a.more[child] = a.more[fallback]
			}
			queue = append(queue, child)
		}
	}
	for cell := range a.next {
		a.next[cell] *= a.width
	}
}

// search marks the needles in a text. The needles of a state are checked once, to limit the cost for texts full of
// hits.
func (a *automaton) search(text string, hits []bool) {
	cell := int32(0)
	interesting := make([]bool, len(a.next))
	for state := range a.needle {
		interesting[int32(state)*a.width] = a.needle[state] != noNeedle || a.more[state] != rootState
	}
	for i := 0; i < len(text); i++ {
		cell = a.next[cell+int32(a.column[text[i]])]
		if !interesting[cell] {
			continue
		}
		interesting[cell] = false
		for state := cell / a.width; state != rootState; state = a.more[state] {
			if n := a.needle[state]; n != noNeedle && !hits[n] {
				hits[n] = true
				if a.left--; a.left == 0 {
					return
				}
			}
		}
	}
}
