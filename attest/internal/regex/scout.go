package regex

import (
	"context"
	"encoding/binary"
	"regexp/syntax"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// scout searches a text ahead of an expression with one table lookup per character. It finds out whether there is a
// match, an offset before which none starts, and the end of the first. It does not find the start. It is safe for
// concurrent use.
type scout struct {
	prog    *syntax.Prog
	prefix  string // that every match begins with
	between bool   // matches do not depend on the preceding text: no ^, \b or similar
	free    bool   // nor on the following text: no $
	classes []class
	ascii   [utf8.RuneSelf]uint16 // classes of the runes of ASCII
}

// class is a range of runes that the program does not distinguish.
type class struct {
	first rune // the others are below that of the next class
	kind  kind
}

// kind is the class of a character that empty matches depend on.
type kind uint8

const (
	edge    kind = iota // the beginning or the end of the text
	newline             // that rune
	word                // an ASCII letter, digit or underscore
	other
	kinds
)

// rune returns a character of the kind for syntax.EmptyOpContext.
func (k kind) rune() rune { return [kinds]rune{-1, '\n', 'a', ' '}[k] }

func kindOf(r rune) kind {
	switch {
	case r == '\n':
		return newline
	case syntax.IsWordChar(r):
		return word
	}
	return other
}

// maxClasses limits the lookup table for expressions with many character ranges.
const maxClasses = 2048

// newScout returns a scout for an expression with a literal prefix, or nil if it would not help.
func newScout(parsed *syntax.Regexp, prefix string) *scout {
	prog, err := syntax.Compile(parsed.Simplify())
	if err != nil || prog.StartCond()&syntax.EmptyBeginText != 0 {
		return nil // matches begin at the first character, or nowhere
	}
	s := &scout{prog: prog, prefix: prefix, between: true, free: true}
	bounds := []rune{0, '\n', '\n' + 1, '0', '9' + 1, 'A', 'Z' + 1, '_', '_' + 1, 'a', 'z' + 1}
	for i := range prog.Inst {
		inst := &prog.Inst[i]
		if inst.Op == syntax.InstEmptyWidth {
			s.free = false
			s.between = s.between && syntax.EmptyOp(inst.Arg)&^(syntax.EmptyEndLine|syntax.EmptyEndText) == 0
		}
		bounds = appendBounds(bounds, inst)
	}
	slices.Sort(bounds)
	bounds = slices.Compact(bounds)
	if len(bounds) > maxClasses {
		return nil
	}
	for _, first := range bounds {
		s.classes = append(s.classes, class{first, kindOf(first)})
	}
	for r := range s.ascii {
		s.ascii[r] = s.search(rune(r))
	}
	return s
}

// appendBounds appends the first characters of an instruction's ranges and of the gaps after them.
func appendBounds(bounds []rune, inst *syntax.Inst) []rune {
	switch inst.Op {
	case syntax.InstRune, syntax.InstRune1:
		if len(inst.Rune) == 1 {
			r := inst.Rune[0]
			bounds = append(bounds, r, r+1)
			for fold := unicode.SimpleFold(r); fold != r; fold = unicode.SimpleFold(fold) {
				bounds = append(bounds, fold, fold+1)
			}
			return bounds
		}
		for i := 0; i+1 < len(inst.Rune); i += 2 {
			bounds = append(bounds, inst.Rune[i], inst.Rune[i+1]+1)
		}
	}
	return bounds
}

func (s *scout) search(r rune) uint16 {
	i, found := slices.BinarySearchFunc(s.classes, r, func(c class, r rune) int { return int(c.first) - int(r) })
	if !found {
		i--
	}
	return uint16(i)
}

type outlook int

const (
	unclear outlook = iota // it was too much work
	nowhere
	somewhere
)

// look reports whether a text matches, an offset before which no match starts, and the earliest end of a match. The
// result is invalid if ctx ends.
func (s *scout) look(ctx context.Context, text string) (from, to int, o outlook) {
	m := newAtlas(s, len(text))
	state := m.fresh(edge)
	for i, looked := 0, 0; i < len(text); {
		if i-looked >= patience {
			if looked = i; ctx.Err() != nil {
				return 0, 0, nowhere
			}
		}
		if int(state) < m.freshEnd {
			next := strings.Index(text[i:], s.prefix)
			if next < 0 {
				return 0, 0, nowhere
			}
			i += next
			from = i
		}
		at, size := s.ascii[text[i]&(utf8.RuneSelf-1)], 1
		if text[i] >= utf8.RuneSelf {
			var r rune
			r, size = utf8.DecodeRuneInString(text[i:])
			at = s.search(r)
		}
		if next := m.next[int(state)+int(at)]; next >= 0 {
			state = next
		} else if state = m.step(state, int(at)); state < 0 {
			return m.result(from, i, state)
		}
		i += size
	}
	if last := m.step(state, len(s.classes)); last < 0 {
		return m.result(from, len(text), last)
	}
	return 0, 0, nowhere
}

// result returns the result of a scan. The library needs the character before a match if the match depends on it.
func (m *atlas) result(from, to int, state int32) (int, int, outlook) {
	o := unclear
	if state == matched {
		o = somewhere
	}
	if !m.between {
		from = 0
	}
	return from, to, o
}

// patience is the number of bytes between two checks of the context.
const patience = 1 << 16

// atlas is a scout's lazily built automaton: states (sets of waiting instructions) and their transitions by class.
type atlas struct {
	*scout
	width    int // of a row: the classes, and the end of the text
	freshEnd int // states below have nothing waiting: all that may match begins here

	next   []int32 // by state + class; a state is the index of its row
	states []threadSet
	index  map[string]int32
	work   int // instructions that may still be looked at

	seen   []int32 // by instruction: the step that has met it
	steps  int32
	stack  []uint32
	found  []uint32
	naming []byte
}

type threadSet struct {
	insts  []uint32 // in order
	before kind     // of the rune before
}

// Special values in a row of transitions.
const (
	unknown = -1 - iota
	matched
	tooMuch
)

const (
	// maxCells limits an atlas, at 4 bytes per cell.
	maxCells = 1 << 18

	// minWork is how much work a scout can always do.
	minWork = 4096
)

// newAtlas returns an empty atlas for a text of the given length.
func newAtlas(s *scout, length int) *atlas {
	m := &atlas{scout: s, width: len(s.classes) + 1, index: map[string]int32{}, work: max(minWork, length/2), seen: make([]int32, len(s.prog.Inst))}
	for k := range kinds {
		m.enter(nil, k)
	}
	m.freshEnd = len(m.next)
	return m
}

// fresh returns the state after a character of a kind without active instructions.
func (m *atlas) fresh(before kind) int32 { return int32(int(before) * m.width) }

// enter returns the state of instructions that wait, in order.
func (m *atlas) enter(insts []uint32, before kind) int32 {
	m.naming = append(m.naming[:0], byte(before))
	for _, pc := range insts {
		m.naming = binary.LittleEndian.AppendUint32(m.naming, pc)
	}
	if known, ok := m.index[string(m.naming)]; ok {
		return known
	}
	if len(m.next)+m.width > maxCells {
		return tooMuch
	}
	state := int32(len(m.next))
	m.index[string(m.naming)] = state
	m.states = append(m.states, threadSet{slices.Clone(insts), before})
	for range m.width {
		m.next = append(m.next, unknown)
	}
	return state
}

// step computes a transition. The class after the last one is the end of the text.
func (m *atlas) step(state int32, at int) (next int32) {
	if known := m.next[int(state)+at]; known != unknown {
		return known
	}
	from := m.states[int(state)/m.width]
	c := class{-1, edge}
	if at < len(m.classes) {
		c = m.classes[at]
	}
	m.steps++
	m.found = m.found[:0]
	m.stack = append(append(m.stack[:0], uint32(m.prog.Start)), from.insts...)
	if m.closure(c.first, syntax.EmptyOpContext(from.before.rune(), c.kind.rune())) {
		next = matched
	} else {
		slices.Sort(m.found)
		next = m.enter(slices.Compact(m.found), c.kind)
	}
	if m.work < 0 {
		return tooMuch
	}
	m.next[int(state)+at] = next
	return next
}

// closure follows the stacked instructions until they match or consume a rune; the latter are added to found.
func (m *atlas) closure(r rune, here syntax.EmptyOp) (match bool) {
	for len(m.stack) > 0 {
		pc := m.stack[len(m.stack)-1]
		m.stack = m.stack[:len(m.stack)-1]
		if m.seen[pc] == m.steps {
			continue
		}
		m.seen[pc] = m.steps
		m.work--
		switch inst := &m.prog.Inst[pc]; inst.Op {
		case syntax.InstMatch:
			return true
		case syntax.InstAlt, syntax.InstAltMatch:
			m.stack = append(m.stack, inst.Out, inst.Arg)
		case syntax.InstNop, syntax.InstCapture:
			m.stack = append(m.stack, inst.Out)
		case syntax.InstEmptyWidth:
			if syntax.EmptyOp(inst.Arg)&^here == 0 {
				m.stack = append(m.stack, inst.Out)
			}
		case syntax.InstRune, syntax.InstRune1, syntax.InstRuneAny, syntax.InstRuneAnyNotNL:
			if r >= 0 && inst.MatchRune(r) {
				m.found = append(m.found, inst.Out)
			}
		case syntax.InstFail:
		}
	}
	return false
}
