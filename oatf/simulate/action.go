package simulate

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/cupel-dev/cupel/internal/say"
	"github.com/cupel-dev/cupel/oatf"
	"github.com/cupel-dev/cupel/oatf/internal/profile"
	"github.com/cupel-dev/cupel/oatf/internal/vocabulary"
	"github.com/cupel-dev/cupel/oatf/model"
)

// act runs an entry action (§2.7a). There is no current request, so that template references to a request become
// empty.
func (s *Simulation) act(a *actor, action *oatf.Action) error {
	for _, key := range action.Keys() {
		step := &Step{Kind: Act, Name: key, Value: actionBody(action, key), HasValue: true}
		if why := s.skips(a, key); why != "" {
			step.Skipped = true
			step.warn(why)
		} else {
			in := s.templates(a, nil)
			step.Value = in.Value(step.Value)
			step.Role, step.Warnings = sentRole(action), in.Diagnostics()
		}
		if err := s.say(a, step); err != nil {
			return err
		}
	}
	return nil
}

// skips returns why an actor skips an action, or "".
func (s *Simulation) skips(a *actor, key string) string {
	known := s.as.Simulation.Action(key)
	switch now := s.as.Simulation.Replaced[key]; {
	case known != nil && known.Runs(a.mode()):
		return ""
	case known != nil:
		return key + " is skipped: " + known.Only
	case now != "":
		return fmt.Sprintf("unknown action %s is skipped: revision %s has %s", say.Quoted(key), s.as.Revision, now)
	}
	return "unknown action " + say.Quoted(key) + " is skipped"
}

func sentRole(action *oatf.Action) oatf.MessageRole {
	if action.Send == nil {
		return ""
	}
	return cmp.Or(vocabulary.FixedRole(action.Send.Method), oatf.RoleRequest)
}

// actionBody returns an action's content with defaults.
func actionBody(action *oatf.Action, key string) oatf.Value {
	for _, m := range action.Binding {
		if m.Key == key {
			return m.Value
		}
	}
	switch key {
	case "send":
		return sent(action.Send.Method, action.Send.Params)
	case "send_notification":
		return sent(action.SendNotification.Method, action.SendNotification.Params)
	case "log":
		level := model.LogInfo
		if action.Log.Level != nil {
			level = *action.Log.Level
		}
		return model.Object{{Key: "level", Value: string(level)}, {Key: "message", Value: action.Log.Message}}
	case "send_elicitation":
		return elicitation(action.SendElicitation)
	}
	return nil
}

// sent returns a message with its method, and params if any.
func sent(method string, params oatf.Value) model.Object {
	o := model.Object{{Key: "method", Value: method}}
	if params != nil {
		o = append(o, model.Member{Key: "params", Value: params})
	}
	return o
}

func elicitation(e *model.SendElicitation) model.Object {
	mode := model.ElicitationForm
	if e.Mode != nil {
		mode = *e.Mode
	}
	o := model.Object{{Key: "message", Value: e.Message}, {Key: "mode", Value: string(mode)}}
	if e.RequestedSchema != nil {
		o = append(o, model.Member{Key: "requestedSchema", Value: e.RequestedSchema})
	}
	if e.ElicitationID != nil {
		o = append(o, model.Member{Key: "elicitationId", Value: *e.ElicitationID})
	}
	if e.URL != nil {
		o = append(o, model.Member{Key: "url", Value: *e.URL})
	}
	return o
}

// send sends a client's messages at the start of a phase.
func (s *Simulation) send(ctx context.Context, a *actor) error {
	first, ok := s.as.Simulation.Initial[a.mode()]
	if !ok {
		return nil
	}
	v, _ := a.state.Get(first.Key)
	if list, ok := v.([]oatf.Value); ok {
		for i := range list {
			if err := s.sendOne(ctx, a, &first, element(first.Key, i), list[i]); err != nil {
				return err
			}
		}
		return nil
	}
	if v == nil {
		return nil
	}
	return s.sendOne(ctx, a, &first, first.Key, v)
}

// entry parses a message, which can have a synthesize block.
func (s *Simulation) entry(message model.Object, first *profile.Initial) (*oatf.ResponseEntry, error) {
	under := oatf.Under(s.as.Revision)
	if first.Entry {
		return under.ResponseOf(message)
	}
	isBlock := func(m model.Member) bool { return m.Key == "synthesize" }
	entry := &oatf.ResponseEntry{Static: slices.DeleteFunc(slices.Clone(message), isBlock)}
	if i := slices.IndexFunc(message, isBlock); i >= 0 {
		asks, err := under.ResponseOf(message[i : i+1])
		if err != nil {
			return nil, err
		}
		entry.Synthesize = asks.Synthesize
	}
	return entry, nil
}

func (s *Simulation) sendOne(ctx context.Context, a *actor, first *profile.Initial, at string, message oatf.Value) error {
	in := s.templates(a, nil)
	step := &Step{Kind: Send, Name: at, HasValue: true}
	object, isObject := message.(model.Object)
	_, named := member[string](object, first.Needs)
	switch {
	case first.Needs != "" && !named:
		step.Value, step.Skipped = message, true
		step.warn("an action without " + first.Needs + " is not sent")
	case isObject && first.Shape != nil:
		c := &choice{at: at, of: &profile.AnswerSource{Body: first.Body, Shape: first.Shape}}
		var err error
		if c.entry, err = s.entry(object, first); err != nil {
			return inState(at, err)
		}
		if err := s.write(ctx, a, c, in, step); err != nil {
			return err
		}
	default:
		step.Value = in.Value(message)
	}
	step.Warnings = append(step.Warnings, in.Diagnostics()...)
	if err := s.say(a, step); err != nil || step.Skipped {
		return err
	}
	if first.Asks { // a run's input is the request that its events answer
		if err := s.capture(a, step.Value, model.SourceRequest); err != nil {
			return err
		}
	}
	return s.own(a, first.Own, step.Value)
}
