// Package automaton finds many keywords in one pass (Aho and Corasick, 1975), ignoring ASCII case.
//
// The transition table has a row of 16-bit states per state and a column per byte class, small
// enough to keep the frequent states in the first-level cache.
package automaton

import (
	"errors"
	"slices"
)

// Automaton finds its keywords. It is immutable and safe for concurrent use.
type Automaton struct {
	classes [256]uint8
	shift   uint8
	next    []uint16  // index: state<<shift | class
	accepts uint16    // states from here on end a keyword
	ends    [][]int32 // keywords that end in those states, longest first
	lengths []int
}

// ErrTooLarge is returned by [New] for keywords that need more than 65,535 states.
var ErrTooLarge = errors.New("automaton: more than 65535 states")

// node is a state under construction.
type node struct {
	next  map[byte]int
	fail  int
	words []int32
}

// New returns an automaton. Keywords are identified by index; empty ones never match.
func New(keywords []string) (*Automaton, error) {
	nodes := []node{{next: map[byte]int{}}}
	a := &Automaton{lengths: make([]int, len(keywords))}
	columns := 1 // class 0: bytes of no keyword
	for i, keyword := range keywords {
		a.lengths[i] = len(keyword)
		at := 0
		for _, c := range []byte(keyword) {
			c = lower(c)
			if a.classes[c] == 0 {
				a.classes[c] = uint8(columns)
				columns++
			}
			to, ok := nodes[at].next[c]
			if !ok {
				to = len(nodes)
				nodes[at].next[c] = to
				nodes = append(nodes, node{next: map[byte]int{}})
			}
			at = to
		}
		if at > 0 {
			nodes[at].words = append(nodes[at].words, int32(i))
		}
	}
	if len(nodes) > 1<<16-1 {
		return nil, ErrTooLarge
	}
	for c := byte('A'); c <= 'Z'; c++ {
		a.classes[c] = a.classes[lower(c)]
	}
	for 1<<a.shift < columns {
		a.shift++
	}
	a.fill(nodes)
	return a, nil
}

// fill builds the table. Accepting states get the highest numbers: one comparison per byte detects them.
func (a *Automaton) fill(nodes []node) {
	order := breadthFirst(nodes)
	number := make([]uint16, len(nodes))
	count := uint16(0)
	for _, accepting := range []bool{false, true} {
		if accepting {
			a.accepts = count
		}
		for _, n := range order {
			if (len(nodes[n].words) > 0) == accepting {
				number[n] = count
				count++
			}
		}
	}
	a.ends = make([][]int32, count-a.accepts)
	a.next = make([]uint16, int(count)<<a.shift)
	for _, n := range order {
		row := a.next[int(number[n])<<a.shift:][:1<<a.shift]
		if n > 0 {
			copy(row, a.next[int(number[nodes[n].fail])<<a.shift:][:1<<a.shift])
		} else {
			for i := range row {
				row[i] = number[0]
			}
		}
		for c, to := range nodes[n].next {
			row[a.classes[c]] = number[to]
		}
		if number[n] >= a.accepts {
			a.ends[number[n]-a.accepts] = nodes[n].words
		}
	}
}

// breadthFirst returns the nodes by depth and sets their fallbacks.
func breadthFirst(nodes []node) []int {
	order := []int{0}
	for i := 0; i < len(order); i++ {
		at := order[i]
		letters := make([]byte, 0, len(nodes[at].next))
		for c := range nodes[at].next {
			letters = append(letters, c)
		}
		slices.Sort(letters)
		for _, c := range letters {
			to := nodes[at].next[c]
			fail := 0
			for back := at; back > 0; {
				back = nodes[back].fail
				if n, ok := nodes[back].next[c]; ok {
					fail = n
					break
				}
			}
			nodes[to].fail = fail
			nodes[to].words = append(nodes[to].words, nodes[fail].words...)
			order = append(order, to)
		}
	}
	return order
}

// Find calls found for each keyword that ends in text, in order of the ends, with its index and
// start. It stops when found returns false.
func (a *Automaton) Find(text []byte, found func(keyword, start int) bool) {
	if len(a.next) == 0 {
		return
	}
	state, shift, accepts, next := a.start(), a.shift&15, a.accepts, a.next
	for i, c := range text {
		state = next[int(state)<<shift|int(a.classes[c])]
		if state >= accepts {
			for _, keyword := range a.ends[state-accepts] {
				if !found(int(keyword), i+1-a.lengths[keyword]) {
					return
				}
			}
		}
	}
}

func (a *Automaton) start() uint16 { return 0 }

// Contains reports whether text contains any keyword.
func (a *Automaton) Contains(text []byte) (yes bool) {
	a.Find(text, func(int, int) bool { yes = true; return false })
	return yes
}

func lower(c byte) byte {
	if 'A' <= c && c <= 'Z' {
		return c | 0x20
	}
	return c
}
