package try

import (
	"fmt"
	"strings"
	"time"

	"github.com/cupel-dev/cupel/internal/say"
	"github.com/cupel-dev/cupel/oatf"
	"github.com/cupel-dev/cupel/oatf/simulate"
)

// Moment is the situation for a trigger's evaluation.
type Moment struct {
	Event   *simulate.Event // nil when time alone is asked about
	Mode    oatf.Mode       // of the phase
	Elapsed time.Duration   // since the phase began
	Counted int64           // events that were counted before
}

// Trigger evaluates a trigger (YAML or JSON, or only an event) at a moment (§5.8) and names the deciding step. It
// sees the event as package simulate does.
func (r Revised) Trigger(text string, at Moment) (*Answer, error) {
	read, err := readValue("trigger", text)
	if err != nil {
		return nil, err
	}
	if event, ok := read.(string); ok {
		read = oatf.Object{{Key: "event", Value: event}}
	}
	t, err := r.public.TriggerOf(read)
	if err != nil {
		return nil, ofParse("trigger", text, err)
	}
	var event *oatf.ProtocolEvent
	if at.Event != nil {
		event = at.Event.Observed(r.Revision(), at.Mode)
	}
	protocol := oatf.ExtractProtocol(at.Mode)
	state := oatf.TriggerState{EventCount: at.Counted}
	result, err := r.public.EvaluateTrigger(t, event, at.Elapsed, &state, protocol)
	if err != nil {
		return nil, inExpression("trigger", text, err)
	}
	a := &Answer{Holds: result.Advanced}
	if a.time(t, at.Elapsed) {
		return a, nil
	}
	return a, r.event(a, t, event, protocol, state.EventCount)
}

// time explains step 1 of §5.8. over reports whether this step decides.
func (a *Answer) time(t *oatf.Trigger, elapsed time.Duration) (over bool) {
	if t.After == nil {
		return false
	}
	after, err := t.After.Duration()
	if err != nil {
		return false // the trigger was evaluated
	}
	if elapsed >= after {
		a.because("step 1: %s of %s (after) have passed: the phase advances by timeout, and the event is not counted", elapsed, after)
		return true
	}
	a.because("step 1: %s of %s (after) have passed", elapsed, after)
	return false
}

func (r Revised) event(a *Answer, t *oatf.Trigger, e *oatf.ProtocolEvent, protocol oatf.Protocol, count int64) error {
	switch {
	case t.Event == nil:
		a.because("step 2: the trigger has no event: only time ends the phase")
		return nil
	case e == nil:
		a.because("step 2: there is no event")
		return nil
	}
	steps := r.as.Simulation.Steps
	base, qualifier, qualified := r.as.SplitEvent(*t.Event)
	if e.EventType != base {
		a.because("step %s: the event is %s, the trigger waits for %s", steps.Event, say.Quoted(e.EventType), say.Quoted(base))
		r.colon(a, base)
		return nil
	}
	a.because("step %s: the event is %s", steps.Event, say.Quoted(base))
	if qualified && !r.qualifier(a, e, protocol, qualifier) {
		return nil
	}
	if t.Match != nil {
		holds, why, err := r.explainPredicate(t.Match, e.Content)
		if err != nil {
			return err
		}
		a.because("step %s: match %s", steps.Match, map[bool]string{true: "holds:", false: "does not hold:"}[holds])
		if a.Why = append(a.Why, indented(why)...); !holds {
			return nil
		}
	}
	needed := int64(1)
	if t.Count != nil {
		needed = *t.Count
	}
	a.because("step %s: the event is counted, %d of %d%s", steps.Count, count, needed, map[bool]string{true: ": the phase advances"}[a.Holds])
	return nil
}

// colon adds a note for an event with a colon in revisions without qualifiers.
func (r Revised) colon(a *Answer, event string) {
	if name, _, found := strings.Cut(event, ":"); found {
		a.because("events of revision %s have no qualifiers: write %s, and match its subject", r.as.Revision, say.Quoted(name))
	}
}

// qualifier adds the qualifier step in revisions with qualifiers.
func (r Revised) qualifier(a *Answer, e *oatf.ProtocolEvent, protocol oatf.Protocol, wanted string) (holds bool) {
	step := r.as.Simulation.Steps.Qualifier
	given, found := "", e.Qualifier != nil
	from := "the event's own"
	if found {
		given = *e.Qualifier
	} else {
		path, known := r.as.QualifierPath(protocol, e.EventType)
		if given, found = oatf.ResolveEventQualifier(protocol, e.EventType, e.Content); !known {
			a.because("step %s: %s of protocol %s has no value that a qualifier could match", step, say.Quoted(e.EventType), say.Quoted(string(protocol)))
			return false
		}
		from = fmt.Sprintf("from %s", say.Quoted(path))
	}
	switch {
	case !found:
		a.because("step %s: the event has no qualifier (%s), the trigger waits for %s", step, from, say.Quoted(wanted))
	case given != wanted:
		a.because("step %s: the qualifier is %s (%s), the trigger waits for %s", step, say.Quoted(given), from, say.Quoted(wanted))
	default:
		a.because("step %s: the qualifier is %s (%s)", step, say.Quoted(given), from)
	}
	return found && given == wanted
}
