package simulate

import (
	"context"
	"fmt"

	"github.com/cupel-dev/cupel/internal/say"
	"github.com/cupel-dev/cupel/oatf"
	"github.com/cupel-dev/cupel/oatf/model"
)

// act runs an entry action (§2.7a). No request is current then: a template that refers to one
// is replaced with nothing.
func (s *Simulation) act(a *actor, action *oatf.Action) error {
	for _, key := range action.Keys() {
		step := &Step{Kind: Act, Name: key, HasValue: true}
		switch body, known := actionBody(action, key); {
		case !known:
			step.Value, step.Skipped = body, true
			step.Warnings = []oatf.Diagnostic{warning("unknown action " + say.Quoted(key) + " is skipped")}
		case key == "send_elicitation" && a.mode() != "mcp_server":
			step.Value, step.Skipped = body, true
			step.Warnings = []oatf.Diagnostic{warning("send_elicitation is skipped: only an mcp_server elicits")}
		default:
			in := s.templates(a, nil)
			step.Value, step.Warnings = in.Value(body), in.Diagnostics()
		}
		if err := s.say(a, step); err != nil {
			return err
		}
	}
	return nil
}

// actionBody is what stands under the key of an action, with its defaults. known is false for an
// action of a protocol binding.
func actionBody(action *oatf.Action, key string) (body oatf.Value, known bool) {
	switch key {
	case "send_notification":
		n := action.SendNotification
		o := model.Object{{Key: "method", Value: n.Method}}
		if n.Params != nil {
			o = append(o, model.Member{Key: "params", Value: n.Params})
		}
		return o, true
	case "log":
		level := oatf.LogInfo
		if action.Log.Level != nil {
			level = *action.Log.Level
		}
		return model.Object{{Key: "level", Value: string(level)}, {Key: "message", Value: action.Log.Message}}, true
	case "send_elicitation":
		return elicitation(action.SendElicitation), true
	}
	for _, m := range action.Binding {
		if m.Key == key {
			return m.Value, false
		}
	}
	return nil, false
}

func elicitation(e *oatf.SendElicitation) model.Object {
	mode := oatf.ElicitationForm
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

// initial is what the state of a client has for it to send when a phase begins.
var initial = map[oatf.Mode]struct {
	key   string
	shape *generatable // what may be generated; nil: nothing
}{
	"mcp_client":   {"actions", nil},
	"a2a_client":   {"task_message", &taskInput},
	"ag_ui_client": {"run_agent_input", &agentInput},
}

// send hands out what a client sends when a phase begins.
func (s *Simulation) send(ctx context.Context, a *actor) error {
	first, ok := initial[a.mode()]
	if !ok {
		return nil
	}
	key := first.key
	v, _ := a.state.Get(key)
	if list, ok := v.([]oatf.Value); ok {
		for i := range list {
			if err := s.sendOne(ctx, a, &choice{at: element(key, i), shape: first.shape}, list[i]); err != nil {
				return err
			}
		}
		return nil
	}
	if v == nil {
		return nil
	}
	return s.sendOne(ctx, a, &choice{at: key, shape: first.shape}, v)
}

func (s *Simulation) sendOne(ctx context.Context, a *actor, c *choice, message oatf.Value) error {
	in := s.templates(a, nil)
	step := &Step{Kind: Send, Name: c.at, HasValue: true}
	if object, ok := message.(model.Object); ok && c.shape != nil {
		var err error
		if c.entry, err = oatf.ResponseOf(object); err != nil {
			return fmt.Errorf("state.%s: %w", c.at, err)
		}
		if err := s.write(ctx, a, c, in, step); err != nil {
			return err
		}
	} else {
		step.Value = in.Value(message)
	}
	step.Warnings = in.Diagnostics()
	if err := s.say(a, step); err != nil || a.mode() != "ag_ui_client" {
		return err
	}
	return s.capture(a, step.Value, oatf.SourceRequest) // a run's input is the request that its events answer
}
