package check

import (
	"cmp"
	"fmt"
	"math"
	"strconv"

	"github.com/cupel-dev/cupel/attest/internal/drift"
	"github.com/cupel-dev/cupel/attest/internal/wording"
	"github.com/cupel-dev/cupel/internal/strictjson"
)

// The sources of a threshold in results.
const (
	fromSpec    = "spec"
	fromDefault = "default"
	fromPast    = "dynamic"
)

// threshold is the minimum score to pass.
type threshold struct {
	value   float64 // of the spec, or the default of its type
	given   bool    // the spec has a number
	dynamic bool    // the spec wants it from earlier scores; as long as there are too few, value
	past    drift.Stats
	enough  bool // past has made value
}

// pastCheck is a check whose threshold can depend on earlier scores of its assertion.
type pastCheck interface {
	Check
	// dynamic reports whether the threshold depends on earlier scores.
	dynamic() bool
	// against returns the check with a threshold computed from earlier scores.
	against(past drift.Stats) Check
}

// against returns the threshold computed from earlier scores. It rejects unusually low scores.
func (t threshold) against(past drift.Stats) threshold {
	t.past = past
	if value, enough := past.Threshold(); enough && t.dynamic {
		t.value, t.enough = value, true
	}
	return t
}

// readThreshold reads "threshold": a number from 0 to 1, or "dynamic". The default depends on the type.
func readThreshold(s *spec, byDefault float64) threshold {
	n := s.node.Last("threshold")
	if n.TextIs("dynamic") {
		return threshold{value: byDefault, dynamic: true}
	}
	if n.Missing() {
		return threshold{value: byDefault}
	}
	if word, ok := n.Text(); ok {
		s.fail(n, `Use a number from 0.0 to 1.0, or "dynamic".`, "threshold must be a number or 'dynamic', got '%s'", wording.Preview(word))
	}
	return threshold{value: readShare(s, "threshold"), given: true}
}

func readShare(s *spec, name string) float64 {
	n, _ := s.member(name, strictjson.Number)
	v, ok := n.Float()
	if !ok || v < 0 || v > 1 {
		s.fail(n, "Use a number from 0.0 to 1.0.", "%s must be between 0.0 and 1.0, got %s", name, n.Raw())
	}
	return v
}

type thresholdResult struct {
	outcome  outcome
	sentence string // "exceeds threshold 0.7"
	source   string
}

func (t threshold) judge(score float64) thresholdResult {
	if t.enough {
		score = max(0, score) // as it was recorded
	}
	r := thresholdResult{outcome: held, sentence: "exceeds", source: fromDefault}
	switch {
	case !(score >= t.value):
		r.outcome, r.sentence = violated, "is below"
	case score == t.value:
		r.sentence = "meets"
	}
	r.sentence += " threshold " + t.formatFor(score) + t.origin()
	switch {
	case t.enough:
		r.source = fromPast
	case t.given:
		r.source = fromSpec
	}
	return r
}

// origin explains in parentheses how the threshold was computed.
func (t threshold) origin() string {
	if !t.enough {
		return ""
	}
	return fmt.Sprintf(" (mean %s of the last %d scores less %d standard deviations of %s)",
		rounded(t.past.Mean, t.value), t.past.Count, drift.Bounds, rounded(t.past.StdDev, 0))
}

// formatFor formats the threshold for a message: with four decimals if computed, or in full if rounding would
// change the comparison.
func (t threshold) formatFor(score float64) string {
	short := math.Round(t.value*1e4) / 1e4
	written, err := strconv.ParseFloat(rounded(score, t.value), 64)
	if t.enough && err == nil && cmp.Compare(short, score) == cmp.Compare(t.value, score) && cmp.Compare(short, written) == cmp.Compare(t.value, written) {
		return decimals(short)
	}
	return decimals(t.value)
}

func decimals(f float64) string { return strconv.FormatFloat(f, 'f', -1, 64) }

// rounded formats a score with two decimals, or with more if needed to compare correctly with the threshold.
func rounded(score, threshold float64) string {
	for digits := 2; digits < 17; digits++ {
		short, err := strconv.ParseFloat(strconv.FormatFloat(score, 'f', digits, 64), 64)
		if err == nil && cmp.Compare(short, threshold) == cmp.Compare(score, threshold) {
			return decimals(short + 0) // no -0
		}
	}
	return decimals(score)
}
