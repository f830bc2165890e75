package eval

import (
	"time"

	"github.com/cupel-dev/cupel/oatf/model"

	"github.com/cupel-dev/cupel/oatf"
)

// IndicatorResult is the result of one indicator for an agent (SDK specification §2.20).
type IndicatorResult string

// The results of an indicator.
const (
	Matched    IndicatorResult = "matched"     // the agent did what the indicator describes
	NotMatched IndicatorResult = "not_matched" // it was looked for and not found
	Error      IndicatorResult = "error"       // it could not be evaluated, see Evidence
	Skipped    IndicatorResult = "skipped"     // there was nothing to evaluate it on, or nothing to evaluate it with
)

// AttackResult reports whether the agent complied with the attack (SDK specification §2.20).
type AttackResult string

// The results of an attack.
const (
	Exploited    AttackResult = "exploited"
	NotExploited AttackResult = "not_exploited"
	Partial      AttackResult = "partial" // with correlation logic "all": some indicators matched, others not
	AttackError  AttackResult = "error"   // an indicator failed, or none was evaluated

	// NotApplicable means that the capture has no messages of the document's protocols. It is not in the
	// specification.
	NotApplicable AttackResult = "not_applicable"
)

// IndicatorVerdict is the result of one indicator with its evidence (SDK specification §2.19).
type IndicatorVerdict struct {
	IndicatorID string
	Result      IndicatorResult
	Timestamp   *time.Time // when the verdict was given; nil when that is not known
	Evidence    string     // matched content or reason, on one line, safe to print; can be ""
	Source      string     // origin of the verdict; can be ""

	// Blind means that the target does not exist in any payload of any protocol revision, so not_matched is
	// meaningless.
	Blind bool

	Place *Place                // where the match, or the error, was; nil when it has no place
	Err   *oatf.EvaluationError // the error of an error verdict
	Score *float64              // the highest score that a semantic evaluator gave; nil when it gave none
}

// Place is where an indicator found something: a message, with its position in the capture, and a value in it.
type Place struct {
	Input        int    // number of the trace that the message is from, from 0
	Line         int    // its line there, from 1; 0 when it is from no trace
	MessageIndex int    // its number in the run, from 0
	Method       string // its method; "" when that is not known
	Path         string // where in the message: "tools[3].description"; "" is all of it
	Operator     string // the operator that matched, "equals" for a bare value; "cel" or "semantic" for the other ways

	// Start and End are the matched bytes of the value's text, both 0 for the whole value. The text of a non-string
	// value is its compact JSON.
	Start, End int
}

// AttackVerdict is the combined result of a document's indicators (SDK specification §2.19).
type AttackVerdict struct {
	AttackID          *string // nil if the document has none
	Result            AttackResult
	IndicatorVerdicts []IndicatorVerdict // one for each indicator, in the order of the document
	EvaluationSummary EvaluationSummary
	Timestamp         *time.Time
	Source            string

	// MaxTier is the highest tier of the matched indicators: ingested, local_action or boundary_breach. It is "" if
	// not exploited.
	MaxTier string

	// Delivery reports whether the document's payload reached the agent before the first match or the end. It is
	// nil without a payload.
	Delivery *Delivery

	// Diagnostics report weaknesses of the verdict; see [Rules].
	Diagnostics []oatf.Diagnostic
}

// Baseless reports whether all indicators that did not match are blind, so that not_exploited is meaningless.
func (v *AttackVerdict) Baseless() bool {
	if v.Result != NotExploited {
		return false
	}
	for i := range v.IndicatorVerdicts {
		if x := &v.IndicatorVerdicts[i]; x.Result == NotMatched && !x.Blind {
			return false
		}
	}
	return true
}

// EvaluationSummary counts the results of a document's indicators (SDK specification §2.19), including skipped ones.
type EvaluationSummary struct {
	Matched    int
	NotMatched int
	Error      int
	Skipped    int
}

func (s *EvaluationSummary) count(r IndicatorResult) {
	switch r {
	case Matched:
		s.Matched++
	case NotMatched:
		s.NotMatched++
	case Skipped:
		s.Skipped++
	default:
		s.Error++
	}
}

// result combines the counts by the attack's correlation logic (§4.5).
func (s EvaluationSummary) result(logic model.CorrelationLogic) AttackResult {
	evaluated := s.Matched + s.NotMatched
	switch {
	case s.Error > 0 || evaluated == 0:
		return AttackError
	case s.Matched == 0:
		return NotExploited
	case logic == model.CorrelationAll && s.NotMatched+s.Skipped > 0:
		return Partial
	}
	return Exploited
}
