package provider

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strings"
	"sync"

	openai "github.com/sashabaranov/go-openai"

	"github.com/cupel-dev/cupel/attest/model"
	"github.com/cupel-dev/cupel/attest/provider/internal/cassette"
	"github.com/cupel-dev/cupel/internal/strictjson"
)

// Chat asks a service for chats. It implements model.Chat.
type Chat struct {
	*service
	unbound sync.Map // models that refuse to be bound to JSON
}

// NewChat returns a Chat. The error says what of the options cannot be used, without the key.
func NewChat(opt Options) (*Chat, error) {
	s, err := newService("judge", DefaultChatModel, opt)
	if err != nil {
		return nil, err
	}
	return &Chat{service: s}, nil
}

// Chat implements model.Chat. A model that refuses to be bound to JSON is asked again
// without that, and not bound any more. Errors are *attest.Error, 2001, unless ctx has ended.
func (c *Chat) Chat(ctx context.Context, r model.ChatRequest) (model.ChatReply, error) {
	r.Model = cmp.Or(r.Model, c.opt.Model)
	if _, known := c.unbound.Load(r.Model); known {
		r.JSON = false
	}
	x := &exchange{check: fewValues}
	answer, err := c.ask(ctx, x, r)
	if r.JSON && refusesJSON(err) {
		c.unbound.Store(r.Model, true)
		r.JSON = false
		x = &exchange{check: fewValues}
		answer, err = c.ask(ctx, x, r)
	}
	usage := model.Usage{InputTokens: answer.Usage.PromptTokens, OutputTokens: answer.Usage.CompletionTokens}
	if err == nil && len(answer.Choices) == 0 {
		err = errors.New("it holds no choices")
	}
	reply := model.ChatReply{Model: c.hide(answer.Model)}
	if err != nil {
		reply.Usage = c.spent(usage, r.Model, answer.Model)
		return reply, c.failure(ctx, x, err)
	}
	reply.Usage = c.prices.of(usage, r.Model, answer.Model)
	reply.Text = c.hide(answer.Choices[0].Message.Content)
	return reply, nil
}

// ask puts one call.
func (c *Chat) ask(ctx context.Context, x *exchange, r model.ChatRequest) (answer openai.ChatCompletionResponse, err error) {
	var request openai.ChatCompletionRequest
	request, x.coldest = chatRequest(r)
	err = c.call(ctx, x, r.Model, func(ctx context.Context) error {
		answer, err = c.client.CreateChatCompletion(ctx, request)
		return err
	})
	return answer, err
}

// chatRequest is a chat as it is sent; coldest says that a temperature of 0 is to be put into
// it, which the library leaves out.
func chatRequest(r model.ChatRequest) (request openai.ChatCompletionRequest, coldest bool) {
	request = openai.ChatCompletionRequest{Model: r.Model, Messages: make([]openai.ChatCompletionMessage, len(r.Messages))}
	for i, m := range r.Messages {
		request.Messages[i] = openai.ChatCompletionMessage{Role: m.Role, Content: m.Content}
	}
	if r.JSON {
		request.ResponseFormat = &openai.ChatCompletionResponseFormat{Type: openai.ChatCompletionResponseFormatTypeJSONObject}
	}
	if !reasons(r.Model) {
		request.Temperature = float32(r.Temperature)
		request.MaxTokens = r.MaxTokens //nolint:staticcheck // the newer name is unknown to most servers
		coldest = request.Temperature == 0
	}
	return request, coldest
}

// recording is what a chat is recorded under: the body that is sent first, also where it was
// seen already that the model refuses to be bound to JSON.
func (c *Chat) recording(r model.ChatRequest) (cassette.Request, error) {
	r.Model = cmp.Or(r.Model, c.opt.Model)
	request, coldest := chatRequest(r)
	body, err := json.Marshal(request)
	if err != nil {
		return cassette.Request{}, err
	}
	if coldest {
		body = withTemperature0(body)
	}
	return cassette.NewRequest(c.wire.base.String(), r.Sample, body)
}

// refusesJSON says whether an error is a service's word that it does not know JSON mode.
func refusesJSON(err error) bool {
	status, text := refusal(err)
	return (status == http.StatusBadRequest || status == http.StatusUnprocessableEntity) && strings.Contains(text, "response_format")
}

// reasons says whether a model takes neither a temperature nor a bound on what it writes
// before its answer.
func reasons(name string) bool {
	return openai.NewReasoningValidator().Validate(openai.ChatCompletionRequest{Model: name, Temperature: 0.5}) != nil
}

const (
	// maxChatValues is how many JSON values a reply to a chat holds at most: a good one has some
	// forty, and each can become a hundred times as large in memory.
	maxChatValues = 2000
	maxChatDepth  = 32
)

// fewValues checks the reply to a chat.
func fewValues(body []byte) error {
	scanner := strictjson.NewScanner(strictjson.Limits{Depth: maxChatDepth, Values: maxChatValues, DuplicateKeys: true, LoneSurrogates: true})
	if _, err := scanner.Scan(body); err != nil {
		return unreadable(err)
	}
	return nil
}

// unreadable words what is wrong with a body.
func unreadable(err error) error { return errors.New("what is no reply: " + err.Error()) }
