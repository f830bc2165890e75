package provider

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"slices"
	"strings"
	"sync"

	openai "github.com/sashabaranov/go-openai"

	"github.com/cupel-dev/cupel/attest/model"
	"github.com/cupel-dev/cupel/attest/provider/internal/cassette"
	"github.com/cupel-dev/cupel/internal/strictjson"
)

// Chat calls a chat service. It implements model.Chat.
type Chat struct {
	*service
	refused sync.Map // by model: the parameters that it refuses, as []string
}

// NewChat returns a Chat. It returns an error for invalid options, which does not contain the key.
func NewChat(opt Options) (*Chat, error) {
	s, err := newService("judge", DefaultChatModel, opt)
	if err != nil {
		return nil, err
	}
	return &Chat{service: s}, nil
}

// Chat implements model.Chat. If a model rejects a parameter, it retries without it and remembers that. Errors are
// *attest.Error, 2001, unless ctx ended.
func (c *Chat) Chat(ctx context.Context, r model.ChatRequest) (model.ChatReply, error) {
	r.Model = cmp.Or(r.Model, c.opt.Model)
	known, _ := c.refused.Load(r.Model)
	without, _ := known.([]string)
	x := &exchange{check: chatReply}
	answer, err := c.ask(ctx, x, r, without)
	for range optional {
		parameter := refusedParameter(err, without)
		if parameter == "" {
			break
		}
		without = append(slices.Clone(without), parameter)
		c.refused.Store(r.Model, without)
		x = &exchange{check: chatReply}
		answer, err = c.ask(ctx, x, r, without)
	}
	usage := model.Usage{InputTokens: answer.Usage.PromptTokens, OutputTokens: answer.Usage.CompletionTokens}
	if err == nil && len(answer.Choices) == 0 {
		err = errors.New("the reply has no choices")
	}
	reply := model.ChatReply{Model: c.hide(answer.Model)}
	if err != nil {
		reply.Usage = c.spent(usage, r.Model, answer.Model)
		return reply, c.failure(ctx, x, err)
	}
	text := contentOf(answer.Choices[0].Message)
	reply.Usage = c.prices.of(counted(usage, r, text), r.Model, answer.Model)
	if stopped := c.stopped(answer.Choices[0], text); stopped != nil {
		return reply, stopped
	}
	reply.Text = c.hide(text)
	return reply, nil
}

// counted returns the service's usage. Missing or negative values are estimated from the texts, because an unknown
// cost would break every budget.
func counted(u model.Usage, r model.ChatRequest, text string) model.Usage {
	if u.InputTokens <= 0 {
		u.InputTokens = 0
		for _, m := range r.Messages {
			u.InputTokens += tokensOf([]string{m.Content})
		}
	}
	if u.OutputTokens <= 0 {
		u.OutputTokens = tokensOf([]string{text})
	}
	return u
}

// contentOf returns the text of a message: its content, or the texts of its parts.
func contentOf(m openai.ChatCompletionMessage) string {
	if m.Content != "" {
		return m.Content
	}
	var b strings.Builder
	for _, part := range m.MultiContent {
		b.WriteString(part.Text)
	}
	return b.String()
}

// stopped returns why a reply has no answer: a refusal, a filter, the token limit or only reasoning. A truncated
// verdict can be complete, so its reader decides.
func (c *Chat) stopped(choice openai.ChatCompletionChoice, text string) error {
	m := choice.Message
	switch {
	case text == "" && m.Refusal != "":
		return c.broken("refuses to answer: "+c.heard(m.Refusal), "The model declines the request: reword the rubric, or ask another model.")
	case text == "" && choice.FinishReason == openai.FinishReasonContentFilter:
		return c.broken("sent nothing: a content filter stopped the answer (finish_reason content_filter)", "Use a model without the filter, or leave out the text that the filter rejects.")
	case choice.FinishReason == openai.FinishReasonLength && !strings.Contains(text, "}"):
		return c.broken("was cut off at its limit of tokens (finish_reason length)", "Use a model that reasons less, or one with a higher limit.")
	case text == "" && m.ReasoningContent != "":
		return c.broken("sent reasoning and no answer (reasoning_content without content)", "Configure the server to put the answer into content, or use another model.")
	}
	return nil
}

// ask makes one call.
func (c *Chat) ask(ctx context.Context, x *exchange, r model.ChatRequest, without []string) (answer openai.ChatCompletionResponse, err error) {
	var request openai.ChatCompletionRequest
	request, x.coldest = chatRequest(r, without)
	err = c.call(ctx, x, r.Model, func(ctx context.Context) error {
		answer, err = c.client.CreateChatCompletion(ctx, request)
		return err
	})
	return answer, err
}

// chatRequest returns the request body; coldest inserts a temperature of 0, which the library omits.
func chatRequest(r model.ChatRequest, without []string) (request openai.ChatCompletionRequest, coldest bool) {
	request = openai.ChatCompletionRequest{Model: r.Model, Messages: make([]openai.ChatCompletionMessage, len(r.Messages))}
	for i, m := range r.Messages {
		request.Messages[i] = openai.ChatCompletionMessage{Role: m.Role, Content: m.Content}
	}
	if r.JSON && !slices.Contains(without, "response_format") {
		request.ResponseFormat = &openai.ChatCompletionResponseFormat{Type: openai.ChatCompletionResponseFormatTypeJSONObject}
	}
	if reasons(r.Model) { // the library sends these models neither
		without = append(slices.Clone(without), optional[1:]...)
	}
	if !slices.Contains(without, "temperature") {
		request.Temperature = float32(r.Temperature)
		coldest = request.Temperature == 0
	}
	if !slices.Contains(without, "max_tokens") {
		request.MaxTokens = r.MaxTokens //nolint:staticcheck // the newer name is unknown to most servers
	}
	return request, coldest
}

// recording returns a chat's recording key: the initial body, even if the model is known to reject JSON mode.
func (c *Chat) recording(r model.ChatRequest) (cassette.Request, error) {
	r.Model = cmp.Or(r.Model, c.opt.Model)
	request, coldest := chatRequest(r, nil)
	body, err := json.Marshal(request)
	if err != nil {
		return cassette.Request{}, err
	}
	if coldest {
		body = withTemperature0(body)
	}
	return cassette.NewRequest(c.wire.base.String(), r.Sample, body)
}

// optional are parameters that a service can reject and that are then omitted.
var optional = []string{"response_format", "max_tokens", "temperature"}

// refusedParameter returns the sent parameter that a service rejects according to its error, or "".
func refusedParameter(err error, without []string) string {
	status, text := refusal(err)
	if status != http.StatusBadRequest && status != http.StatusUnprocessableEntity {
		return ""
	}
	var said *openai.APIError
	if errors.As(err, &said) && said.Param != nil && slices.Contains(optional, *said.Param) && !slices.Contains(without, *said.Param) {
		return *said.Param
	}
	for _, parameter := range optional {
		if strings.Contains(text, parameter) && !slices.Contains(without, parameter) {
			return parameter
		}
	}
	return ""
}

// reasons reports whether the library refuses to send temperature and token limit to a model.
func reasons(name string) bool {
	return openai.NewReasoningValidator().Validate(openai.ChatCompletionRequest{Model: name, Temperature: 0.5}) != nil
}

const (
	// maxChatValues limits the JSON values of a reply. Usual replies have about forty, and each can take a hundred
	// times its size in memory.
	maxChatValues = 2000
	maxChatDepth  = 32
)

// chatReply checks the size and format of a reply.
func chatReply(body []byte) error {
	scanner := strictjson.NewScanner(strictjson.Limits{Depth: maxChatDepth, Values: maxChatValues, DuplicateKeys: true, LoneSurrogates: true})
	if bytes.HasPrefix(bytes.TrimSpace(body), []byte("data:")) {
		return errors.New("a stream of events, which was not requested")
	}
	doc, err := scanner.Scan(body)
	if err != nil {
		return unreadable(err)
	}
	root := doc.Root()
	if root.Last("choices").Exists() {
		return nil
	}
	switch failed := root.Last("error"); {
	case !failed.Missing():
		said, ok := failed.Last("message").Text()
		if !ok {
			said = string(failed.Raw())
		}
		return errors.New("an error with HTTP 200: " + said)
	case root.Last("candidates").Exists():
		return errors.New("a reply of Gemini's own API; use the OpenAI-compatible endpoint https://generativelanguage.googleapis.com/v1beta/openai")
	case root.Last("type").TextIs("message"):
		return errors.New("a reply of Anthropic's own API; use the OpenAI-compatible endpoint https://api.anthropic.com/v1")
	case root.Last("message").Exists() && root.Last("done").Exists():
		return errors.New("a reply of Ollama's own API; use the OpenAI-compatible endpoint, which ends with /v1")
	}
	return nil
}

// unreadable returns the error for a malformed body.
func unreadable(err error) error { return errors.New("something other than a reply: " + err.Error()) }
