package oatfcmd

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/cupel-dev/cupel/commands/internal/cmdline"
	"github.com/cupel-dev/cupel/internal/report"
	"github.com/cupel-dev/cupel/internal/say"
	"github.com/cupel-dev/cupel/oatf"
	"github.com/cupel-dev/cupel/oatf/model"
	"github.com/cupel-dev/cupel/oatf/simulate"
)

var stepColumns = []report.Column{{Name: "TIME", Right: true}, {Name: "ACTOR", Cut: true}, {Name: "PHASE", Cut: true}, {Name: "STEP"}, {Name: "WHAT", Cut: true}}

// stepJSON is an element of "steps". Members that do not apply are omitted.
type stepJSON struct {
	Step    string      `json:"step"`
	Elapsed json.Number `json:"elapsed"` // in seconds
	Actor   string      `json:"actor,omitempty"`
	Phase   string      `json:"phase,omitempty"`
	Input   string      `json:"input,omitempty"`
	Line    int         `json:"line,omitempty"`
	Event   string      `json:"event,omitempty"`

	Mode      string          `json:"mode,omitempty"`
	Role      string          `json:"role,omitempty"`
	Counted   *bool           `json:"counted,omitempty"` // by the phase's trigger
	Count     *int64          `json:"count,omitempty"`
	Needed    *int64          `json:"needed,omitempty"`
	Action    string          `json:"action,omitempty"`
	Skipped   bool            `json:"skipped,omitempty"`
	Extractor string          `json:"extractor,omitempty"`
	Place     *string         `json:"place,omitempty"` // in the state; "" when nothing is answered
	Generated bool            `json:"generated,omitempty"`
	Value     json.RawMessage `json:"value,omitempty"`
	Reason    string          `json:"reason,omitempty"`
	Next      string          `json:"next,omitempty"`

	Kind          string        `json:"kind,omitempty"` // of an error
	Message       string        `json:"message,omitempty"`
	PromptPreview string        `json:"prompt_preview,omitempty"`
	Warnings      []warningJSON `json:"warnings,omitempty"`
}

type warningJSON struct {
	Code    string `json:"code,omitempty"`
	Message string `json:"message"`
}

// actorJSON is an element of "actors".
type actorJSON struct {
	Name       string            `json:"name"`
	Mode       oatf.Mode         `json:"mode"`
	Phase      string            `json:"phase"`
	Number     int               `json:"phase_number"`
	Phases     int               `json:"phases"`
	Entered    json.Number       `json:"entered"`
	Count      int64             `json:"count"`
	Complete   bool              `json:"complete"`
	Extractors map[string]string `json:"extractors"`
}

type simulationCounts struct {
	Events    int           `json:"events"`
	Ignored   int           `json:"ignored"` // events that no actor observes
	Responses int           `json:"responses"`
	Advances  int           `json:"advances"`
	Skipped   int           `json:"skipped_actions"`
	Warnings  int           `json:"warnings"`
	BadLines  int           `json:"bad_lines"`
	Elapsed   json.Number   `json:"elapsed"`
	Revision  oatf.Revision `json:"revision,omitempty"` // that the document is read by

	unread int // bad lines of the inputs so far
}

// seconds returns a duration in seconds at full precision.
func seconds(d time.Duration) json.Number {
	text := strconv.FormatInt(int64(d/time.Second), 10)
	if part := d % time.Second; part != 0 {
		text += strings.TrimRight(fmt.Sprintf(".%09d", part), "0")
	}
	return json.Number(text)
}

func (r *simulation) step(s *simulate.Step) error {
	r.counts.count(s)
	what, element := r.describe(s)
	for _, w := range s.Warnings {
		element.Warnings = append(element.Warnings, warningJSON{w.Code, w.Message})
	}
	if err := r.out.Answer(report.Answer{List: "steps", Value: element, Row: row(s, string(s.Kind), what)}); err != nil {
		return err
	}
	for _, w := range s.Warnings {
		text := w.Message
		if w.Code != "" {
			text += " [" + w.Code + "]"
		}
		if err := r.out.Answer(report.Answer{Row: row(s, "warning", text), Outcome: report.Outcome{Weight: report.Caution}}); err != nil {
			return err
		}
	}
	return nil
}

func row(s *simulate.Step, kind, what string) []string {
	return []string{s.Elapsed.String(), s.Actor, s.Phase, kind, what}
}

func (n *simulationCounts) count(s *simulate.Step) {
	n.Warnings += len(s.Warnings)
	switch s.Kind {
	case simulate.Ignore:
		n.Ignored++
	case simulate.Respond:
		n.Responses++
	case simulate.Advance:
		n.Advances++
	case simulate.Act:
		if s.Skipped {
			n.Skipped++
		}
	}
}

func (r *simulation) describe(s *simulate.Step) (what string, element *stepJSON) {
	j := &stepJSON{Step: string(s.Kind), Elapsed: seconds(s.Elapsed), Actor: s.Actor, Phase: s.Phase}
	if s.Event != nil {
		j.Line, j.Event = s.Event.Line, eventText(s.Event)
		if j.Line > 0 {
			j.Input = r.inputs[s.Event.Input]
		}
	}
	value := ""
	if s.HasValue {
		j.Value = oatf.AppendJSON(nil, s.Value)
		value = string(j.Value)
	}
	switch s.Kind {
	case simulate.Enter:
		j.Mode = s.Name
		return s.Name, j
	case simulate.Observe, simulate.Ignore:
		what = say.Preview(j.Event, say.Usual)
		if j.Line > 0 {
			what = fmt.Sprintf("line %d: %s", j.Line, what)
		}
		if s.Kind == simulate.Observe {
			j.Role, j.Counted, j.Count, j.Needed = s.Name, &s.Matched, &s.Count, &s.Needed
			what += countText(s)
		}
	case simulate.Capture:
		j.Extractor, what = s.Name, s.Name+" = "+value
	case simulate.Act:
		j.Action, j.Role, j.Skipped, what = s.Name, string(s.Role), s.Skipped, s.Name+": "+value
		if s.Skipped {
			what = s.Name + " is skipped"
		}
	case simulate.Send, simulate.Respond:
		j.Place, j.Generated, what = &s.Name, s.Generated, s.Name+": "+value
		if j.Skipped = s.Skipped; s.Skipped {
			what = s.Name + " is not sent"
		}
		if s.Generated {
			what = s.Name + ", generated: " + value
		}
		if !s.HasValue {
			what = "none"
		}
	case simulate.Advance:
		j.Reason, j.Next, what = string(s.Reason), s.Name, string(s.Reason)
		if s.Name != "" {
			what += ", on to " + s.Name
		}
	}
	return what, j
}

func eventText(e *simulate.Event) string {
	if e.Qualifier != nil {
		return e.Type + ":" + *e.Qualifier
	}
	return e.Type
}

// countText describes how an event counts for the phase's trigger.
func countText(s *simulate.Step) string {
	switch {
	case s.Needed == 0:
		return ""
	case s.Matched:
		return fmt.Sprintf(", counted: %d of %d", s.Count, s.Needed)
	}
	return fmt.Sprintf(", not counted: %d of %d", s.Count, s.Needed)
}

func (r *simulation) generationFault(f *model.GenerationError) error {
	now := r.sim.Now()
	j := &stepJSON{Step: "error", Elapsed: seconds(now), Phase: f.PhaseName, Kind: string(f.Kind), Message: f.Message, PromptPreview: f.PromptPreview}
	return r.out.Answer(report.Answer{
		List: "steps", Value: j, Row: []string{now.String(), "", f.PhaseName, j.Step, f.Message},
		Outcome: report.Outcome{Weight: report.Bad},
	})
}

// actors reports the final phase of each actor.
func (r *simulation) actors() error {
	for _, a := range r.sim.Actors() {
		j := actorJSON{
			Name: a.Name, Mode: a.Mode, Phase: a.Phase, Number: a.Index + 1, Phases: a.Phases,
			Entered: seconds(a.Entered), Count: a.Count, Complete: a.Complete, Extractors: map[string]string{},
		}
		word := fmt.Sprintf("in phase %s", say.Quoted(a.Phase))
		if a.Complete {
			word = fmt.Sprintf("done after phase %s", say.Quoted(a.Phase))
		}
		answer := report.Answer{
			List: "actors", Value: &j, Subject: a.Name, Outcome: report.Outcome{Word: word},
			Scope: []string{fmt.Sprintf("%d of %d", j.Number, a.Phases), fmt.Sprintf("entered at %s", a.Entered), cmdline.Counted(int(a.Count), "event") + " counted"},
		}
		for _, x := range a.Captured {
			j.Extractors[x.Name] = x.Value
			answer.Facts = append(answer.Facts, report.Fact{Name: x.Name, Value: say.Preview(x.Value, say.Usual)})
		}
		if err := r.out.Answer(answer); err != nil {
			return err
		}
	}
	return nil
}

func (r *simulation) summary() report.Summary {
	n := &r.counts
	if r.sim == nil {
		return report.Summary{Value: n}
	}
	text := fmt.Sprintf("%s, %s, %s", cmdline.Counted(n.Events, "event"), cmdline.Counted(n.Responses, "response"), cmdline.Counted(n.Advances, "phase change"))
	if n.Ignored > 0 {
		text += fmt.Sprintf("; %d observed by no actor", n.Ignored)
	}
	if n.BadLines > 0 {
		text += fmt.Sprintf("; %s left out", cmdline.Counted(n.BadLines, "line"))
	}
	if n.Warnings > 0 {
		text += "; " + cmdline.Counted(n.Warnings, "warning")
	}
	return report.Summary{Value: n, Weight: report.Plain, Text: text}
}
