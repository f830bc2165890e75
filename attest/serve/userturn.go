package serve

import (
	"context"
	"fmt"
	"time"

	"github.com/cupel-dev/cupel/attest"
	"github.com/cupel-dev/cupel/attest/internal/wording"
	"github.com/cupel-dev/cupel/attest/model"
	"github.com/cupel-dev/cupel/internal/rpc"
	"github.com/cupel-dev/cupel/internal/strictjson"
)

// Limits of a simulated user's description.
const (
	usualTemperature = 0.7 // of a persona without one
	maxTemperature   = 2
	maxTokens        = 1 << 20
	maxFaultMS       = 3_600_000
)

// generateUserMessage asks a model for the simulated user's next message. The worker parses the conversation;
// injected faults depend on the order of arrival.
func (s *session) generateUserMessage(r rpc.Request) (rpc.Reply, error) {
	s.turns++
	number := s.turns
	return s.later(r, func(ctx context.Context, dst, text []byte) ([]byte, error) {
		params, err := s.scan(r.Method, text)
		if err != nil {
			return nil, err
		}
		turn, err := readUserTurn(params)
		if err != nil {
			return nil, err
		}
		turn.Number = number
		message, err := s.engine.GenerateUserMessage(ctx, turn)
		if err != nil {
			return nil, err
		}
		return append(wording.AppendQuoted(append(dst, `{"message":`...), message), '}'), nil
	})
}

func readUserTurn(params strictjson.Node) (t attest.UserTurn, err error) {
	f := fields{node: params, method: methodUser}
	persona := f.object("persona")
	persona.path = "persona."
	t.Persona = attest.Persona{
		Name: persona.name("name"), SystemPrompt: persona.optionalText("system_prompt"), Style: persona.optionalText("style"),
		Temperature: usualTemperature, MaxTokens: int(persona.amount("max_tokens", maxTokens)),
	}
	if !persona.node.Last("temperature").Missing() {
		t.Persona.Temperature = persona.amount("temperature", maxTemperature)
	}
	f.problem = persona.problem
	t.History = f.conversation("conversation_history")
	t.Faults = f.faults("fault_config")
	if f.problem != "" {
		return t, attest.NewError(attest.CodeInvalidParams, f.problem,
			"generate_user_message needs persona with name, system_prompt, style (strings) and temperature (0 to 2), and conversation_history, a list of {role, content} with the roles user, assistant and system. Optional: max_tokens in persona; fault_config with error_rate (0 to 1), latency_jitter_ms, content_corruption and timeout_after_ms.")
	}
	return t, nil
}

// conversation reads a list of messages; a missing list is empty.
func (f *fields) conversation(name string) (list []model.Message) {
	member := f.node.Last(name)
	if member.Missing() {
		return nil
	}
	if !member.Is(strictjson.Array) {
		f.wrong(name, "an array of messages", member)
		return nil
	}
	for element := range member.Children() {
		at := fmt.Sprintf("%s[%d]", name, len(list))
		if !element.Is(strictjson.Object) {
			f.wrong(at, "an object", element)
			return nil
		}
		message := fields{node: element, method: f.method, path: at + ".", problem: f.problem}
		m := model.Message{Role: message.text("role"), Content: message.text("content")}
		switch m.Role {
		case "user", "assistant", "system":
		case "agent":
			m.Role = "assistant"
		default:
			message.fail(fmt.Sprintf("field %q must be user, assistant or system, got %q", message.path+"role", wording.Preview(m.Role)))
		}
		if f.problem = message.problem; f.problem != "" {
			return nil
		}
		list = append(list, m)
	}
	return list
}

// faults reads the injected faults, by default none.
func (f *fields) faults(name string) attest.Faults {
	if f.node.Last(name).Missing() {
		return attest.Faults{}
	}
	config := f.object(name)
	config.path = name + "."
	milliseconds := func(name string) time.Duration {
		return time.Duration(config.amount(name, maxFaultMS) * float64(time.Millisecond))
	}
	faults := attest.Faults{
		ErrorRate: config.amount("error_rate", 1), LatencyJitter: milliseconds("latency_jitter_ms"),
		ContentCorruption: config.optionalFlag("content_corruption"), TimeoutAfter: milliseconds("timeout_after_ms"),
	}
	f.problem = config.problem
	return faults
}

func (f *fields) optionalText(name string) string {
	if f.node.Last(name).Missing() {
		return ""
	}
	return f.text(name)
}

func (f *fields) optionalFlag(name string) bool {
	member := f.node.Last(name)
	flag, ok := member.Bool()
	if !ok && !member.Missing() {
		f.wrong(name, "true or false", member)
	}
	return flag
}
