package simulate

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/cupel-dev/cupel/internal/say"
	"github.com/cupel-dev/cupel/oatf"
	"github.com/cupel-dev/cupel/oatf/eval"
	"github.com/cupel-dev/cupel/oatf/internal/calls"
	"github.com/cupel-dev/cupel/oatf/internal/primitive"
	"github.com/cupel-dev/cupel/oatf/internal/profile"
	"github.com/cupel-dev/cupel/oatf/model"
)

// actor is an actor of the document and its current phase.
type actor struct {
	*oatf.Actor
	index    int
	state    model.Object // of the phase, or inherited (§5.11)
	entered  time.Duration
	deadline time.Duration // when time ends the phase; never when it does not
	trigger  *primitive.Trigger
	extract  []*primitive.Extractor
	counter  oatf.TriggerState
	answers  map[answersKey]*answers // of the phase, as far as requests asked for them
	calls    calls.Memory
	due      model.AdvanceReason // reason to end the phase after the current work, or ""
	complete bool
}

func (a *actor) phase() *oatf.Phase { return &a.Phases[a.index] }

func (a *actor) mode() oatf.Mode { return *a.phase().Mode }

func (a *actor) protocol() oatf.Protocol { return oatf.ExtractProtocol(a.mode()) }

func (s *Simulation) enter(ctx context.Context, a *actor, index int) error {
	a.index, a.entered = index, s.now
	if err := a.prepare(s.as); err != nil {
		return fmt.Errorf("phase %s of actor %s: %w", say.Quoted(*a.phase().Name), say.Quoted(a.Name), err)
	}
	if err := s.say(a, &Step{Kind: Enter, Name: string(a.mode())}); err != nil {
		return err
	}
	actions := a.phase().OnEnter
	for i := range actions {
		if err := s.act(a, &actions[i]); err != nil {
			return err
		}
	}
	return s.send(ctx, a)
}

// prepare compiles the extractors, trigger and responses of the entered phase.
func (a *actor) prepare(as *profile.Profile) (err error) {
	a.counter, a.deadline, a.answers = oatf.TriggerState{}, never, map[answersKey]*answers{}
	ph := a.phase()
	if state, ok := ph.State.(model.Object); ok {
		a.state = state
	}
	if a.trigger, err = primitive.CompileTrigger(as, ph.Trigger); err != nil {
		return fmt.Errorf("trigger: %w", err)
	}
	if t := ph.Trigger; t != nil && t.After != nil {
		after, _ := t.After.Duration() // the trigger was read
		a.deadline = later(a.entered, after)
	}
	a.extract = make([]*primitive.Extractor, len(ph.Extractors))
	for i := range ph.Extractors {
		if a.extract[i], err = primitive.CompileExtractor(&ph.Extractors[i]); err != nil {
			return inExtractor(ph.Extractors[i].Name, err)
		}
	}
	return nil
}

func (s *Simulation) trigger(a *actor, e *oatf.ProtocolEvent) oatf.TriggerResult {
	return a.trigger.Evaluate(e, s.now-a.entered, &a.counter, a.protocol())
}

// advance ends an actor's phase, and further phases ended by the messages sent at their start.
func (s *Simulation) advance(ctx context.Context, a *actor, reason model.AdvanceReason) error {
	for a.due = reason; a.due != "" && !a.complete; {
		if err := ctx.Err(); err != nil {
			return err
		}
		reason, a.due = a.due, ""
		if err := s.leave(ctx, a, reason); err != nil {
			return err
		}
	}
	return nil
}

func (s *Simulation) leave(ctx context.Context, a *actor, reason model.AdvanceReason) error {
	next := a.index + 1
	step := &Step{Kind: Advance, Reason: reason, Count: a.counter.EventCount}
	if next < len(a.Phases) {
		step.Name = *a.Phases[next].Name
	}
	if err := s.say(a, step); err != nil {
		return err
	}
	if next < len(a.Phases) {
		return s.enter(ctx, a, next)
	}
	a.complete, a.deadline = true, never
	return s.say(a, &Step{Kind: Complete})
}

// observe handles an event as an actor does.
func (s *Simulation) observe(ctx context.Context, a *actor, role oatf.MessageRole, odd []oatf.Diagnostic) error {
	content := a.calls.Named(s.as.Simulation.Calls, s.event.Type, s.event.Content)
	result, err := s.count(a, role, content, odd)
	if err != nil {
		return err
	}
	if result.Advanced {
		a.due = result.Reason
	}
	if err := s.react(ctx, a, role, content); err != nil {
		return err
	}
	return s.advance(ctx, a, a.due)
}

// count passes an event to the phase's trigger. A stream item counts as the event of its kind, if the trigger waits
// for that.
func (s *Simulation) count(a *actor, role oatf.MessageRole, content oatf.Value, odd []oatf.Diagnostic) (oatf.TriggerResult, error) {
	before, seen := a.counter.EventCount, s.event.protocolEvent(s.as, a.mode(), role, content)
	if item := s.as.Evaluation.ItemOf(s.event.Type, content); item != "" && a.waitsFor(item) {
		seen.EventType = item
	}
	result := s.trigger(a, seen)
	return result, s.say(a, &Step{
		Kind: Observe, Name: string(role), Matched: a.counter.EventCount > before, Count: a.counter.EventCount, Needed: needed(a.phase()), Warnings: odd,
	})
}

// waitsFor reports whether the trigger of the actor's phase names an event.
func (a *actor) waitsFor(event string) bool {
	t := a.phase().Trigger
	return t != nil && t.Event != nil && *t.Event == event
}

// own lets an actor observe its own message, if the trigger waits for it.
func (s *Simulation) own(a *actor, event string, content oatf.Value) error {
	if event == "" || !a.waitsFor(event) {
		return nil
	}
	cause := s.event
	defer func() { s.event = cause }()
	s.event = &Event{Type: event, Content: content}
	role, _ := s.event.roleFor(s.as, a.mode())
	result, err := s.count(a, role, content, nil)
	if result.Advanced {
		a.due = result.Reason
	}
	return err
}

// needed returns the number of events that end a phase, or 0.
func needed(ph *oatf.Phase) int64 {
	switch t := ph.Trigger; {
	case t == nil || t.Event == nil:
		return 0
	case t.Count == nil:
		return 1
	default:
		return *t.Count
	}
}

// react runs the extractors on an event and answers it.
func (s *Simulation) react(ctx context.Context, a *actor, role oatf.MessageRole, content oatf.Value) error {
	if request := s.event.request(role); request != nil {
		if err := s.capture(a, *request, model.SourceRequest); err != nil {
			return err
		}
	}
	if role != oatf.RoleRequest {
		source := model.SourceResponse // for a client, the agent's messages
		if isServer(a.mode()) && role != oatf.RoleResponse {
			source = model.SourceRequest
		}
		if err := s.capture(a, content, source); err != nil {
			return err
		}
	}
	if role == oatf.RoleResponse {
		return nil
	}
	if err := s.askBack(a, role, content); err != nil {
		return err
	}
	return s.respond(ctx, a, role, content)
}

// capture applies the extractors of a phase to a message.
func (s *Simulation) capture(a *actor, message oatf.Value, source oatf.ExtractorSource) error {
	list := a.phase().Extractors
	for i := range list {
		text, ok, err := a.extract[i].Extract(message, source, s.steps.Take)
		if errors.Is(err, primitive.ErrSteps) {
			err = &oatf.EvaluationError{Kind: oatf.EvaluationRegexTimeout, Message: s.steps.Error(), Cause: eval.ErrSteps}
		}
		if err != nil {
			return inExtractor(list[i].Name, err)
		}
		if !ok {
			continue
		}
		s.scope.set(a.Name, list[i].Name, text)
		if err := s.say(a, &Step{Kind: Capture, Name: list[i].Name, Value: text, HasValue: true}); err != nil {
			return err
		}
	}
	return nil
}

func inExtractor(name string, err error) error {
	return fmt.Errorf("extractor %s: %w", say.Quoted(name), err)
}
