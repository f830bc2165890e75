package check

import (
	"context"

	"github.com/cupel-dev/cupel/attest/internal/coverage"
	"github.com/cupel-dev/cupel/attest/internal/decimal"
	"github.com/cupel-dev/cupel/attest/internal/target"
	"github.com/cupel-dev/cupel/attest/internal/trace"
)

// Unanswerable is the status of an assertion that needs data which an import lost. It is not in the protocol.
const Unanswerable = "unanswerable"

// doubtful is a check whose verdict can depend on lost data.
type doubtful interface {
	// doubts returns the loss that makes a verdict uncertain, or nil.
	doubts(s *Subject, v Verdict) *coverage.Loss
}

// doubted makes a verdict unanswerable if it depends on lost data.
func doubted(c Check, s *Subject, v Verdict) Verdict {
	if s.coverage == nil || s.coverage.Complete || s.allowIncomplete || v.Err != nil || v.status != "" || v.Found {
		return v
	}
	d, ok := c.(doubtful)
	if !ok {
		return v
	}
	l := d.doubts(s, v)
	if l == nil {
		return v
	}
	u := broken("Cannot be answered: "+l.Why+".").because(recordLost, string(l.What), l.Why)
	u.status, u.Node, u.Lost = Unanswerable, v.Node, l
	return u
}

// mode says how a check of calls depends on whether all calls are recorded.
type mode uint8

const (
	absence  mode = iota // it passes where something is not there
	presence             // it fails where something is not there
	both
)

type checkWithMode struct {
	Check
	mode mode
}

func (c checkWithMode) evaluate(ctx context.Context, s *Subject) Verdict {
	return c.Check.evaluate(ctx, s)
}

func (c checkWithMode) doubts(s *Subject, v Verdict) *coverage.Loss {
	if v.outcome == held && c.mode == presence || v.outcome == violated && c.mode == absence {
		return nil
	}
	return s.coverage.First(coverage.Calls, coverage.Spans)
}

// modes maps checks of calls and trees to their mode.
var modes = map[string]mode{
	"forbidden_tools": absence, "no_duplicates": absence, "loop_detection": absence,
	"required_tools": presence, "contains_in_order": presence, "agent_called": presence, "all_tools_called": presence,
	"delegation_depth": absence,
}

// modeOf returns the mode of a check. By default, losses can change the result in both directions.
func modeOf(name string) mode {
	if m, ok := modes[name]; ok {
		return m
	}
	return both
}

// stepLoss returns the loss that affects a target's values in steps, or nil.
func stepLoss(t *target.Target, s *Subject) *coverage.Loss {
	kinds := []coverage.What{coverage.Calls, coverage.Spans}
	if len(t.Path) > 0 && t.Path[0].Kind == target.StepByType {
		if t.Path[0].Name == trace.LLMCall {
			kinds = []coverage.What{coverage.ModelCalls}
		}
	} else if len(t.Path) == 0 || t.Path[0].Kind != target.StepByName {
		kinds = append(kinds, coverage.ModelCalls)
	}
	return s.coverage.First(append(kinds, coverage.Args, coverage.Results)...)
}

// targetLoss returns the loss that affects a target's values, or nil. missing means that the target has no values.
func targetLoss(t *target.Target, s *Subject, missing bool) *coverage.Loss {
	switch {
	case t.Root == trace.Steps:
		return stepLoss(t, s)
	case missing:
		return s.coverage.First(coverage.Messages, coverage.Spans, coverage.Calls, coverage.ModelCalls, coverage.Tokens, coverage.Times)
	case t.Root == trace.Output || t.Root == trace.Input:
		return s.coverage.First(coverage.Messages)
	}
	return nil
}

func (c *contentCheck) doubts(s *Subject, v Verdict) *coverage.Loss {
	return targetLoss(&c.target, s, v.outcome == unanswerable)
}

func (c *schemaCheck) doubts(s *Subject, v Verdict) *coverage.Loss {
	return targetLoss(&c.target, s, v.outcome == unanswerable)
}

func (c *constraint) doubts(s *Subject, v Verdict) *coverage.Loss {
	if c.field.Root == trace.Steps && c.field.reduced == "length" && c.certain(s, v) {
		return nil
	}
	return targetLoss(&c.field.Target, s, v.outcome == unanswerable)
}

// certain reports whether the verdict on a count also holds for higher counts.
func (c *constraint) certain(s *Subject, v Verdict) bool {
	n, ok := c.field.countSteps(s.Trace)
	if !ok || c.grows == nil {
		return false
	}
	return c.grows(decimal.FromInt(n), v.outcome == held)
}
