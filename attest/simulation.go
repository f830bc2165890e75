package attest

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"time"

	"github.com/cupel-dev/cupel/attest/model"
)

// UserTurn requests the next message of a simulated user.
type UserTurn struct {
	Persona Persona
	History []model.Message // conversation so far, with roles user, assistant and system; can be empty
	Faults  Faults
	Number  uint64 // distinguishes equal turns, which get different faults
}

// Persona describes the simulated user.
type Persona struct {
	Name         string
	SystemPrompt string
	Style        string
	Temperature  float64
	MaxTokens    int // of the message; 0: the provider's default
}

// Faults are errors to inject. They depend only on the turn and its Number, for reproducible runs.
type Faults struct {
	ErrorRate         float64       // fraction of failing turns, 0 to 1
	LatencyJitter     time.Duration // maximum delay of a turn
	ContentCorruption bool          // replaces some characters by U+FFFD
	TimeoutAfter      time.Duration // longer turns fail; 0: none
}

var errTurnTimeout = errors.New("timeout_after_ms")

// GenerateUserMessage asks the judge's model for the simulated user's next message. The error is an *Error: 2001
// from the provider or an injected fault, 3002 for a timeout.
func (e *Engine) GenerateUserMessage(ctx context.Context, t UserTurn) (string, error) {
	if e.opt.Judge == nil {
		return "", NewError(CodeMethodNotFound, "no judge provider is configured", "Configure a judge provider: its model speaks for the simulated user.")
	}
	chance := rand.New(rand.NewPCG(t.digest(), t.Number))
	fails, late, garble := chance.Float64() < t.Faults.ErrorRate, chance.Float64(), chance.Uint64()
	if fails {
		return "", NewError(CodeProvider, fmt.Sprintf("injected fault: error_rate is %v", t.Faults.ErrorRate), "The fault_config of the request asks for it. Retry, or leave error_rate out.")
	}
	timed := ctx
	if t.Faults.TimeoutAfter > 0 {
		var cancel context.CancelFunc
		timed, cancel = context.WithTimeoutCause(ctx, t.Faults.TimeoutAfter, errTurnTimeout)
		defer cancel()
	}
	text, err := e.say(timed, t, time.Duration(late*float64(t.Faults.LatencyJitter)))
	switch {
	case err != nil && ctx.Err() != nil:
		return "", e.evaluator.cutShort(ctx)
	case err != nil && timed.Err() != nil:
		return "", NewError(CodeTimeout, fmt.Sprintf("generate_user_message timed out after %dms: timeout_after_ms of the fault_config", t.Faults.TimeoutAfter.Milliseconds()), "The fault_config of the request asks for it. Retry, or raise timeout_after_ms.")
	case err != nil:
		return "", providerError(err)
	case t.Faults.ContentCorruption:
		return garbled(text, garble), nil
	}
	return text, nil
}

func (e *Engine) say(ctx context.Context, t UserTurn, wait time.Duration) (string, error) {
	if wait > 0 {
		select {
		case <-time.After(wait):
		case <-ctx.Done():
			return "", ctx.Err()
		}
	}
	reply, err := e.opt.Judge.Chat(ctx, model.ChatRequest{Messages: t.messages(), Temperature: t.Persona.Temperature, MaxTokens: t.Persona.MaxTokens})
	e.opt.Logger.Info("user message generated", "model", reply.Model, "cost", reply.Usage.Cost, "input_tokens", reply.Usage.InputTokens, "output_tokens", reply.Usage.OutputTokens, "failed", err != nil)
	return reply.Text, err
}

// Prompts sent to the model along with the conversation.
const (
	userRules = "You play the user in a conversation with an assistant that is being tested. Write the user's next message, and nothing else: no name before it, no quotation marks around it, no remarks on it."
	userOpens = "The conversation begins. Write your first message."
	userGoes  = "The assistant has not answered. Write your next message."
)

// messages returns the conversation from the model's perspective: the user's messages have the role assistant. The
// first and last message must have the role user, because services require it.
func (t *UserTurn) messages() []model.Message {
	rules := userRules
	if t.Persona.Name != "" {
		rules += " Your name is " + t.Persona.Name + "."
	}
	if t.Persona.Style != "" {
		rules += " Your style: " + t.Persona.Style + "."
	}
	if t.Persona.SystemPrompt != "" {
		rules = t.Persona.SystemPrompt + "\n\n" + rules
	}
	list := []model.Message{{Role: "system", Content: rules}}
	if len(t.History) == 0 || t.History[0].Role == "user" {
		list = append(list, model.Message{Role: "user", Content: userOpens})
	}
	for _, m := range t.History {
		switch m.Role {
		case "user":
			m.Role = "assistant"
		case "assistant":
			m.Role = "user"
		}
		list = append(list, m)
	}
	if list[len(list)-1].Role != "user" {
		list = append(list, model.Message{Role: "user", Content: userGoes})
	}
	return list
}

func (t *UserTurn) digest() uint64 {
	h := fnv.New64a()
	_, _ = fmt.Fprintf(h, "%q %q", t.Persona.Name, t.History) // hashing never fails
	return h.Sum64()
}

// garbled replaces a tenth of the characters, at least one.
func garbled(text string, seed uint64) string {
	list, chance := []rune(text), rand.New(rand.NewPCG(seed, 0))
	if len(list) == 0 {
		return ""
	}
	for range max(1, len(list)/10) {
		list[chance.IntN(len(list))] = '\uFFFD'
	}
	return string(list)
}
