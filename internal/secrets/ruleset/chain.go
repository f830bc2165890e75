package ruleset

// chain is a row of states, in which the same bytes lead from each to the next: a counted repetition. Of the last one
// they lead to itself where the repetition is not counted.
type chain struct {
	states  []uint16
	matches []int32   // the last transition up to this one at which a match ends; unknown: none
	bytes   [256]bool // that lead along it
	loop    bool
}

// link is the place of a state in a chain.
type link struct{ chain, at uint16 }

// leastChain is the number of states from which a chain is not read state by state.
const leastChain = 8

// chain finds the chains.
func (m *machine) chain() {
	count := len(m.next) >> m.shift
	along := make([]uint16, count) // the most frequent transition
	sets := make([][2]uint64, count)
	for state := 1; state < count; state++ {
		along[state], sets[state] = m.frequent(state)
	}
	entered := make([]bool, count)
	for state, to := range along {
		if to := to &^ matched; to != dead && int(to) != state && sets[to] == sets[state] {
			entered[to] = true
		}
	}
	m.links = make([]link, count)
	known := make([]bool, count)
	for _, heads := range []bool{true, false} {
		for state := 1; state < count; state++ {
			if !known[state] && along[state] != dead && entered[state] == !heads {
				m.follow(state, along, sets, known)
			}
		}
	}
	for i, to := range m.next {
		if l := m.links[to&number]; l.chain > 0 {
			if c := &m.chains[l.chain]; c.loop || len(c.states)-int(l.at) >= leastChain {
				m.next[i] |= chained
			}
		}
	}
}

// frequent returns the transition of most bytes of ASCII, and those bytes.
func (m *machine) frequent(state int) (to uint16, set [2]uint64) {
	counts := map[uint16]int{}
	row := m.next[state<<m.shift:][:m.end]
	for c := range 128 {
		counts[row[m.columns[c]]]++
	}
	for one, n := range counts {
		if one&^matched != dead && (to == dead || n > counts[to] || n == counts[to] && one < to) {
			to = one
		}
	}
	for c := range 128 {
		if to != dead && row[m.columns[c]] == to {
			set[c/64] |= 1 << (c % 64)
		}
	}
	return to, set
}

// follow makes the chain that begins with a state.
func (m *machine) follow(state int, along []uint16, sets [][2]uint64, known []bool) {
	if len(m.chains) == 0 {
		m.chains = append(m.chains, chain{}) // number 0: none
	}
	c := chain{}
	for i := range 128 {
		c.bytes[i] = sets[state][i/64]>>(i%64)&1 != 0
	}
	set, last := sets[state], int32(unknown)
	for {
		known[state] = true
		m.links[state] = link{uint16(len(m.chains)), uint16(len(c.states))}
		if along[state]&matched != 0 {
			last = int32(len(c.states))
		}
		c.states, c.matches = append(c.states, uint16(state)), append(c.matches, last)
		to := int(along[state] &^ matched)
		if c.loop = to == state; c.loop {
			break
		}
		state = to
		if known[state] || sets[state] != set {
			c.states = append(c.states, uint16(state))
			break
		}
	}
	m.chains = append(m.chains, c)
}

// leap goes on in a chain from one of its states at i, as far as the bytes lead along it. last is the end of the last
// match.
func (m *machine) leap(t *Trace, text []byte, i, state, last int) (at, to, match int) {
	l := m.links[state]
	c := &m.chains[l.chain]
	first, final, end := int(l.at), len(c.states)-1, len(text)
	if !c.loop {
		end = min(end, i+final-first)
	}
	if t != nil {
		at = t.leap(m, int(l.chain), text, i, end)
	} else {
		at = c.along(text, i, end)
	}
	if at == i {
		return i, state, last
	}
	n := at - i
	if top := min(first+n-1, len(c.matches)-1); c.matches[top] >= int32(first) {
		last = i + int(c.matches[top]) - first
		if c.loop && top == final && int(c.matches[top]) == final {
			last = at - 1
		}
	}
	return at, int(c.states[min(first+n, final)]), last
}

// along returns how far the bytes from i on lead along the chain.
func (c *chain) along(text []byte, i, end int) int {
	for i < end && c.bytes[text[i]] {
		i++
	}
	return i
}

// leaped is a part of the text whose bytes lead along a chain.
type leaped struct{ from, to int }

// leap is [chain.along] for a chain of the machine, which reads no byte again.
func (t *Trace) leap(m *machine, number int, text []byte, i, end int) int {
	if len(t.leaps) < len(m.chains) {
		t.leaps = append(t.leaps, make([]leaped, len(m.chains)-len(t.leaps))...)
	}
	l := &t.leaps[number]
	if i < l.from || i > l.to {
		*l = leaped{i, i}
	}
	read := l.to
	l.to = m.chains[number].along(text, read, max(end, read))
	t.Work += l.to - read
	return min(l.to, end)
}
