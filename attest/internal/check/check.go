// Package check compiles assertion specs and implements the checks of all layers, from a trace to a verdict.
package check

import (
	"context"

	"github.com/cupel-dev/cupel/attest/internal/coverage"
	"github.com/cupel-dev/cupel/internal/strictjson"
)

// Check is the compiled spec of an assertion, independent of trace and request.
type Check interface {
	// evaluate checks a trace. If ctx ends, it returns early with a meaningless verdict.
	evaluate(ctx context.Context, s *Subject) Verdict
}

// preparedCheck registers the words that it searches for, so that a text is searched once for all checks of a
// batch. All checks are prepared before the first is evaluated.
type preparedCheck interface {
	Check
	prepare(s *Subject)
}

// slowCheck is a check that waits for a service, while other checks are evaluated.
type slowCheck interface {
	Check
	// question returns what to ask, or a verdict if the trace alone decides.
	question(s *Subject) (q *Question, known Verdict)
}

func asked(ctx context.Context, c slowCheck, s *Subject) Verdict {
	q, known := c.question(s)
	if q == nil {
		return known
	}
	return q.Ask(ctx)
}

// Question is what remains of a slow check after reading the trace.
type Question struct {
	Node     strictjson.Node                   // the place in the trace
	Announce func(ctx context.Context)         // can be nil; announces Ask, to combine questions
	Ask      func(ctx context.Context) Verdict // needs nothing of the trace any more
}

// Verdict is the outcome of one check.
type Verdict struct {
	outcome     outcome
	Score       float64 // 0.0 to 1.0
	Cost        float64 // USD; includes costs before Err
	Explanation string
	Node        strictjson.Node // place in the trace; can be absent
	hard        bool            // a failure that "soft" does not soften
	Err         error           // fails the request, without a verdict
	Fleeting    bool            // not to be remembered: another time may answer otherwise
	status      string          // fixed status, if set
	Unpaid      bool            // the assertion is skipped: asking a model would cost too much

	Expected        string // short form of the requirement
	Actual          string // actual value
	SuggestedAction string // what may mend it
	ThresholdSource string // of a score that was compared: spec, default or dynamic
	Judge           *JudgeMetadata
	Found           bool // a failure that no lost call could undo
	reason          failureReason
	Lost            *coverage.Loss // loss that makes the assertion unanswerable, or nil
	Plugin          *PluginResult  // that was submitted, and is the verdict; nil: none was
}

// JudgeMetadata describes how a judge came to its verdict.
type JudgeMetadata struct {
	Model         string // that answered, as it calls itself
	RubricName    string
	RubricVersion string
	PromptHash    string    // the first 16 hex digits of the SHA-256 of the prompt
	SampleScores  []float64 // in request order
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

// Unpaid returns the verdict when the cost limit prevents a model call: spent of most USD are used. cost is what
// this assertion has cost so far.
func Unpaid(most, spent string, cost float64) Verdict {
	v := broken("Skipped: model calls have cost "+spent+" USD, and the limit is "+most+" USD.").because(tooCostly, most, spent)
	v.Unpaid, v.Fleeting, v.Cost = true, true, cost
	return v
}

// The statuses of a result (§2.2).
const (
	Pass     = "pass"
	SoftFail = "soft_fail"
	HardFail = "hard_fail"
)

// Scored reports whether the check computed the score. It is false if input was missing or the score was submitted.
func (v Verdict) Scored() bool {
	return v.outcome != unanswerable && v.status == "" && !v.Fleeting
}

// LacksData reports whether the check fails because the trace has no value that it can be evaluated on.
func (v Verdict) LacksData() bool {
	return v.outcome == unanswerable && failureReasons[v.reason].missing
}

// Status returns the protocol's status for a soft or hard assertion.
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
