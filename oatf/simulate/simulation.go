package simulate

import (
	"context"
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/cupel-dev/cupel/internal/say"
	"github.com/cupel-dev/cupel/oatf"
	"github.com/cupel-dev/cupel/oatf/eval"
	"github.com/cupel-dev/cupel/oatf/internal/cel/program"
	"github.com/cupel-dev/cupel/oatf/internal/primitive"
	"github.com/cupel-dev/cupel/oatf/internal/profile"
	"github.com/cupel-dev/cupel/oatf/internal/revision"
)

// Options tune a simulation.
type Options struct {
	// Each receives the steps in order, valid during the call. An error ends the run.
	Each func(*Step) error

	// Generator generates `synthesize` content. Without a generator, a selected block is a GenerationError of kind
	// provider_unavailable (§7.3a).
	Generator eval.GenerationProvider

	// MaxSteps limits the steps of a run's extractors (JSONPath queries and regular expressions); 0 means
	// eval.DefaultSteps. A run that exceeds the limit ends with eval.ErrSteps.
	MaxSteps int64
}

// Simulation is a run of a document's actors. It is not safe for concurrent use.
type Simulation struct {
	opt    Options
	as     *profile.Profile // the document's revision
	events registry
	actors []*actor // in the order of readiness
	named  map[string]*actor
	scope  *scope
	steps  *program.Steps // that are left of the extractors'

	now   time.Duration // since the run began
	begin time.Time     // time of the start; zero while unknown
	event *Event        // that is being observed; nil when time alone passes

	defaults int // answers that no entry states, so far
	asked    int // requests of the actors' own while they handled others
}

// never is the deadline of a phase that time does not end.
const never = time.Duration(math.MaxInt64)

// New prepares a run of a document that Validate accepts, normalized or not. It does not change the document.
func New(doc *oatf.Document, opt Options) (*Simulation, error) {
	as := revision.Of(doc.Revision)
	s := &Simulation{opt: opt, as: as, events: registry{as, map[oatf.Mode]map[string]bool{}}, named: map[string]*actor{}, scope: newScope(), steps: program.NewSteps(opt.MaxSteps)}
	list := oatf.Normalize(doc).Attack.Execution.Actors
	for _, ready := range []func(oatf.Mode) bool{isServer, func(m oatf.Mode) bool { return !isServer(m) }} {
		for i := range list {
			if !ready(list[i].Mode) {
				continue
			}
			if len(list[i].Phases) == 0 {
				return nil, fmt.Errorf("actor %s has no phase", say.Quoted(list[i].Name))
			}
			a := &actor{Actor: &list[i], deadline: never}
			s.actors = append(s.actors, a)
			s.named[a.Name] = a
		}
	}
	if len(s.actors) == 0 {
		return nil, errors.New("the document has no actor")
	}
	return s, nil
}

// Begin starts every actor's first phase. Like Take and Wait, it returns an error of Each, of ctx, a
// *GenerationError, or an error for an unsupported document. An error ends the run.
func (s *Simulation) Begin(ctx context.Context) error {
	for _, a := range s.actors {
		if err := s.enter(ctx, a, 0); err != nil {
			return err
		}
		if err := s.advance(ctx, a, a.due); err != nil {
			return err
		}
	}
	return s.pass(ctx, 0)
}

// Take advances the time to an event, which the actors then observe.
func (s *Simulation) Take(ctx context.Context, e *Event) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	at, odd := s.when(e)
	if err := s.pass(ctx, at); err != nil {
		return err
	}
	if e.Tick {
		return nil
	}
	s.event = e
	err := s.show(ctx, e, odd)
	if s.event = nil; err != nil {
		return err
	}
	return s.pass(ctx, s.now)
}

// show lets the actors observe an event.
func (s *Simulation) show(ctx context.Context, e *Event, odd []oatf.Diagnostic) error {
	if e.Type == "" {
		odd = append(odd, warning("the event of the message is unknown: its request is missing"))
		return s.say(nil, &Step{Kind: Ignore, Warnings: odd})
	}
	observers := s.actors
	if e.Actor != "" {
		a, known := s.named[e.Actor]
		if !known {
			odd = append(odd, warning("the document has no actor "+say.Quoted(e.Actor)))
			return s.say(nil, &Step{Kind: Ignore, Warnings: odd})
		}
		observers = []*actor{a}
	}
	observed := false
	for _, a := range observers {
		role, ok := e.roleFor(s.as, a.mode())
		if a.complete || !ok || !s.concerns(a, e) {
			continue
		}
		observed = true
		if err := s.observe(ctx, a, role, odd); err != nil {
			return err
		}
	}
	if !observed {
		return s.say(nil, &Step{Kind: Ignore, Warnings: odd})
	}
	return nil
}

// Wait advances the time without an event.
func (s *Simulation) Wait(ctx context.Context, d time.Duration) error {
	return s.pass(ctx, later(s.now, max(d, 0)))
}

// Now returns the duration of the run so far.
func (s *Simulation) Now() time.Duration { return s.now }

// Actors returns the states of the actors in the order of readiness.
func (s *Simulation) Actors() []ActorState {
	list := make([]ActorState, len(s.actors))
	for i, a := range s.actors {
		list[i] = ActorState{
			Name: a.Name, Mode: a.mode(), Phase: *a.phase().Name, Index: a.index, Phases: len(a.Phases),
			Entered: a.entered, Count: a.counter.EventCount, Complete: a.complete, Captured: s.scope.captured(a.Name),
		}
	}
	return list
}

// when returns the time of an event, which is never before the previous event.
func (s *Simulation) when(e *Event) (at time.Duration, odd []oatf.Diagnostic) {
	switch {
	case e.Elapsed != nil:
		at = *e.Elapsed
	case e.At.IsZero():
		return s.now, nil
	case s.begin.IsZero():
		s.begin = e.At.Add(-s.now)
		return s.now, nil
	default:
		at = e.At.Sub(s.begin)
	}
	if at < s.now {
		odd = []oatf.Diagnostic{warning("the event is " + (s.now - at).String() + " older than the previous one; it is handled now")}
	}
	return max(at, s.now), odd
}

// pass advances the time. Phases whose time is over end at their deadlines, earliest first.
func (s *Simulation) pass(ctx context.Context, until time.Duration) error {
	for {
		var next *actor
		for _, a := range s.actors {
			if a.deadline <= until && (next == nil || a.deadline < next.deadline) {
				next = a
			}
		}
		if next == nil || next.deadline == never {
			s.now = max(s.now, until)
			return nil
		}
		s.now = max(s.now, next.deadline)
		result := s.trigger(next, nil)
		if err := s.advance(ctx, next, result.Reason); err != nil {
			return err
		}
		if err := ctx.Err(); err != nil {
			return err
		}
	}
}

// later adds two spans without overflow.
func later(at, d time.Duration) time.Duration {
	if d > never-at {
		return never
	}
	return at + d
}

func (s *Simulation) say(a *actor, step *Step) error {
	if a != nil {
		step.Actor, step.Phase = a.Name, *a.phase().Name
	}
	step.Elapsed, step.Event = s.now, s.event
	if s.opt.Each == nil {
		return nil
	}
	return s.opt.Each(step)
}

// templates returns the interpolation for an actor with the current request, or nil.
func (s *Simulation) templates(a *actor, request *oatf.Value) *primitive.Interpolation {
	return &primitive.Interpolation{Extractors: s.scope.forActor(a.Name), Request: request}
}
