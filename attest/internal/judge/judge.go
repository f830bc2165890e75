// Package judge lets a model rate a text of a trace by a rubric (§4, layer 6): it writes the prompt, asks, parses
// the replies and combines several.
//
// The system message contains the instructions. The user message contains texts of the trace, each between lines
// with an id that the texts cannot contain:
//
//	BEGIN output 5f0c0b6e…
//	Your refund has been processed.
//	END output 5f0c0b6e…
package judge

import (
	"context"
	"errors"
	"fmt"

	"github.com/cupel-dev/cupel/attest/model"
	"github.com/cupel-dev/cupel/internal/say"
)

// Judge is an assertion's question to a model.
type Judge struct {
	Chat      model.Chat
	Model     string // "" for the service's default
	Rubric    Rubric
	Prompt    string // a template that takes the place of the texts; "": none
	Criteria  string // further instructions; "": none
	Samples   int    // how often the model is asked
	Delimiter Delimiter
}

// manySamples is the temperature for several samples, because at 0 they would be equal.
const manySamples = 0.3

// ErrDelimiter means that a text contains its delimiter.
var ErrDelimiter = errors.New("a text of the trace contains the delimiter that marks its end in the prompt")

// Ask asks for all samples concurrently and combines them. The Grade includes the cost even with an error, which is
// that of the first failed sample.
func (j *Judge) Ask(ctx context.Context, texts Texts) (Grade, error) {
	p, err := j.prompt(texts)
	if err != nil {
		return Grade{}, err
	}
	samples := make([]sample, max(j.Samples, 1))
	together(len(samples), func(i int) { samples[i] = j.sample(ctx, p.messages(), texts, i) })
	return sumUp(samples, p.hash)
}

type sample struct {
	opinion Opinion
	model   string // that answered
	cost    float64
	err     error
}

// sample asks the model, and again if its reply is unusable.
func (j *Judge) sample(ctx context.Context, messages []model.Message, texts Texts, number int) (s sample) {
	judged := append([]string{texts.Output, texts.Input}, texts.Retrieved...)
	r := model.ChatRequest{Model: j.Model, Messages: messages, JSON: true, MaxTokens: maxTokens, Sample: number}
	if j.Samples > 1 {
		r.Temperature = manySamples
	}
	for range 2 {
		var reply model.ChatReply
		reply, s.err = j.Chat.Chat(ctx, r)
		s.cost += reply.Usage.Cost
		s.model = reply.Model
		if s.err != nil {
			return s
		}
		if s.opinion, s.err = Read(reply.Text, judged...); s.err == nil {
			return s
		}
		r.Messages = append(messages[:len(messages):len(messages)],
			model.Message{Role: "assistant", Content: say.Clip(reply.Text, keptReply)},
			model.Message{Role: "user", Content: fmt.Sprintf("That cannot be used: %v. %s", s.err, replyFormat)})
		// Only a reply to the first question is rejected like this.
		r.Useless = func(text string) bool {
			_, err := Read(text, judged...)
			return err != nil
		}
	}
	return s
}

const (
	maxTokens = 1024 // of a reply: some sentences and the score
	keptReply = 2000 // code points of a useless reply that the model is shown again
)
