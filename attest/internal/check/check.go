// Package check is what assertions say: their specs, compiled, and the checks of all layers.
// A check takes a trace that has been read and gives a verdict.
package check

import (
	"context"

	"github.com/cupel-dev/cupel/attest/internal/coverage"
	"github.com/cupel-dev/cupel/internal/strictjson"
)

// Check is the compiled spec of an assertion. It belongs to no trace and no request.
type Check interface {
	// evaluate checks a trace. It ends early when the context is done; the verdict is
	// worthless then.
	evaluate(ctx context.Context, s *Subject) Verdict
}

// preparedCheck is a check that tells the trace what it will look for, so that the
// checks on one text share one pass over it: all checks of a batch are prepared before
// the first is evaluated.
type preparedCheck interface {
	Check
	prepare(s *Subject)
}

// slowCheck is a check that asks somebody else for its verdict, which takes time but not
// the processor's: while it waits, others are evaluated.
type slowCheck interface {
	Check
	// question reads from the trace what has to be asked; nil: the verdict is known.
	question(s *Subject) (q *Question, known Verdict)
}

// asked is the verdict of a slow check, for a caller that waits for it.
func asked(ctx context.Context, c slowCheck, s *Subject) Verdict {
	q, known := c.question(s)
	if q == nil {
		return known
	}
	return q.Ask(ctx)
}

// Question is what is left to do of a slow check when the trace has been read.
type Question struct {
	Node     strictjson.Node                   // the place in the trace
	Announce func(ctx context.Context)         // nil, or says that Ask will be called: what is announced together is asked together
	Ask      func(ctx context.Context) Verdict // needs nothing of the trace any more
}

// Verdict is the outcome of one check.
type Verdict struct {
	outcome     outcome
	Score       float64 // 0.0 to 1.0
	Cost        float64 // USD; also what was spent before Err
	Explanation string
	Node        strictjson.Node // the place in the trace; may be absent
	hard        bool            // a failure that "soft" does not soften
	Err         error           // set: there is no verdict, and the request fails
	Fleeting    bool            // not to be remembered: another time may answer otherwise
	status      string          // set: it stands, whatever the outcome
	Unpaid      bool            // the assertion is skipped: asking a model would cost too much

	Expected        string // what the assertion wants, in short
	Actual          string // what the trace has
	SuggestedAction string // what may mend it
	ThresholdSource string // of a score that was compared: spec, default or dynamic
	Judge           *JudgeMetadata
	Found           bool           // a failure that no lost call could undo
	Lost            *coverage.Loss // because of which the assertion cannot be answered; nil: it can
	Plugin          *PluginResult  // that was submitted, and is the verdict; nil: none was
}

// JudgeMetadata says how a judge came to its verdict.
type JudgeMetadata struct {
	Model         string // that answered, as it calls itself
	RubricName    string
	RubricVersion string
	PromptHash    string    // the first 16 hex digits of the SHA-256 of the prompt
	SampleScores  []float64 // in the order in which they were asked for
	ScoreMean     float64
	ScoreStddev   float64
	HighVariance  bool
}

type outcome uint8

const (
	held outcome = iota
	violated
	unanswerable // the check cannot be answered on this trace: a hard failure always
)

func passed(n strictjson.Node, explanation string) Verdict {
	return Verdict{outcome: held, Score: 1, Node: n, Explanation: explanation}
}

func failed(n strictjson.Node, explanation string) Verdict {
	return Verdict{outcome: violated, Node: n, Explanation: explanation}
}

func broken(explanation string) Verdict {
	return Verdict{outcome: unanswerable, Explanation: explanation}
}

// Unpaid is the verdict on an assertion whose model is not asked: the calls have cost spent USD,
// and may cost most. cost is what was spent on this one before.
func Unpaid(most, spent string, cost float64) Verdict {
	v := broken("Skipped: the calls of models have cost "+spent+" USD, and they may cost "+most+" USD.").because(tooCostly, most, spent)
	v.Unpaid, v.Fleeting, v.Cost = true, true, cost
	return v
}

// The statuses of a result (§2.2).
const (
	Pass     = "pass"
	SoftFail = "soft_fail"
	HardFail = "hard_fail"
)

// Scored says whether the score is one that the check has found: not for want of something to
// look at or to ask, and not one that was submitted, which is known already.
func (v Verdict) Scored() bool {
	return v.outcome != unanswerable && v.status == "" && !v.Fleeting
}

// Status is the protocol's status of a verdict on a soft or a hard assertion.
func (v Verdict) Status(soft bool) string {
	switch {
	case v.status != "":
		return v.status
	case v.outcome == held:
		return Pass
	case v.outcome == violated && soft && !v.hard:
		return SoftFail
	}
	return HardFail
}
