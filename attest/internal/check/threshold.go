package check

import (
	"strconv"

	"github.com/cupel-dev/cupel/internal/strictjson"
)

// The sources of a threshold, as results name them.
const (
	fromSpec    = "spec"
	fromDefault = "default"
)

// threshold is the least score that passes.
type threshold struct {
	value   float64 // of the spec, or the default of its type
	given   bool    // the spec has a number
	dynamic bool    // the spec wants it from earlier scores; without any, value
}

// threshold reads the member "threshold" of a spec: a number from 0 to 1, or "dynamic".
// Without one it is the default of the type.
func (s *spec) threshold(byDefault float64) threshold {
	n := s.node.Last("threshold")
	if n.TextIs("dynamic") {
		return threshold{value: byDefault, dynamic: true}
	}
	if n.Missing() {
		return threshold{value: byDefault}
	}
	return threshold{value: s.share("threshold"), given: true}
}

// share reads a number from 0 to 1.
func (s *spec) share(name string) float64 {
	n, _ := s.member(name, strictjson.Number)
	v, ok := n.Float()
	if !ok || v < 0 || v > 1 {
		s.fail(n, "Use a number from 0.0 to 1.0.", "%s must be between 0.0 and 1.0, got %s", name, n.Raw())
	}
	return v
}

// ruling is what a threshold says of a score.
type ruling struct {
	outcome  outcome
	sentence string // "exceeds threshold 0.7"
	source   string
}

// judge compares a score with the threshold.
func (t threshold) judge(score float64) ruling {
	r := ruling{outcome: held, sentence: "exceeds", source: fromDefault}
	switch {
	case !(score >= t.value):
		r.outcome, r.sentence = violated, "is below"
	case score == t.value:
		r.sentence = "meets"
	}
	r.sentence += " threshold " + decimals(t.value)
	if t.given {
		r.source = fromSpec
	}
	return r
}

func decimals(f float64) string { return strconv.FormatFloat(f, 'f', -1, 64) }
