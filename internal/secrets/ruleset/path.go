package ruleset

import (
	"regexp/syntax"
	"sync/atomic"
	"unicode/utf8"
)

// path tells where the groups of a machine's match are: the match is read again from its end, along the thread of
// instructions that led to it.
type path struct {
	machine *machine
	prog    *syntax.Prog
	keys    []string // the instructions of the states
	samples []rune
	rows    []atomic.Pointer[[]atomic.Pointer[hop]] // by state and column, made when they are needed
	slots   int                                     // of the expression: two for each group
	limits  []limited
}

// hop is what one character does to the threads of a state.
type hop struct {
	threads []thread // those of the next state
	match   thread   // the one that matches before the character
}

// thread says where a thread comes from.
type thread struct {
	from  uint16 // its number in the state before
	slots uint32 // the starts and ends of groups that it passes before the character
	pc    uint32
}

// limited is a repetition whose bound the machine does not know, as a group.
type limited struct{ group, most int }

// mostGroups limits the groups that a path tells of.
const mostGroups = 15

// newPath returns the path of an expression, nil if there is none. The repetitions are those that the machine does
// not count.
func newPath(expression string, anywhere, wide bool) *path {
	re, err := syntax.Parse(expression, syntax.Perl)
	if err != nil {
		return nil
	}
	p := &path{slots: 2 * (re.MaxCap() + 1)}
	if wide {
		next := re.MaxCap() + 1
		if !p.group(re, &next, false) {
			return nil
		}
	}
	if re.MaxCap() > mostGroups {
		return nil
	}
	b := newBuilder(re, anywhere)
	if b == nil {
		return nil
	}
	p.machine, p.prog, p.keys, p.samples = b.machine, b.prog, b.keys, b.samples
	p.rows = make([]atomic.Pointer[[]atomic.Pointer[hop]], len(p.keys))
	return p
}

// group makes groups of the repetitions that a machine does not count, and takes their bounds away. It returns false
// for one whose length tells nothing.
func (p *path) group(re *syntax.Regexp, next *int, repeated bool) bool {
	if uncounted(re, widths[0]) {
		one := re.Sub[0]
		if repeated || !oneRune(one) {
			return false
		}
		p.limits = append(p.limits, limited{*next, re.Max})
		inner := *re
		inner.Max, inner.Sub = -1, []*syntax.Regexp{one}
		*re = syntax.Regexp{Op: syntax.OpCapture, Cap: *next, Sub: []*syntax.Regexp{&inner}}
		*next++
		return true
	}
	switch re.Op {
	case syntax.OpStar, syntax.OpPlus, syntax.OpRepeat:
		repeated = true
	}
	for _, sub := range re.Sub {
		if !p.group(sub, next, repeated) {
			return false
		}
	}
	return true
}

// oneRune reports whether every match of an expression is one character.
func oneRune(re *syntax.Regexp) bool {
	switch re.Op {
	case syntax.OpCharClass, syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		return true
	}
	return re.Op == syntax.OpLiteral && len(re.Rune) == 1
}

// groups returns where the match of text[start:end] in text[:limit] and its groups are, as package regexp does; nil if
// the expression tells, because a repetition is longer than it can be.
func (p *path) groups(text []byte, start, end, limit int) []int {
	text = text[:limit]
	m := p.machine
	state := m.starts[0]
	if start > 0 {
		state = m.starts[kindOf(rune(text[start-1]))]
	}
	type step struct {
		at     int32
		state  uint16
		column uint8
	}
	var few [256]step
	steps := few[:0]
	for i := start; ; {
		column, size := uint8(m.end), 1
		if i < limit {
			r := rune(text[i])
			if r >= utf8.RuneSelf {
				r, size = utf8.DecodeRune(text[i:])
				r = indexOf(r)
			}
			column = m.columns[r]
		}
		steps = append(steps, step{int32(i), state, column})
		if i >= end {
			break
		}
		state = m.next[int(state)<<m.shift|int(column)] &^ matched
		i += size
	}
	all := make([]int, p.slots+2*len(p.limits))
	for i := range all {
		all[i] = unknown
	}
	all[0], all[1] = start, end
	last := steps[len(steps)-1]
	t := p.hop(last.state, last.column).match
	t.keep(all, end)
	for i := len(steps) - 2; i >= 0; i-- {
		t = p.hop(steps[i].state, steps[i].column).threads[t.from]
		t.keep(all, int(steps[i].at))
	}
	for _, l := range p.limits {
		if from, to := all[2*l.group], all[2*l.group+1]; from >= 0 && utf8.RuneCount(text[from:to]) > l.most {
			return nil
		}
	}
	return all[:p.slots]
}

// keep keeps a place for the slots that have none yet: those passed last count.
func (t thread) keep(all []int, at int) {
	for slot := 2; t.slots>>slot != 0; slot++ {
		if t.slots>>slot&1 != 0 && all[slot] == unknown {
			all[slot] = at
		}
	}
}

// hop returns what a character of a column does to the threads of a state.
func (p *path) hop(state uint16, column uint8) *hop {
	row := p.rows[state].Load()
	if row == nil {
		made := make([]atomic.Pointer[hop], p.machine.end+1)
		row = &made
		p.rows[state].CompareAndSwap(nil, row)
		row = p.rows[state].Load()
	}
	at := &(*row)[column]
	h := at.Load()
	if h == nil {
		h = p.make(p.keys[state], column)
		at.Store(h)
	}
	return h
}

// make follows the threads of a state, as the builder of the machine does.
func (p *path) make(key string, column uint8) *hop {
	r := rune(-1)
	if int(column) < p.machine.end {
		r = p.samples[column]
	}
	h := &hop{}
	f := follower{prog: p.prog, flags: syntax.EmptyOpContext(before[key[0]], r), seen: make([]bool, len(p.prog.Inst))}
	for i := 1; i < len(key) && !f.end; i += 3 {
		f.follow(uint32(key[i])|uint32(key[i+1])<<8|uint32(key[i+2])<<16, thread{from: uint16(i / 3)})
	}
	h.match = f.match
	after := make([]bool, len(p.prog.Inst))
	for _, t := range f.threads {
		inst := &p.prog.Inst[t.pc]
		if r >= 0 && !after[inst.Out] && inst.MatchRune(r) {
			after[inst.Out] = true
			h.threads = append(h.threads, t)
		}
	}
	return h
}

// follower follows the instructions that consume no character.
type follower struct {
	prog    *syntax.Prog
	flags   syntax.EmptyOp
	seen    []bool
	threads []thread
	match   thread
	end     bool
}

func (f *follower) follow(pc uint32, t thread) {
	if f.end || f.seen[pc] {
		return
	}
	f.seen[pc] = true
	inst := &f.prog.Inst[pc]
	switch inst.Op {
	case syntax.InstAlt, syntax.InstAltMatch:
		f.follow(inst.Out, t)
		f.follow(inst.Arg, t)
	case syntax.InstCapture:
		t.slots |= 1 << inst.Arg
		f.follow(inst.Out, t)
	case syntax.InstNop:
		f.follow(inst.Out, t)
	case syntax.InstEmptyWidth:
		if syntax.EmptyOp(inst.Arg)&^f.flags == 0 {
			f.follow(inst.Out, t)
		}
	case syntax.InstMatch:
		f.match, f.end = t, true
	case syntax.InstRune, syntax.InstRune1, syntax.InstRuneAny, syntax.InstRuneAnyNotNL:
		t.pc = pc
		f.threads = append(f.threads, t)
	case syntax.InstFail:
	}
}
