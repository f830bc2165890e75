package attestcmd

import (
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/cupel-dev/cupel/attest"
	"github.com/cupel-dev/cupel/attest/importer"
	"github.com/cupel-dev/cupel/attest/suite"
	"github.com/cupel-dev/cupel/commands/internal/cmdline"
	"github.com/cupel-dev/cupel/internal/report"
)

// suiteElement is an element of "suites".
type suiteElement struct {
	Trace      string            `json:"trace"`
	From       importer.Format   `json:"from,omitempty"` // format that the trace was converted from, …
	Also       []importer.Format `json:"also,omitempty"` // other possible formats
	Results    []json.RawMessage `json:"results"`
	TotalCost  float64           `json:"total_cost"`
	DurationMS int64             `json:"total_duration_ms"`
	Error      json.RawMessage   `json:"error,omitempty"`
	Coverage   *attest.Coverage  `json:"coverage,omitempty"` // of an import
	counts     *evalCounts       // of the results, or nil
}

// Brief returns the element without its results, which were reported separately.
func (e suiteElement) Brief() any {
	if e.counts == nil {
		return e
	}
	return struct {
		Trace      string            `json:"trace"`
		From       importer.Format   `json:"from,omitempty"`
		Also       []importer.Format `json:"also,omitempty"`
		TotalCost  float64           `json:"total_cost"`
		DurationMS int64             `json:"total_duration_ms"`
		evalCounts
	}{e.Trace, e.From, e.Also, e.TotalCost, e.DurationMS, *e.counts}
}

// fail reports an input that could not be read.
func (e *evalRun) fail(name string, cause error) error {
	e.counts.Error++
	e.matrix.refuse(name, cause.Error())
	answer := report.Answer{
		List: "suites", Value: suiteElement{Trace: name, Results: []json.RawMessage{}},
		Subject: name, Outcome: report.Outcome{Weight: report.Unanswered, Word: "could not be read"},
	}
	return errors.Join(e.out.Fail(cause), e.out.Answer(answer))
}

type answered struct {
	results [][]suite.Result // of each suite
	refused *attest.Error    // the trace could not be evaluated
	took    time.Duration
	asked   []modelRequests // of each suite, in a dry run
	called  []string
}

func (e *evalRun) evaluate(t namedTrace) answered {
	start := time.Now()
	if t.Refused != nil {
		return answered{refused: t.Refused}
	}
	if len(e.suites.list) == 0 { // all of them ask models
		return answered{refused: refusal(e.engine.ValidateText(t.TraceText)), took: e.engine.Took(start)}
	}
	var asks []modelRequests
	if e.estimator != nil {
		asks = make([]modelRequests, len(e.suites.list))
	}
	results, err := e.suites.evaluate(e.env.Context, t.name, t.TraceText, asks)
	return answered{results, refusal(err), e.engine.Took(start), asks, e.suites.called(t.Raw)}
}

func (e *evalRun) trace(t namedTrace, a answered) error {
	if err := e.env.Context.Err(); err != nil {
		return err
	}
	if a.refused != nil {
		return e.refuse(t, a.refused)
	}
	if e.estimator != nil {
		for i := range a.asked {
			e.suites.list[i].estimate.add(&a.asked[i], e.estimator, e.out)
		}
		return nil
	}
	element := suiteElement{Trace: t.name, From: t.origin(), Also: t.Also, Coverage: t.Coverage, Results: []json.RawMessage{}, DurationMS: a.took.Milliseconds()}
	var counts, open evalCounts
	var cost attest.Costs
	var known []bool // whether a baseline accepts each result
	var changes []*change
	for i, results := range a.results {
		if err := e.scores.add(e.env.Context, e.engine, results); err != nil {
			if err := e.out.Fail(err); err != nil {
				return err
			}
		}
		before := open.SoftFail
		for _, r := range results {
			e.labels.compare(t, r)
			raw, verdict, err := e.result(t.name, r)
			if err != nil {
				return err
			}
			accepted := verdict == byBaseline
			element.Results = append(element.Results, raw)
			e.suites.list[i].results[r.Case]++
			known = append(known, accepted)
			changes = append(changes, e.against.compare(t.name, r))
			cost.Add(r.Cost)
			counts.count(r.Result)
			switch verdict {
			case byBaseline:
				counts.Accepted++
			case counted:
				open.count(r.Result)
			}
		}
		e.suites.list[i].soft += open.SoftFail - before
	}
	e.suites.meet(a.called)
	e.repeats.add(t, a.results)
	e.matrix.take(t, a.results, known, changes)
	element.TotalCost = cost.Total()
	e.counts.add(counts)
	e.open.add(open)
	element.counts = &counts
	answer := report.Answer{
		List: "suites", Value: element, Subject: t.name, Remarks: append(t.readAs(), e.models.replayed(t.name, a.results)...), Outcome: report.Outcome{Weight: report.Good, Word: counts.String()}, Total: true,
	}
	if len(element.Results) == 0 {
		answer.Weight, answer.Word = report.Caution, "not evaluated: no suite selects it"
	}
	switch {
	case open.HardFail > 0:
		answer.Weight = report.Bad
	case counts.Unanswerable > 0:
		answer.Weight = report.Unanswered
	case counts.HardFail+counts.SoftFail > 0:
		answer.Weight = report.Caution
	}
	return e.out.Answer(answer)
}

// refuse reports a trace that could not be evaluated.
func (e *evalRun) refuse(t namedTrace, refused *attest.Error) error {
	e.counts.Error++
	e.matrix.refuse(t.name, refused.Message)
	element := suiteElement{Trace: t.name, From: t.origin(), Also: t.Also, Results: []json.RawMessage{}, Error: refused.AppendJSON(nil)}
	return errors.Join(
		e.out.Fault(t.finding(refused)),
		e.out.Fail(&cmdline.InFindings{Err: fmt.Errorf("%s: %s", t.name, refused.Message), What: fmt.Sprintf("cannot evaluate %q", t.name)}),
		e.out.Answer(report.Answer{List: "suites", Value: element, Subject: t.name, Outcome: report.Outcome{Weight: report.Unanswered}}))
}

// standing is how a result counts for the run.
type standing uint8

const (
	counted    standing = iota // by its status
	byBaseline                 // a failure that a baseline accepts
	byPolicy                   // a hard failure that the policy allows, or counts at the end of the run
)

// result reports a result: a finding unless it passes, and an answer. Only a hard failure that nothing allows fails
// the run. raw is the result as JSON.
func (e *evalRun) result(trace string, r suite.Result) (raw json.RawMessage, how standing, err error) {
	f, failed := r.Finding(trace)
	if failed && e.out.Accepted(f) {
		how = byBaseline
	}
	raw = resultJSON(r, how == byBaseline)
	answer := report.Answer{
		Type: "result", Value: traceResult{trace, raw}, Subject: r.AssertionID, Group: trace,
		Outcome: report.Outcome{Weight: report.Good}, Implied: true,
	}
	if !failed {
		return raw, counted, e.out.Answer(answer)
	}
	if r.Skipped && r.Status == attest.HardFail {
		e.unpaid++
		answer.Weight = report.Unanswered
		return raw, counted, e.out.Answer(answer)
	}
	if r.Status == attest.Unanswerable {
		answer.Weight, answer.Reason = report.Unanswered, r.Explanation
		return raw, counted, errors.Join(e.out.Fault(f), e.out.Answer(answer))
	}
	answer.Weight = report.Caution
	if hard := r.Status == attest.HardFail; how != byBaseline && e.gate.allows(r, &f) && hard {
		how = byPolicy
	} else if how != byBaseline && hard {
		answer.Weight, answer.Reason = report.Bad, r.Explanation
		e.out.No()
	}
	return raw, how, errors.Join(e.out.Finding(f), e.out.Answer(answer))
}

type traceResult struct {
	Trace  string          `json:"trace"`
	Result json.RawMessage `json:"result"`
}

// resultJSON returns the protocol's result with its positions in suite and trace, and whether a baseline accepts
// it.
func resultJSON(r suite.Result, accepted bool) json.RawMessage {
	object := r.AppendJSON(nil)
	object = object[:len(object)-1]
	if accepted {
		object = append(object, `,"accepted":true`...)
	}
	if class := r.FailureClass(); class != "" {
		object = append(append(append(object, `,"failure_class":"`...), class...), '"')
	}
	object = append(object, `,"place":`...)
	return append(r.Place.AppendJSON(object, r.Pointer), '}')
}
