package secrets

import (
	"bytes"
	"cmp"
	"slices"
)

// Hit is a rule by which something was hidden.
type Hit struct {
	Rule string // the name of one of [Rules]
}

// Scanner holds the memory that its calls reuse: a text in which nothing is found costs no
// allocation. It is not safe for concurrent use; give each worker one. The zero value is
// ready.
type Scanner struct {
	found
	hits   []Hit
	seen   uint32 // the rules of the hits, by bit
	merged []hidden
	before []byte // the text while a step writes the next one
}

// Clean hides everything in a text: first what stands behind markers and flags, and the
// user parts of URLs; of what remains then, what the table's rules match; then home
// folders. When it finds nothing, out is text itself. Else it is dst's memory, written from
// its start, and hits are the rules in the order in which each first hid something; both are
// valid until the next call. The text must not lie in dst's memory, and is shorter than 2 GiB.
//
// Clean changes its own output no more, and [Scanner.Sweep] finds nothing in it.
func (s *Scanner) Clean(dst, text []byte) (out []byte, hits []Hit) {
	s.hits, s.seen = s.hits[:0], 0
	for range mostSteps {
		next, changed := s.step(dst[:0], text)
		if !changed {
			break
		}
		s.before = append(s.before[:0], next...)
		dst, text = next, s.before
	}
	if len(s.hits) == 0 {
		return text, nil
	}
	return append(dst[:0], text...), s.hits
}

// mostSteps ends what would go on for ever if a step changed its own output. Five are the
// most that a text was found to need, of millions built of the rules' own fragments.
const mostSteps = 16

// step does what is to be done first with a text.
func (s *Scanner) step(dst, text []byte) (out []byte, changed bool) {
	s.find(text, false)
	homes := s.homes
	s.hideKeys(text)
	if len(s.marks) > 0 {
		return s.hideAll(dst, text), true
	}
	for _, m := range s.matches {
		s.marks = append(s.marks, m.hidden)
	}
	if len(s.marks) > 0 {
		return s.hideAll(dst, text), true
	}
	if !homes {
		return dst, false
	}
	return s.generalize(dst, text)
}

// hideKeys hides private keys, whose first line alone the rule takes, and with the marks
// what a match has of them and more: a value that is the beginning of a secret.
func (s *Scanner) hideKeys(text []byte) {
	for _, m := range s.matches {
		if m.hidden.rule == rulePEM {
			s.hideKey(text, m)
		}
	}
	if len(s.marks) == 0 || len(s.matches) == 0 {
		return
	}
	byStart(s.marks)
	s.matchesByStart()
	s.merged = s.merged[:0]
	covered, next := int32(0), 0
	for _, m := range s.matches {
		for ; next < len(s.marks) && s.marks[next].start <= m.start; next++ {
			covered = max(covered, s.marks[next].end)
			s.merged = append(s.merged, s.marks[next])
		}
		if m.start < covered {
			s.merged = append(s.merged, m.hidden)
			covered = max(covered, m.hidden.end)
		}
	}
	s.merged = append(s.merged, s.marks[next:]...)
	s.marks, s.merged = s.merged, s.marks
}

// matchesByStart sorts the matches, which were found by their rare bytes.
func (s *Scanner) matchesByStart() {
	for i := 1; i < len(s.matches); i++ {
		if s.matches[i].start < s.matches[i-1].start {
			slices.SortStableFunc(s.matches, func(a, b match) int { return cmp.Compare(a.start, b.start) })
			return
		}
	}
}

// byStart sorts marks. Mostly they are found in order.
func byStart(marks []hidden) {
	for i := 1; i < len(marks); i++ {
		if marks[i].start < marks[i-1].start {
			slices.SortStableFunc(marks, func(a, b hidden) int { return cmp.Compare(a.start, b.start) })
			return
		}
	}
}

// hideAll writes a text with three stars for each of the marks. Those that touch are one.
func (s *Scanner) hideAll(dst, text []byte) []byte {
	byStart(s.marks)
	at := int32(0)
	for i, m := range s.marks {
		if i > 0 && m.start <= at {
			at = max(at, m.end)
			continue
		}
		dst = append(append(dst, text[at:m.start]...), stars...)
		s.hit(m.rule)
		at = m.end
	}
	return append(dst, text[at:]...)
}

func (s *Scanner) hit(rule uint8) {
	if s.seen&(1<<rule) == 0 {
		s.seen |= 1 << rule
		s.hits = append(s.hits, Hit{rows[rule].Name})
	}
}

// Whole says whether a text, trimmed of white space, is a secret as a whole, by one of the
// table's rules, or begins with a private key. A text that only gives a secret's value, as
// the two last rules have it, is none.
func (s *Scanner) Whole(text []byte) (rule string, ok bool) {
	text = bytes.TrimSpace(text)
	if len(text) == 0 {
		return "", false
	}
	s.found = found{marks: s.marks[:0], matches: s.matches[:0]}
	for i, c := range text[:min(len(text), longestAnchor)] {
		if anchors[c] {
			s.shape(text, i, c)
		}
	}
	for _, m := range s.matches {
		if m.start == 0 && (m.hidden.rule == rulePEM || m.hidden.start == 0 && int(m.end) == len(text)) {
			return rows[m.hidden.rule].Name, true
		}
	}
	return "", false
}

// longestAnchor is within how many bytes a rule's rare byte stands: "bearer" and a blank.
const longestAnchor = len("bearer ")

// Sweep says whether any rule of the table still matches a text that was redacted, and
// which.
func (s *Scanner) Sweep(text []byte) (rule string, ok bool) {
	s.find(text, true)
	if len(s.matches) == 0 {
		return "", false
	}
	return rows[s.matches[0].hidden.rule].Name, true
}
