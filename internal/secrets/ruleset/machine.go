package ruleset

import (
	"regexp/syntax"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"
)

// machine is an expression as a deterministic automaton: it matches at the start of a text in one
// pass, as the expression with the first alternative preferred. It has a column for each class of
// ASCII characters, one for each character that folds to ASCII, one for all others, and one for the
// end of the text.
type machine struct {
	columns [utf8.RuneSelf + 3]uint8
	end     int // column of the end of the text
	shift   uint8
	next    []uint16 // state<<shift | column; with the bit matched, a match ends before the character
	links   []link   // by state, of those to which a transition has the bit chained
	chains  []chain

	starts [4]uint16 // first states by the kind of the character before
	from   int       // start of the secret in a match; unknown: the heads or only the expression tell
	heads  []string  // what is before the secret, in lower case, none the start of another one
	ends   bool      // the secret ends before one of the library's ends, else with the match
	fold   bool      // the ends are without regard to case
	after  bool      // the secret ends before a byte that is of no word, or with the text
	wide   bool      // it also matches what is not a match, which the path or the expression tells
}

const (
	matched = 1 << 15
	chained = 1 << 14
	number  = chained - 1 // of the state
	dead    = 0           // the state of no match
	unknown = -1
)

// Limits of a machine. An expression that needs more is matched by package regexp.
const (
	mostStates = 2048
	mostSteps  = 1 << 20 // of building one
)

// lazyMachine makes the machine on first use.
func lazyMachine(expression string, group int, anywhere bool) func() *machine {
	return sync.OnceValue(func() *machine {
		m := newMachine(expression, group, anywhere)
		if m == nil {
			if m = newMachine(widened(expression, widths[0]), group, anywhere); m != nil {
				m.wide = true
			}
		}
		return m
	})
}

// newMachine returns the machine of an expression, nil if there is none within the bounds. Its text begins where it
// starts, or anywhere before.
func newMachine(expression string, group int, anywhere bool) *machine {
	parsed, err := syntax.Parse(expression, syntax.Perl)
	if err != nil {
		return nil
	}
	b := newBuilder(parsed, anywhere)
	if b == nil {
		return nil
	}
	b.machine.locate(expression, group)
	b.machine.chain()
	return b.machine
}

// newBuilder returns the builder of a machine that is built.
func newBuilder(parsed *syntax.Regexp, anywhere bool) *builder {
	prog, err := syntax.Compile(parsed.Simplify())
	if err != nil {
		return nil
	}
	b := &builder{prog: prog, machine: &machine{from: unknown}, states: map[string]uint16{}}
	if !b.classes() || !b.build(anywhere) {
		return nil
	}
	return b
}

// locate finds where the secret is in a match: the whole match, or the first group.
func (m *machine) locate(expression string, group int) {
	m.fold = strings.HasPrefix(expression, "(?i)")
	body, ends := strings.CutSuffix(expression, libraryEnd)
	body, m.after = strings.CutSuffix(body, nearEnd)
	re, err := syntax.Parse(body, syntax.Perl)
	if err != nil || group > 1 {
		return
	}
	if re.MaxCap() == 0 {
		if !ends && !m.after {
			m.from = 0
		}
		return
	}
	subs := []*syntax.Regexp{re}
	if re.Op == syntax.OpConcat {
		subs = re.Sub
	}
	n := 0
	for _, sub := range subs[:len(subs)-1] {
		least := shortest(sub)
		if sub.Op == syntax.OpLiteral && foreign(string(sub.Rune)) || sub.Op != syntax.OpLiteral && least != longestOf(sub) {
			n = unknown
			break
		}
		n += least
	}
	last := subs[len(subs)-1]
	if n == unknown && re.MaxCap() > 1 {
		return
	}
	if last.Op != syntax.OpCapture || shortest(last) == 0 {
		return
	}
	if ends {
		may := alphabet(last)
		if may == nil || slices.ContainsFunc([]byte(endBytes), func(c byte) bool { return may[c] }) {
			return
		}
	}
	m.ends = ends
	if m.from = n; n == unknown {
		m.heads = headsOf(subs[:len(subs)-1])
	}
}

// headsOf returns the texts that a part of an expression matches, in lower case, nil if there are too many, or if one
// is the start of another one.
func headsOf(subs []*syntax.Regexp) (heads []string) {
	all, whole := concatenated(subs)
	if !whole {
		return nil
	}
	for _, head := range all {
		if head = strings.ToLower(head); !foreign(head) && !slices.Contains(heads, head) {
			heads = append(heads, head)
		}
	}
	if len(withoutLonger(heads)) < len(heads) {
		return nil
	}
	return heads
}

// start returns the start of the secret in a match.
func (m *machine) start(match []byte) int {
	if m.from != unknown {
		return m.from
	}
	for _, head := range m.heads {
		if len(head) <= len(match) && foldsTo(match[:len(head)], head) {
			return len(head)
		}
	}
	return unknown
}

// secret returns where the secret is in a match; ok is false if the machine cannot tell. last says that the match ends
// with the text.
func (m *machine) secret(match []byte, last bool) (from, to int, ok bool) {
	from, to = m.start(match), len(match)
	switch {
	case from == unknown, foreign(string(match[:from])): // whose characters can have several bytes
		return 0, 0, false
	case m.after && !last:
		_, size := utf8.DecodeLastRune(match)
		to -= size
	case m.after:
		return from, to, syntax.IsWordChar(rune(match[to-1]))
	case !m.ends:
	case isEnd(match[to-1]):
		to--
	case to > 1 && match[to-2] == '\\' && (match[to-1] == 'n' || match[to-1] == 'r' || m.fold && (match[to-1] == 'N' || match[to-1] == 'R')):
		to -= 2
	}
	return from, to, true
}

// endBytes begin the library's ends.
const endBytes = "`'\";\\ \t\n\r\f"

// isEnd reports whether a byte is one of the library's ends.
func isEnd(c byte) bool {
	return c != '\\' && strings.IndexByte(endBytes, c) >= 0
}

// match returns the end of the match at start in text[:limit], with the help of what earlier runs over the text
// left in a trace, which can be nil.
func (m *machine) match(text []byte, start, limit int, t *Trace) (end int, ok bool) {
	safe := limit // what follows of the text cannot change what is before
	if limit < len(text) && !utf8.RuneStart(text[limit]) {
		safe -= utf8.UTFMax
	}
	text = text[:limit]
	run, last := journey{trace: t, start: start, place: start / stretch}, unknown
	if t != nil {
		t.ids++
		run.far.root = root{t.ids, int32(start)}
	}
	steps := 0
	next, shift := m.next, m.shift&15
	state := int(m.starts[0])
	if start > 0 {
		state = int(m.starts[kindOf(rune(text[start-1]))])
	}
	for i := start; i < limit; {
		if t != nil && i/stretch != run.place {
			if p := run.cross(i, limit, uint16(state)); p != nil {
				if p.last >= int32(i) {
					last = int(p.last)
				}
				i, state = int(p.at), int(p.state)
			}
			run.place = i / stretch
		}
		if i <= safe {
			run.come(i, uint16(state), last)
		}
		for stop := min(limit, i+stretch-i%stretch); i < stop && state != dead; {
			steps++
			r, size := rune(text[i]), 1
			if r >= utf8.RuneSelf {
				r, size = utf8.DecodeRune(text[i:])
				r = indexOf(r)
			}
			to := next[state<<shift|int(m.columns[r])]
			if to&matched != 0 {
				last = i
			}
			state = int(to & number)
			i += size
			if to&chained != 0 {
				i, state, last = m.leap(t, text, i, state, last)
			}
		}
		if state == dead || i >= limit {
			if i <= safe {
				run.come(i, uint16(state), last)
			}
			break
		}
	}
	run.end(steps)
	if next[state<<shift|m.end]&matched != 0 {
		last = limit
	}
	return last, last != unknown
}

// builder makes a machine of a program: a state is the instructions at which threads are, the
// preferred one first, and the kind of the character before.
type builder struct {
	prog    *syntax.Prog
	machine *machine
	samples []rune // a character of each column
	looks   []bool // instructions from which one that looks at the character before is reached without another character
	states  map[string]uint16
	keys    []string
	steps   int
	seen    []bool // instructions of a closure
	after   []bool // instructions of the next state
	threads []uint32
}

// The characters that fold to ASCII, and one that stands for the others outside of ASCII.
const (
	longS     = '\u017f'
	kelvin    = '\u212a'
	otherRune = '\u00e9'
)

// indexOf returns the index of a character outside of ASCII in the columns.
func indexOf(r rune) rune {
	switch r {
	case longS:
		return utf8.RuneSelf
	case kelvin:
		return utf8.RuneSelf + 1
	}
	return utf8.RuneSelf + 2
}

// classes divides the characters into columns.
func (b *builder) classes() bool {
	signs := map[string]uint8{}
	for i := range rune(len(b.machine.columns)) {
		c := i
		if i >= utf8.RuneSelf {
			c = []rune{longS, kelvin, otherRune}[i-utf8.RuneSelf]
		}
		var sign []byte
		for pc := range b.prog.Inst {
			inst := &b.prog.Inst[pc]
			switch inst.Op {
			case syntax.InstRune, syntax.InstRune1, syntax.InstRuneAny, syntax.InstRuneAnyNotNL:
				if c == otherRune && !uniform(inst) {
					return false
				}
				sign = append(sign, b2b(inst.MatchRune(c)))
			case syntax.InstEmptyWidth:
				if op := syntax.EmptyOp(inst.Arg); op&(syntax.EmptyBeginLine|syntax.EmptyEndLine) != 0 {
					sign = append(sign, b2b(c == '\n'))
				} else if op&ofWords != 0 {
					sign = append(sign, b2b(syntax.IsWordChar(c)))
				}
			}
		}
		column, ok := signs[string(sign)]
		if !ok {
			column = uint8(len(signs))
			signs[string(sign)] = column
			b.samples = append(b.samples, c)
		}
		b.machine.columns[i] = column
	}
	b.machine.end = len(b.samples)
	for 1<<b.machine.shift <= b.machine.end {
		b.machine.shift++
	}
	return true
}

// ofWords are the bounds of words.
const ofWords = syntax.EmptyWordBoundary | syntax.EmptyNoWordBoundary

// looking finds the instructions that look.
func (b *builder) looking() {
	b.looks = make([]bool, len(b.prog.Inst))
	for changed := true; changed; {
		changed = false
		for pc := range b.prog.Inst {
			inst, looks := &b.prog.Inst[pc], false
			switch inst.Op {
			case syntax.InstAlt, syntax.InstAltMatch:
				looks = b.looks[inst.Out] || b.looks[inst.Arg]
			case syntax.InstCapture, syntax.InstNop:
				looks = b.looks[inst.Out]
			case syntax.InstEmptyWidth:
				looks = b.looks[inst.Out] || syntax.EmptyOp(inst.Arg)&^(syntax.EmptyEndLine|syntax.EmptyEndText) != 0
			case syntax.InstMatch, syntax.InstRune, syntax.InstRune1, syntax.InstRuneAny, syntax.InstRuneAnyNotNL, syntax.InstFail:
			}
			if looks && !b.looks[pc] {
				b.looks[pc], changed = true, true
			}
		}
	}
}

func b2b(b bool) byte {
	if b {
		return 1
	}
	return 0
}

// uniform reports whether an instruction treats the characters outside of ASCII alike, except for
// the two that fold to ASCII.
func uniform(inst *syntax.Inst) bool {
	want := inst.MatchRune(otherRune)
	for _, r := range inst.Rune {
		for _, r := range []rune{r - 1, r, r + 1} {
			if r >= utf8.RuneSelf && r <= utf8.MaxRune && r != longS && r != kelvin && inst.MatchRune(r) != want {
				return false
			}
		}
	}
	return true
}

// before are characters of the kinds that a state knows of the one before it; -1: there is none.
var before = [...]rune{-1, '\n', 'a', ' '}

func kindOf(r rune) byte {
	switch {
	case r == '\n':
		return 1
	case syntax.IsWordChar(r):
		return 2
	}
	return 3
}

func (b *builder) build(anywhere bool) bool {
	b.looking()
	b.seen, b.after = make([]bool, len(b.prog.Inst)), make([]bool, len(b.prog.Inst))
	b.keys = append(b.keys, "")
	b.states[""] = dead
	for kind := range b.machine.starts {
		before := byte(0)
		if anywhere {
			before = byte(kind)
		}
		b.machine.starts[kind] = b.state(before, []uint32{uint32(b.prog.Start)})
	}
	for at := 0; at < len(b.keys); at++ {
		b.machine.next = append(b.machine.next, make([]uint16, 1<<b.machine.shift)...)
		if at == dead {
			continue
		}
		row := at << b.machine.shift
		for column := range b.machine.end + 1 {
			r := rune(-1)
			if column < b.machine.end {
				r = b.samples[column]
			}
			to := b.step(b.keys[at], r)
			if len(b.keys) > mostStates || b.steps > mostSteps {
				return false
			}
			b.machine.next[row|column] = to
		}
	}
	return true
}

// state returns the number of a state.
func (b *builder) state(kind byte, pcs []uint32) uint16 {
	if len(pcs) == 0 {
		return dead
	}
	if !slices.ContainsFunc(pcs, func(pc uint32) bool { return b.looks[pc] }) {
		kind = 0
	}
	key := []byte{kind}
	for _, pc := range pcs {
		key = append(key, byte(pc), byte(pc>>8), byte(pc>>16))
	}
	n, ok := b.states[string(key)]
	if !ok {
		n = uint16(len(b.keys))
		b.states[string(key)] = n
		b.keys = append(b.keys, string(key))
	}
	return n
}

// step returns the state after a character, -1 for the end of the text.
func (b *builder) step(key string, r rune) (to uint16) {
	clear(b.seen)
	clear(b.after)
	b.threads = b.threads[:0]
	flags := syntax.EmptyOpContext(before[key[0]], r)
	end := false
	for i := 1; i < len(key) && !end; i += 3 {
		end = b.follow(uint32(key[i])|uint32(key[i+1])<<8|uint32(key[i+2])<<16, flags)
	}
	var pcs []uint32
	for _, pc := range b.threads {
		inst := &b.prog.Inst[pc]
		if r >= 0 && !b.after[inst.Out] && inst.MatchRune(r) {
			b.after[inst.Out] = true
			pcs = append(pcs, inst.Out)
		}
	}
	b.steps += len(b.threads) + 1
	to = b.state(kindOf(r), pcs)
	if end {
		to |= matched
	}
	return to
}

// follow appends the instructions for characters that are reached from pc, in order of preference.
// It returns true at a match, which ends the threads after it.
func (b *builder) follow(pc uint32, flags syntax.EmptyOp) (end bool) {
	if b.seen[pc] {
		return false
	}
	b.seen[pc] = true
	inst := &b.prog.Inst[pc]
	switch inst.Op {
	case syntax.InstAlt, syntax.InstAltMatch:
		return b.follow(inst.Out, flags) || b.follow(inst.Arg, flags)
	case syntax.InstCapture, syntax.InstNop:
		return b.follow(inst.Out, flags)
	case syntax.InstEmptyWidth:
		return syntax.EmptyOp(inst.Arg)&^flags == 0 && b.follow(inst.Out, flags)
	case syntax.InstMatch:
		return true
	case syntax.InstRune, syntax.InstRune1, syntax.InstRuneAny, syntax.InstRuneAnyNotNL:
		b.threads = append(b.threads, pc)
	case syntax.InstFail:
	}
	return false
}
