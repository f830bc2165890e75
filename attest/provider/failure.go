package provider

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"

	openai "github.com/sashabaranov/go-openai"

	"github.com/cupel-dev/cupel/attest"
	"github.com/cupel-dev/cupel/internal/say"
)

// maxText limits what an error quotes of a service's text, in code points.
const maxText = 200

// clip shortens a text and keeps it on one line.
func clip(text string) string {
	return say.Clip(say.Visible(strings.Join(strings.Fields(text), " ")), maxText)
}

// failure returns the 2001 for a failed call, or the context's error.
func (s *service) failure(ctx context.Context, x *exchange, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if status, text := refusal(err); status != 0 {
		return s.refused(x, status, text)
	}
	var bad *badBody
	var fast *tooFast
	var slow *tooSlow
	switch {
	case errors.As(err, &bad):
		return s.broken("sent "+s.heard(bad.problem), otherService)
	case errors.As(err, &fast):
		return s.broken("cannot be called in time: "+fast.Error(), "Wait and retry, raise rpm in the configuration of the provider, or give the evaluation more time with --eval-timeout.")
	case errors.As(err, &slow):
		return s.broken("gave "+slow.Error()+x.times(), "Wait and retry, or raise timeout in the configuration of the provider.")
	}
	var inURL *url.Error
	if errors.As(err, &inURL) {
		return s.broken("cannot be reached: "+s.heard(inURL.Err.Error())+x.times(), "Check base_url and the network, then retry.")
	}
	return s.broken("sent a reply that cannot be used: "+s.heard(reason(err)), otherService)
}

// otherService is the hint for a reply in another format.
const otherService = "The reply does not follow OpenAI's API: check base_url, and that the service offers the model."

// reason formats the library's error about a malformed reply.
func reason(err error) string {
	var typed *json.UnmarshalTypeError
	if errors.As(err, &typed) {
		return fmt.Sprintf("member %q of the reply has the type %s", typed.Field, typed.Value)
	}
	return err.Error()
}

func (s *service) broken(problem, detail string) *attest.Error {
	return attest.NewError(attest.CodeProvider, s.name+" provider "+problem, detail)
}

// refusal returns the HTTP status and message of a service's error, or 0.
func refusal(err error) (status int, text string) {
	var said *openai.APIError
	var mute *openai.RequestError
	switch {
	case errors.As(err, &said):
		return said.HTTPStatusCode, said.Message
	case errors.As(err, &mute):
		return mute.HTTPStatusCode, ""
	}
	return 0, ""
}

func (s *service) refused(x *exchange, status int, text string) error {
	if text = s.heard(text); text == "" {
		text = strings.ToLower(http.StatusText(status))
	}
	problem := fmt.Sprintf("returned HTTP %d: %s", status, text)
	detail := fmt.Sprintf("Wait and retry. The engine applies exponential backoff internally up to %d attempts before surfacing this error.", Attempts)
	switch {
	case x.wait > 0:
		problem += fmt.Sprintf("; the service asks to wait %s, longer than the time left for the evaluation", seconds(x.wait))
		detail = "Retry when that time is over."
	case status == http.StatusUnauthorized || status == http.StatusForbidden:
		detail = "Check the key" + inVariable(s.opt.KeyEnv) + " and its permissions."
	case status == http.StatusNotFound:
		detail = "Check base_url and the name of the model in the configuration of the provider."
	case refusedForGood(status):
		detail = "The service refuses the request: check the name of the model, and whether the text is longer than the model accepts."
	}
	err := s.broken(problem, detail)
	err.Data.Retryable = !refusedForGood(status)
	return err
}

// times describes the number of attempts if there were several.
func (x *exchange) times() string {
	if x.attempts < 2 {
		return ""
	}
	return fmt.Sprintf(" (%d attempts)", x.attempts)
}
