package provider

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/cupel-dev/cupel/attest"
	"github.com/cupel-dev/cupel/attest/model"
	"github.com/cupel-dev/cupel/internal/scripted"
)

// key is looked for wherever it must not be.
const key = "sk-marked-4711-marked"

// prices makes a good answer of the scripts, 10 and 5 tokens, cost 0.02 USD.
var testPrices = map[string]model.Price{DefaultChatModel: {Input: 1000, Output: 2000}, DefaultEmbeddingModel: {Input: 1000}}

func ptr[T any](v T) *T { return &v }

// ask sends one chat to a service, with waits a hundred times shorter.
func ask(t *testing.T, s *scripted.Service, opt Options) (model.ChatReply, error) {
	t.Helper()
	opt.BaseURL, opt.Key = s.URL, key
	if opt.Prices == nil {
		opt.Prices = testPrices
	}
	c, err := NewChat(opt)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	c.wire.retrying.RetryWaitMin = firstWait / 100
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	return c.Chat(ctx, model.ChatRequest{JSON: true, MaxTokens: 256, Messages: []model.Message{{Role: "user", Content: "judge this"}}})
}

// outcome is a reply or an error in one line.
func outcome(reply model.ChatReply, err error) string {
	text := fmt.Sprintf("cost %v", reply.Usage.Cost)
	var own *attest.Error
	switch {
	case errors.As(err, &own):
		return fmt.Sprintf("%d %s (retryable %v), %s", own.Code, own.Message, own.Data.Retryable, text)
	case err != nil:
		return err.Error()
	}
	return reply.Text + ", " + text
}

// TestChat: what the service does, what comes of it, and how often it is asked.
func TestChat(t *testing.T) {
	const good = `{"score": 1.0, "explanation": "As expected."}, cost 0.02`
	for name, c := range map[string]struct {
		script []scripted.Answer
		want   string
		calls  int
	}{
		"good":              {nil, good, 1},
		"two faults":        {[]scripted.Answer{{Status: 500, Times: 2}, {}}, good, 3},
		"three faults":      {[]scripted.Answer{{Status: 500, Times: 3}, {}}, "2001 judge provider returned HTTP 500: status of the script (retryable true), cost 0", 3},
		"not implemented":   {[]scripted.Answer{{Status: 501, Times: 1}, {}}, good, 2},
		"wait a second":     {[]scripted.Answer{{Status: 429, Header: map[string]string{"Retry-After": "1"}}, {}}, good, 2},
		"wait a day":        {[]scripted.Answer{{Status: 429, Header: map[string]string{"Retry-After": "86400"}}, {}}, "2001 judge provider returned HTTP 429: status of the script; it asks to wait 86400s, which the evaluation does not have (retryable true), cost 0", 1},
		"an odd wait":       {[]scripted.Answer{{Status: 429, Header: map[string]string{"Retry-After": "soon\n"}}, {}}, good, 2},
		"bad request":       {[]scripted.Answer{{Status: 400}}, "2001 judge provider returned HTTP 400: status of the script (retryable false), cost 0", 1},
		"bad key":           {[]scripted.Answer{{Status: 401}}, "2001 judge provider returned HTTP 401: status of the script (retryable false), cost 0", 1},
		"forbidden":         {[]scripted.Answer{{Status: 403}}, "2001 judge provider returned HTTP 403: status of the script (retryable false), cost 0", 1},
		"not found":         {[]scripted.Answer{{Status: 404}}, "2001 judge provider returned HTTP 404: status of the script (retryable false), cost 0", 1},
		"too large":         {[]scripted.Answer{{Status: 413}}, "2001 judge provider returned HTTP 413: status of the script (retryable true), cost 0", 1},
		"an error in HTML":  {[]scripted.Answer{{Status: 502, Body: ptr("<html>bad</html>")}}, "2001 judge provider returned HTTP 502: bad gateway (retryable true), cost 0", 3},
		"HTML":              {[]scripted.Answer{{Body: ptr("<html>")}}, "2001 judge provider sent what is no reply: unexpected '<', expected a value at byte 0 (retryable true), cost 0", 1},
		"half JSON":         {[]scripted.Answer{{Body: ptr(`{"choices":[{"mess`)}}, "", 1},
		"nothing":           {[]scripted.Answer{{Body: ptr("")}}, "", 1},
		"no choices":        {[]scripted.Answer{{Body: ptr(`{"choices":[],"usage":{"prompt_tokens":10}}`)}}, "2001 judge provider sent a reply that cannot be used: it holds no choices (retryable true), cost 0.01", 1},
		"other types":       {[]scripted.Answer{{Body: ptr(`{"choices":7}`)}}, `2001 judge provider sent a reply that cannot be used: its member "choices" is of the type number (retryable true), cost 0`, 1},
		"many values":       {[]scripted.Answer{{Body: ptr(`{"choices":[` + strings.Repeat("null,", 5000) + `null]}`)}}, "", 1},
		"200 MB":            {[]scripted.Answer{{Size: 200e6}}, "2001 judge provider sent a reply of more than 8388608 bytes (retryable true), cost 0", 1},
		"200 MB of error":   {[]scripted.Answer{{Status: 500, Size: 200e6, Times: 2}, {}}, good, 3},
		"hangs up":          {[]scripted.Answer{{Close: true, Times: 2}, {}}, good, 3},
		"hangs up for ever": {[]scripted.Answer{{Close: true, Times: 9}}, "2001 judge provider cannot be reached: EOF (3 attempts) (retryable true), cost 0", 3},
		"breaks off":        {[]scripted.Answer{{Cut: 20, Times: 2}, {}}, good, 3},
		"no JSON mode":      {[]scripted.Answer{{Status: 400, When: "response_format", Body: ptr(`{"error":{"message":"'response_format.type' must be text"}}`), Times: 2}, {}}, good, 2},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := scripted.Start(c.script...)
			defer s.Close()
			got := outcome(ask(t, s, Options{}))
			if c.want == "" && !strings.HasPrefix(got, "2001 judge provider sent ") || c.want != "" && got != c.want {
				t.Errorf("%s\nwant %s", got, c.want)
			}
			if n := len(s.Calls()); n != c.calls {
				t.Errorf("%d calls, want %d", n, c.calls)
			}
			if strings.Contains(got, key) {
				t.Errorf("the key is shown: %s", got)
			}
		})
	}
}

// TestChatBytes: what is on the wire, byte for byte.
func TestChatBytes(t *testing.T) {
	const messages = `"messages":[{"role":"user","content":"judge this"}]`
	for name, want := range map[string]string{
		"gpt-4.1-mini": `{"temperature":0,"model":"gpt-4.1-mini",` + messages + `,"max_tokens":256,"stream":false,"response_format":{"type":"json_object"}}`,
		"o3-mini":      `{"model":"o3-mini",` + messages + `,"stream":false,"response_format":{"type":"json_object"}}`,
	} {
		s := scripted.Start()
		defer s.Close()
		if _, err := ask(t, s, Options{Service: model.Service{Model: name}}); err != nil {
			t.Fatal(err)
		}
		call := s.Calls()[0]
		if call.Body != want {
			t.Errorf("%s:\n%s\nwant\n%s", name, call.Body, want)
		}
		if call.Path != "/v1/chat/completions" || call.Header.Get("Authorization") != "Bearer "+key {
			t.Errorf("%s %v", call.Path, call.Header)
		}
	}
}

// TestNoKey: without a key no Authorization is sent.
func TestNoKey(t *testing.T) {
	s := scripted.Start()
	defer s.Close()
	c, err := NewChat(Options{Service: model.Service{BaseURL: s.URL + "/"}})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.Chat(t.Context(), model.ChatRequest{}); err != nil {
		t.Fatal(err)
	}
	if _, sent := s.Calls()[0].Header["Authorization"]; sent || s.Calls()[0].Path != "/v1/chat/completions" {
		t.Errorf("%+v", s.Calls()[0])
	}
}

// TestHangs: an attempt ends with its own time, all of them with that of the evaluation.
func TestHangs(t *testing.T) {
	for name, answer := range map[string]scripted.Answer{
		"nothing":      {Hang: true},
		"drop by drop": {Drip: scripted.Duration(time.Hour)},
	} {
		s := scripted.Start(answer)
		defer s.Close()
		got := outcome(ask(t, s, Options{Service: model.Service{Timeout: 50 * time.Millisecond}}))
		if want := "2001 judge provider gave no answer within 50ms (3 attempts) (retryable true), cost 0"; got != want || len(s.Calls()) != Attempts {
			t.Errorf("%s: %d calls, %s\nwant %s", name, len(s.Calls()), got, want)
		}
		c, err := NewChat(Options{Service: model.Service{BaseURL: s.URL}})
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
		defer cancel()
		if _, err := c.Chat(ctx, model.ChatRequest{}); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestRedirects: another host, or another port, gets no key.
func TestRedirects(t *testing.T) {
	other := scripted.Start(scripted.Answer{Echo: true})
	defer other.Close()
	for _, host := range []string{"127.0.0.1", "localhost"} {
		elsewhere := strings.Replace(other.URL, "127.0.0.1", host, 1)
		s := scripted.Start(scripted.Answer{Status: 307, Header: map[string]string{"Location": elsewhere + "/chat/completions"}})
		defer s.Close()
		if _, err := ask(t, s, Options{}); err != nil {
			t.Error(err)
		}
		if calls := s.Calls(); len(calls) != 1 || calls[0].Header.Get("Authorization") == "" {
			t.Errorf("%+v", calls)
		}
	}
	for _, call := range other.Calls() {
		if strings.Contains(fmt.Sprint(call), key) {
			t.Errorf("the key went to another host: %+v", call)
		}
	}
	if n := len(other.Calls()); n != 2 {
		t.Errorf("%d calls followed", n)
	}
	s := scripted.StartFunc(func(c scripted.Call) scripted.Answer {
		return scripted.Answer{Status: 307, Header: map[string]string{"Location": "/v1/chat/completions"}}
	})
	defer s.Close()
	got := outcome(ask(t, s, Options{}))
	if want := "2001 judge provider cannot be reached: stopped after 3 redirects (retryable true), cost 0"; got != want || len(s.Calls()) != 4 {
		t.Errorf("%d calls, %s", len(s.Calls()), got)
	}
}
