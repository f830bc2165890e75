package eval

import (
	"fmt"

	"github.com/cupel-dev/cupel/internal/say"
	"github.com/cupel-dev/cupel/oatf"
	"github.com/cupel-dev/cupel/oatf/capture"
	"github.com/cupel-dev/cupel/oatf/internal/protocol"
)

type state struct {
	applied  bool // there was a message for it
	resolved bool // its target has led to something
	text     bool // and that was a text
	matched  bool

	unrecorded bool // a message applied, but the capture lacks the examined data

	// Of the first match, or of the first error, or of the highest score.
	evidence string
	place    *Place
	fault    *oatf.EvaluationError
	score    *float64

	noted *int // counts messages referenced by states; can be nil

	unread string // why a part of the run cannot be read; "": all could
	gap    Place  // where that is
}

func (s *state) match(c *check, m *capture.Message, at Place, v oatf.Value, start, end int) {
	s.matched, s.fault = true, nil
	at.Start, at.End = start, end
	s.at(m, at)
	if s.evidence = ""; !c.opt.NoEvidenceText {
		s.evidence = excerpt(v, start, end, lastName(at.Path), c.opt.Hide)
	}
	switch {
	case c.alias != protocol.NoAlias:
		s.remark("a runner's name for " + aliasMeans[c.alias])
	case m.First > 0 && m.First < m.Line:
		s.remark(fmt.Sprintf("joined from lines %d to %d", m.First, m.Line))
	}
}

// remark appends an explanation to the evidence.
func (s *state) remark(text string) {
	if s.evidence != "" {
		s.evidence += " "
	}
	s.evidence += "(" + text + ")"
}

// miss records that a message does not have the target, for a pattern that requires that.
func (s *state) miss(c *check, m *capture.Message) {
	if s.matched {
		return // in other circumstances
	}
	s.match(c, m, Place{Path: *c.Target, Operator: "exists"}, "the value is missing", 0, 0)
}

// fail records an error. Only the first one counts.
func (s *state) fail(c *check, m *capture.Message, at Place, err error) {
	if s.fault != nil {
		return
	}
	kind := oatf.EvaluationCELError
	if c.Method == Semantic {
		kind = oatf.EvaluationSemanticError
	}
	s.fault = c.failed(kind, err)
	if c.Method == Semantic {
		s.fault.Kind = kind
	}
	if c.opt.NoEvidenceText {
		s.fault.Message, s.fault.Cause = "the evaluation failed", nil
	}
	s.evidence = diagnostic(s.fault)
	s.at(m, at)
}

func (s *state) at(m *capture.Message, at Place) {
	at.Input, at.Line, at.MessageIndex, at.Method = m.Input, m.Line, m.Index, m.Method
	s.place = &at
	if s.noted != nil {
		*s.noted++
	}
}

// diagnostic formats an error as evidence.
func diagnostic(e *oatf.EvaluationError) string {
	return escaped(say.Preview(e.Message, mostDiagnostic)) + " [" + string(e.Kind) + "]"
}

// mostDiagnostic limits the size of an error in a verdict.
const mostDiagnostic = 1 << 10

func (e *Evaluator) finish(states []state, reached *reach, broken error) AttackVerdict {
	var diagnostics []oatf.Diagnostic
	list := make([]IndicatorVerdict, len(states))
	now := e.opt.now()
	for i := range states {
		c, s := &e.indicators[i], &states[i]
		v := &list[i]
		*v = c.verdict(s, reached.shows(e, c), broken)
		v.IndicatorID, v.Timestamp, v.Source = c.IndicatorID, &now, e.opt.source()
		v.Blind = v.Result == NotMatched && !s.resolved && c.blind(e.profile)
		path := fmt.Sprintf("attack.indicators[%d]", i)
		switch {
		case v.Blind:
			v.Evidence = "the indicator can never match: no payload of " + string(c.Protocol) + " in any revision has a value at " + say.Quoted(*c.Target)
			diagnostics = append(diagnostics, blindTarget.of(path+"."+string(c.Method)+".target", about(v)))
		case v.Result == Skipped && c.absent == "":
			diagnostics = append(diagnostics, noMessage.of(path, about(v)))
		case v.Result == NotMatched && s.applied && !s.resolved && c.Method != Expression:
			diagnostics = append(diagnostics, nothingResolved.of(path+"."+string(c.Method)+".target", about(v)))
		case v.Result == NotMatched && c.textless(s):
			diagnostics = append(diagnostics, noText.of(path+".pattern.target", about(v)))
		}
	}
	verdict := combine(e.attack, list, diagnostics, &now, e.opt.source())
	if len(list) > 0 && broken == nil && !reached.present && reached.other && verdict.Result == AttackError && verdict.EvaluationSummary.Error == 0 {
		verdict.Result = NotApplicable
		verdict.Diagnostics = nil
	}
	if reached.delivery.payload != nil {
		verdict.Delivery = reached.delivery.answer()
	}
	return verdict
}

// textless reports whether an indicator that matches texts found only other values.
func (c *indicator) textless(s *state) bool { return c.textual && s.resolved && !s.text }

func about(v *IndicatorVerdict) string { return v.IndicatorID + ": " + v.Evidence }

func (c *indicator) verdict(s *state, shown bool, broken error) IndicatorVerdict {
	switch {
	case c.absent != "":
		return IndicatorVerdict{Result: Skipped, Evidence: c.absent}
	case c.fault != nil:
		return IndicatorVerdict{Result: Error, Evidence: diagnostic(c.fault), Err: c.fault}
	case s.matched:
		return IndicatorVerdict{Result: Matched, Evidence: s.evidence, Place: s.place, Score: s.score}
	case s.fault != nil:
		return IndicatorVerdict{Result: Error, Evidence: s.evidence, Place: s.place, Err: s.fault}
	case s.unread != "":
		return IndicatorVerdict{Result: Error, Evidence: "a part of the run cannot be read: " + s.unread, Place: &s.gap}
	case broken != nil:
		return IndicatorVerdict{Result: Error, Evidence: "the evaluation was interrupted: " + escaped(broken.Error())}
	case s.unrecorded:
		return IndicatorVerdict{Result: Skipped, Evidence: "the capture has messages for the indicator, but without the part that it examines"}
	case !s.applied && shown:
		return IndicatorVerdict{Result: NotMatched, Evidence: "the capture includes the sender of " + c.expected() + ", but the sender sent none"}
	case !s.applied:
		return IndicatorVerdict{Result: Skipped, Evidence: "the indicator applies to none of the messages: expected " + c.expected()}
	case !s.resolved && c.Method != Expression:
		return IndicatorVerdict{Result: NotMatched, Evidence: "none of the indicator's messages has a value at " + say.Quoted(*c.Target)}
	case c.textless(s):
		return IndicatorVerdict{Result: NotMatched, Evidence: "none of the indicator's messages has a text at " + say.Quoted(*c.Target) +
			", but its operators match only texts: name a deeper target"}
	}
	return IndicatorVerdict{Result: NotMatched, Evidence: s.evidence, Place: s.place, Score: s.score}
}
