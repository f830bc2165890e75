package payload

import (
	"bytes"
	"math"
	"strconv"

	"github.com/cupel-dev/cupel/evidence"
	"github.com/cupel-dev/cupel/internal/digest"
)

// shape is the members of a type's data. Unknown members are accepted.
type shape struct {
	eventType string
	missing   rule // a required member is not there
	wrong     rule // a member is of another type
	members   []member
}

// member is a row of a shape. Rows are sorted by name.
type member struct {
	name     string
	form     form
	required bool     // else null and absent are the same
	words    []string // possible words
	other    rule     // another value of the right type breaks it
}

// form is the form of a member's value.
type form uint8

const (
	text     form = iota
	word          // a text of a closed set
	digested      // the text form of a SHA-256 digest
	filled        // a text that is not blank
	count         // an integer from 0
	depth         // an integer from 1 that 32 bits hold
	moment        // a text, or an integer from 0
	texts         // an array of texts
	counts        // an object of integers from 0
)

// wanted describes the forms.
var wanted = [...]string{
	text: "a string", word: "a string", digested: "a string", filled: "a string", count: "an integer from 0",
	depth: "a number", moment: "a string or an integer from 0", texts: "an array of strings", counts: "an object of integers from 0",
}

// misfit returns the mistyped value in a member: itself, or the first wrong element or member; the
// zero Value if none.
func (f form) misfit(v evidence.Value) evidence.Value {
	fits := false
	switch f {
	case texts:
		return firstMisfit(v, evidence.KindArray, isText)
	case counts:
		return firstMisfit(v, evidence.KindObject, isCount)
	case count:
		fits = isCount(v)
	case depth:
		fits = v.Kind() == evidence.KindNumber
	case moment:
		fits = isText(v) || isCount(v)
	default:
		fits = isText(v)
	}
	if fits {
		return evidence.Value{}
	}
	return v
}

func firstMisfit(v evidence.Value, kind evidence.Kind, fits func(evidence.Value) bool) evidence.Value {
	if v.Kind() != kind {
		return v
	}
	for child := range v.Children() {
		if !fits(child) {
			return child
		}
	}
	return evidence.Value{}
}

func isText(v evidence.Value) bool { return v.Kind() == evidence.KindString }

func isCount(v evidence.Value) bool {
	n, ok := integer(v)
	return ok && n >= 0
}

// integer returns the value of a number without a fraction, in any notation, because the canonical form does not
// keep it.
func integer(v evidence.Value) (n float64, ok bool) {
	if i, exact := v.Int(); exact {
		return float64(i), true
	}
	if v.Kind() != evidence.KindNumber {
		return 0, false
	}
	n, err := strconv.ParseFloat(string(v.Raw()), 64)
	return n, err == nil && n == math.Trunc(n)
}

// accepts reports whether the member can have a value of the right type.
func (m *member) accepts(v evidence.Value, scratch []byte) bool {
	switch m.form {
	case word:
		value := v.TextBytes(scratch)
		for _, w := range m.words {
			if string(value) == w {
				return true
			}
		}
		return false
	case digested:
		_, ok := digest.Parse(v.TextBytes(scratch))
		return ok
	case filled:
		return len(bytes.TrimSpace(v.TextBytes(scratch))) > 0
	case depth:
		n, ok := integer(v)
		return ok && 1 <= n && n <= math.MaxUint32
	}
	return true
}

// index returns a member's index, or -1. The search starts at next, because members are usually in canonical order.
func (s *shape) index(name []byte, next int) int {
	for range s.members {
		if next == len(s.members) {
			next = 0
		}
		if s.members[next].name == string(name) {
			return next
		}
		next++
	}
	return -1
}

// place is the index of a member that the shape has.
func (s *shape) place(name string) int {
	i := s.index([]byte(name), 0)
	if i < 0 {
		panic("payload.shape.place: " + s.eventType + " has no member " + name)
	}
	return i
}
