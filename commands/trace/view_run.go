package tracecmd

import (
	"fmt"

	"github.com/cupel-dev/cupel/internal/page"
	"github.com/cupel-dev/cupel/trace"
)

func runView(r *trace.Report, o *trace.Outline) *page.Reasoning {
	run := o.Run
	view := &page.Reasoning{Input: r.Input, Events: run.Events}
	if o.Changed != "" {
		view.Left = append(view.Left, o.Changed)
	}
	unlisted := int64(0)
	for i := range run.Steps {
		s := &run.Steps[i]
		unlisted += s.Unlisted
		view.Steps = append(view.Steps, runStep(s))
	}
	if unlisted > 0 {
		view.Left = append(view.Left, fmt.Sprintf("%d of %d events are listed: the first ones, and later events with faults", run.Events-unlisted, run.Events))
	}
	for _, l := range run.Lost {
		view.Lost = append(view.Lost, page.ReasoningLine{Line: l.Line, Text: page.Excerpt(l.Text)})
	}
	if run.Rest > 0 {
		view.Left = append(view.Left, fmt.Sprintf("%d more lines that are not events", run.Rest))
	}
	return view
}

func runStep(s *trace.Step) page.ReasoningStep {
	shown := page.ReasoningStep{
		ID: s.ID, Lane: s.Kind, Started: s.Started, Finished: s.Finished, Line: s.Line, EndLine: s.EndLine,
		From: s.From, To: s.To, Unlisted: s.Unlisted, Steps: s.Steps, Errors: s.Errors,
	}
	for i := range s.Events {
		shown.Events = append(shown.Events, runEvent(&s.Events[i]))
	}
	return shown
}

func runEvent(e *trace.RunEvent) page.ReasoningEvent {
	shown := page.ReasoningEvent{
		Line: e.Line, Nth: e.Nth, Kind: e.Kind, ID: e.ID, Name: e.Name, Text: page.Excerpt(e.Text), Bad: e.Errors > 0,
	}
	if c := e.Claim; c != nil {
		shown.Claim = &page.ReasoningClaim{Type: c.Type, Unlisted: c.Unlisted}
		for i := range c.Quotes {
			shown.Claim.Quotes = append(shown.Claim.Quotes, quote(&c.Quotes[i]))
		}
	}
	if v := e.Evidence; v != nil {
		shown.Evidence = &page.ReasoningEvidence{
			Path: v.Path, Span: spanText(v.Span), Size: v.Size, Begin: page.Bytes(v.Begin.Text), Cut: v.Begin.Cut, Why: v.Why,
			Recorded: v.Recorded, Actual: v.Actual, Meant: meant(v.Meant),
		}
	}
	return shown
}

func quote(q *trace.Quote) page.Quote {
	holds := "unknown"
	if q.Holds != nil && *q.Holds {
		holds = "holds"
	} else if q.Fails {
		holds = "fails"
	}
	return page.Quote{
		Kind: q.Kind, Ref: q.Ref, Span: spanText(q.Span), Path: q.Path, Line: q.Line, Size: q.Size, Holds: holds, Marker: q.Marker, Suspect: q.Suspect,
		Before: page.Bytes(q.Before), Cited: page.Bytes(q.Cited.Text), After: page.Bytes(q.After), Cut: q.Cited.Cut,
		Why: q.Why, Recorded: q.Recorded, Actual: q.Actual, Meant: meant(q.Meant),
	}
}

func spanText(span *[2]int64) string {
	if span == nil {
		return ""
	}
	return fmt.Sprintf("[%d,%d]", span[0], span[1])
}

func meant(m *trace.Meant) *page.Meant {
	if m == nil {
		return nil
	}
	return &page.Meant{
		Note: m.Note, At: m.At, Before: page.Bytes(m.Before), After: page.Bytes(m.After),
		Expected: page.Bytes(m.Expected.Text), Found: page.Bytes(m.Found.Text), Cut: m.Expected.Cut + m.Found.Cut,
	}
}
