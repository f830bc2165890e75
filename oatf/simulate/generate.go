package simulate

import (
	"context"
	"errors"
	"fmt"

	"github.com/cupel-dev/cupel/oatf"
	"github.com/cupel-dev/cupel/oatf/internal/primitive"
	"github.com/cupel-dev/cupel/oatf/model"
)

// respond answers a request from the state of the actor's phase, if the mode has answers to
// such requests.
func (s *Simulation) respond(ctx context.Context, a *actor, request oatf.Value) error {
	from := answeringOf(a.mode(), s.event.Type)
	if from == nil {
		return nil
	}
	in := s.templates(a, &request)
	c, err := from.choose(a, request, in)
	if err != nil {
		return err
	}
	step := &Step{Kind: Respond, Name: c.at}
	if c.entry == nil {
		step.Warnings = []oatf.Diagnostic{warning(c.none)}
	} else if err := s.write(ctx, a, c, in, step); err != nil {
		return err
	}
	if body, ok := step.Value.(model.Object); ok {
		step.Value = from.withDefaults(body)
	}
	step.Warnings = append(step.Warnings, in.Diagnostics()...)
	if err := s.say(a, step); err != nil || !step.HasValue {
		return err
	}
	return s.capture(a, step.Value, oatf.SourceResponse)
}

// write makes what is answered or sent: what the document states with its templates interpolated, and
// what the provider generates.
func (s *Simulation) write(ctx context.Context, a *actor, c *choice, in *primitive.Interpolation, step *Step) error {
	body := in.Value(c.entry.Static).(model.Object)
	step.Value, step.HasValue = body, true
	if c.entry.Synthesize == nil {
		return nil
	}
	prompt := in.Template(c.entry.Synthesize.Prompt)
	fail := func(err error) error {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		failed := oatf.GenerationError{Kind: oatf.GenerationModelError, Message: err.Error(), Cause: err}
		if own, ok := errors.AsType[*oatf.GenerationError](err); ok {
			failed = *own
		}
		failed.PhaseName, failed.PromptPreview = *a.phase().Name, model.PromptPreview(prompt)
		return &failed
	}
	if s.opt.Generator == nil {
		return fail(&oatf.GenerationError{Kind: oatf.GenerationProviderUnavailable, Message: c.at + " is to be generated, and there is nothing to generate it with"})
	}
	generated, err := s.ask(ctx, prompt, a.protocol(), c.context(body, in.Request))
	if err != nil {
		return fail(err)
	}
	if step.Value, err = c.shape.complete(body, generated); err != nil {
		return fail(&oatf.GenerationError{Kind: oatf.GenerationValidationFailure, Message: c.at + ": " + err.Error()})
	}
	step.Generated = true
	return nil
}

// ask calls the provider. A panic of it is an error like others.
func (s *Simulation) ask(ctx context.Context, prompt string, protocol oatf.Protocol, about oatf.Value) (v oatf.Value, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("the provider panics: %v", p)
		}
	}()
	return s.opt.Generator.Generate(ctx, prompt, protocol, about)
}

// context is what a provider is told of what it shall generate (§6.3): its place in the state, the
// params of the request, the definition of the tool or prompt, and what the document states
// beside it.
func (c *choice) context(stated model.Object, request *oatf.Value) oatf.Value {
	about := model.Object{{Key: "place", Value: c.at}}
	if request != nil {
		about = append(about, model.Member{Key: "request", Value: *request})
	}
	if c.owner != nil {
		about = append(about, model.Member{Key: "definition", Value: without(c.owner, "response", "responses")})
	}
	return append(about, model.Member{Key: "stated", Value: stated})
}
