package simulate

import (
	"context"
	"errors"
	"fmt"

	"github.com/cupel-dev/cupel/internal/say"
	"github.com/cupel-dev/cupel/oatf"
	"github.com/cupel-dev/cupel/oatf/internal/primitive"
	"github.com/cupel-dev/cupel/oatf/internal/profile"
	"github.com/cupel-dev/cupel/oatf/internal/rules"
	"github.com/cupel-dev/cupel/oatf/model"
)

// respond answers a message from the state of the actor's phase, if the mode has answers to such messages.
func (s *Simulation) respond(ctx context.Context, a *actor, role oatf.MessageRole, request oatf.Value) error {
	from := s.as.Simulation.Answer(a.mode(), s.event.Type, role)
	if from == nil {
		return nil
	}
	in := s.templates(a, &request)
	step, err := s.answer(ctx, a, from, request, in)
	if err != nil {
		return err
	}
	step.Warnings = append(step.Warnings, in.Diagnostics()...)
	if err := s.say(a, step); err != nil || !step.HasValue {
		return err
	}
	if role == oatf.RoleRequest {
		if err := s.capture(a, step.Value, model.SourceResponse); err != nil {
			return err
		}
	}
	return s.own(a, from.Own, step.Value)
}

// askBack sends the state's requests while the actor handles a request.
func (s *Simulation) askBack(a *actor, role oatf.MessageRole, request oatf.Value) error {
	asks := s.as.Simulation.Asked(a.mode(), s.event.Type)
	if asks == nil || role != oatf.RoleRequest {
		return nil
	}
	return s.askAll(a, asks, request)
}

// askAll sends the entries of a list which a request satisfies.
func (s *Simulation) askAll(a *actor, asks *profile.RequestSource, request oatf.Value) error {
	from := &profile.AnswerSource{Member: asks.Member}
	in := s.templates(a, &request)
	list, err := s.answers(a, from, nil, "", whole, in)
	if err != nil {
		return err
	}
	for _, i := range list.chooser.Matching(request) {
		in := s.templates(a, &request)
		params, _ := in.Value(list.entries[i].Static).(model.Object)
		s.asked++
		message := sent(asks.Method, asks.Complete(params, s.asked))
		if err := s.say(a, &Step{Kind: Send, Name: list.places[i], Value: message, HasValue: true, Warnings: in.Diagnostics()}); err != nil {
			return err
		}
	}
	return nil
}

func (s *Simulation) answer(ctx context.Context, a *actor, from *profile.AnswerSource, request oatf.Value, in *primitive.Interpolation) (*Step, error) {
	step := &Step{Kind: Respond}
	if from.Show != nil {
		shown := from.Show(a.state, request, in.Template)
		if step.Name = shown.At; shown.Why != "" {
			step.warn(shown.Why)
		} else {
			step.Value, step.HasValue = in.Value(shown.Value), true
		}
		return step, nil
	}
	c, err := s.choose(a, from, request, in)
	if err != nil {
		return nil, err
	}
	switch step.Name = c.at; {
	case c.none != "":
		step.warn(c.none)
	case c.entry == nil:
		if _, there := c.owner.Get(from.Former); there && from.Former != "" {
			s.left(step, []string{from.Former})
		}
		s.fall(c, request, step)
	default:
		err = s.write(ctx, a, c, in, step)
	}
	if body, ok := step.Value.(model.Object); ok && len(from.Defaults) > 0 {
		step.Value = withDefaults(from, body)
	}
	return step, err
}

// fall uses the default answer if there is no other.
func (s *Simulation) fall(c *choice, request oatf.Value, step *Step) {
	s.defaults++
	step.Value, step.HasValue = c.of.Fallback(request, s.defaults), true
}

// write builds an answer or message from its stated content, interpolated, and its generated content.
func (s *Simulation) write(ctx context.Context, a *actor, c *choice, in *primitive.Interpolation, step *Step) error {
	said, reserved := c.of.Body.Of(c.entry.Static), s.as.Simulation.Reserved
	s.left(step, said.Left)
	switch generates := c.entry.Synthesize != nil && !(reserved && said.Some); {
	case generates:
		return s.generate(ctx, a, c, said.Value, in, step)
	case c.entry.Synthesize != nil:
		step.Warnings = append(step.Warnings, s.reserved(c.at))
	case !said.Some && said.Value == nil:
		s.unsaid(c, in, step)
		return nil
	}
	step.Value, step.HasValue = in.Value(said.Value), true
	return nil
}

// reserved warns of a synthesize block without effect.
func (s *Simulation) reserved(at string) oatf.Diagnostic {
	w := warning(field(at, "synthesize") + " is reserved: the other members are sent")
	w.Code = s.as.Rules.ID(rules.Synthesized)
	return w
}

// unsaid answers with an entry without content.
func (s *Simulation) unsaid(c *choice, in *primitive.Interpolation, step *Step) {
	if c.of.Fallback == nil {
		step.warn("the response is empty: no answer is sent")
		return
	}
	step.warn("the response is empty: the state has no response")
	s.fall(c, *in.Request, step)
}

// left warns of members of an entry that the answer does not contain.
func (s *Simulation) left(step *Step, keys []string) {
	for _, key := range keys {
		step.warn(fmt.Sprintf("%s has no meaning here in revision %s and is ignored", say.Quoted(key), s.as.Revision))
	}
}

// generate generates the content of an entry that is not stated.
func (s *Simulation) generate(ctx context.Context, a *actor, c *choice, said oatf.Value, in *primitive.Interpolation, step *Step) error {
	stated, _ := in.Value(said).(model.Object)
	prompt := in.Template(c.entry.Synthesize.Prompt)
	fail := func(err error) error {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		failed := model.GenerationError{Kind: model.GenerationModelError, Message: err.Error(), Cause: err}
		if own, ok := errors.AsType[*model.GenerationError](err); ok {
			failed = *own
		}
		failed.PhaseName, failed.PromptPreview = *a.phase().Name, model.PromptPreview(prompt)
		return &failed
	}
	if s.opt.Generator == nil {
		return fail(&model.GenerationError{Kind: model.GenerationProviderUnavailable, Message: c.at + " must be generated, but no provider is configured"})
	}
	generated, err := s.ask(ctx, prompt, a.protocol(), c.context(stated, in.Request))
	if err != nil {
		return fail(err)
	}
	if step.Value, err = c.of.Shape.Complete(stated, generated); err != nil {
		return fail(&model.GenerationError{Kind: model.GenerationValidationFailure, Message: c.at + ": " + err.Error()})
	}
	step.HasValue, step.Generated = true, true
	return nil
}

// ask calls the provider. It returns a panic as an error.
func (s *Simulation) ask(ctx context.Context, prompt string, protocol oatf.Protocol, about oatf.Value) (v oatf.Value, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("the provider panics: %v", p)
		}
	}()
	return s.opt.Generator.Generate(ctx, prompt, protocol, about)
}

// context returns the provider's context (§6.3): place in the state, the request's params, the tool's or prompt's
// definition, and the stated content.
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
