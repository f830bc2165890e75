package provider

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync"
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

// testOptions returns the options of a service, with the marked key and a log. The log and what is
// said to be shown must not hold a part of the key.
func testOptions(t *testing.T, s *scripted.Service, of model.Service) (opt Options, show func(...any)) {
	t.Helper()
	var shown strings.Builder
	var mu sync.Mutex
	write := writerFunc(func(line []byte) (int, error) {
		mu.Lock()
		defer mu.Unlock()
		return shown.Write(line)
	})
	t.Cleanup(func() {
		mu.Lock()
		defer mu.Unlock()
		for _, part := range []string{"sk-marked", "4711-marked"} {
			if strings.Contains(shown.String(), part) {
				t.Errorf("the key is shown:\n%s", shown.String())
			}
		}
	})
	of.BaseURL = s.URL
	if of.Prices == nil {
		of.Prices = testPrices
	}
	log := slog.New(slog.NewJSONHandler(write, &slog.HandlerOptions{Level: slog.LevelDebug}))
	return Options{Service: of, Key: key, Logger: log}, func(list ...any) { fmt.Fprintln(write, list...) }
}

type writerFunc func([]byte) (int, error)

// Write implements io.Writer.
func (w writerFunc) Write(p []byte) (int, error) { return w(p) }

// ask sends one chat to a service, with waits a hundred times shorter.
func ask(t *testing.T, s *scripted.Service, of model.Service) (model.ChatReply, error) {
	t.Helper()
	opt, show := testOptions(t, s, of)
	c, err := NewChat(opt)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	c.wire.retrying.RetryWaitMin = firstWait / 100
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	reply, err := c.Chat(ctx, model.ChatRequest{JSON: true, MaxTokens: 256, Messages: []model.Message{{Role: "user", Content: "judge this"}}})
	show(reply.Text, reply.Model, err)
	if own, ok := errors.AsType[*attest.Error](err); ok {
		show(own.Data.Detail)
	}
	return reply, err
}

// outcome returns a reply or an error in one line.
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
	const good = `{"score": 1.0, "reason": "As expected."}, cost 0.02`
	for name, c := range map[string]struct {
		script []scripted.Answer
		want   string
		calls  int
	}{
		"good":                  {nil, good, 1},
		"two faults":            {[]scripted.Answer{{Status: 500, Times: 2}, {}}, good, 3},
		"three faults":          {[]scripted.Answer{{Status: 500, Times: 3}, {}}, "2001 judge provider returned HTTP 500: status of the script (retryable true), cost 0", 3},
		"not implemented":       {[]scripted.Answer{{Status: 501, Times: 1}, {}}, good, 2},
		"wait a second":         {[]scripted.Answer{{Status: 429, Header: map[string]string{"Retry-After": "1"}}, {}}, good, 2},
		"wait a day":            {[]scripted.Answer{{Status: 429, Header: map[string]string{"Retry-After": "86400"}}, {}}, "2001 judge provider returned HTTP 429: status of the script; the service asks to wait 86400s, longer than the time left for the evaluation (retryable true), cost 0", 1},
		"an odd wait":           {[]scripted.Answer{{Status: 429, Header: map[string]string{"Retry-After": "soon\n"}}, {}}, good, 2},
		"bad request":           {[]scripted.Answer{{Status: 400}}, "2001 judge provider returned HTTP 400: status of the script (retryable false), cost 0", 1},
		"bad key":               {[]scripted.Answer{{Status: 401}}, "2001 judge provider returned HTTP 401: status of the script (retryable false), cost 0", 1},
		"forbidden":             {[]scripted.Answer{{Status: 403}}, "2001 judge provider returned HTTP 403: status of the script (retryable false), cost 0", 1},
		"not found":             {[]scripted.Answer{{Status: 404}}, "2001 judge provider returned HTTP 404: status of the script (retryable false), cost 0", 1},
		"too large":             {[]scripted.Answer{{Status: 413}}, "2001 judge provider returned HTTP 413: status of the script (retryable true), cost 0", 1},
		"an error in HTML":      {[]scripted.Answer{{Status: 502, Body: ptr("<html>bad</html>")}}, "2001 judge provider returned HTTP 502: bad gateway (retryable true), cost 0", 3},
		"HTML":                  {[]scripted.Answer{{Body: ptr("<html>")}}, "2001 judge provider sent something other than a reply: unexpected '<', expected a value at byte 0 (retryable true), cost 0", 1},
		"half JSON":             {[]scripted.Answer{{Body: ptr(`{"choices":[{"mess`)}}, "", 1},
		"nothing":               {[]scripted.Answer{{Body: ptr("")}}, "", 1},
		"no choices":            {[]scripted.Answer{{Body: ptr(`{"choices":[],"usage":{"prompt_tokens":10}}`)}}, "2001 judge provider sent a reply that cannot be used: the reply has no choices (retryable true), cost 0.01", 1},
		"other types":           {[]scripted.Answer{{Body: ptr(`{"choices":7}`)}}, `2001 judge provider sent a reply that cannot be used: member "choices" of the reply has the type number (retryable true), cost 0`, 1},
		"many values":           {[]scripted.Answer{{Body: ptr(`{"choices":[` + strings.Repeat("null,", 5000) + `null]}`)}}, "", 1},
		"200 MB":                {[]scripted.Answer{{Size: 200e6}}, "2001 judge provider sent a reply of more than 8388608 bytes (retryable true), cost 0", 1},
		"200 MB of error":       {[]scripted.Answer{{Status: 500, Size: 200e6, Times: 2}, {}}, good, 3},
		"hangs up":              {[]scripted.Answer{{Close: true, Times: 2}, {}}, good, 3},
		"hangs up for ever":     {[]scripted.Answer{{Close: true, Times: 9}}, "2001 judge provider cannot be reached: EOF (3 attempts) (retryable true), cost 0", 3},
		"breaks off":            {[]scripted.Answer{{Cut: 20, Times: 2}, {}}, good, 3},
		"echo":                  {[]scripted.Answer{{Echo: true}}, `{"reason":"called with Bearer [key]","score":0}, cost 0.02`, 1},
		"echo of an error":      {[]scripted.Answer{{Status: 401, Echo: true}}, "2001 judge provider returned HTTP 401: bad key: Bearer [key] (retryable false), cost 0", 1},
		"echo at the edge":      {[]scripted.Answer{{Status: 400, Body: ptr(`{"error":{"message":"` + strings.Repeat("x", maxText-8) + key + `"}}`)}}, "2001 judge provider returned HTTP 400: " + strings.Repeat("x", maxText-8) + "[key] (retryable false), cost 0", 1},
		"forged lines":          {[]scripted.Answer{{Status: 400, Body: ptr(`{"error":{"message":"a\n\u001b[2Jb"}}`)}}, `2001 judge provider returned HTTP 400: a \u{1b}[2Jb (retryable false), cost 0`, 1},
		"a wait of years":       {[]scripted.Answer{{Status: 503, Header: map[string]string{"Retry-After": "99999999999999999999"}}}, "2001 judge provider returned HTTP 503: status of the script; the service asks to wait 1000000000s, longer than the time left for the evaluation (retryable true), cost 0", 1},
		"a date":                {[]scripted.Answer{{Status: 503, Header: map[string]string{"Retry-After": "Fri, 31 Dec 1999 23:59:59 GMT"}}, {}}, good, 2},
		"usage below zero":      {[]scripted.Answer{{Usage: &[2]int{-5, -5}}}, `{"score": 1.0, "reason": "As expected."}, cost 0.023`, 1},
		"an error with 200":     {[]scripted.Answer{{Body: ptr(`{"error":{"message":"overloaded"}}`)}}, "2001 judge provider sent an error with HTTP 200: overloaded (retryable true), cost 0", 1},
		"a limit refused":       {[]scripted.Answer{{Status: 400, When: "max_tokens", Body: ptr(`{"error":{"message":"Unsupported parameter: 'max_tokens'","param":"max_tokens"}}`), Times: 2}, {}}, good, 2},
		"a temperature refused": {[]scripted.Answer{{Status: 400, When: "temperature", Body: ptr(`{"error":{"message":"temperature does not support 0"}}`), Times: 2}, {}}, good, 2},
		"content in parts":      {[]scripted.Answer{{Body: ptr(`{"choices":[{"message":{"role":"assistant","content":[{"type":"text","text":"hi"}]}}],"usage":{"prompt_tokens":1,"completion_tokens":1}}`)}}, "hi, cost 0.003", 1},
		"a filter":              {[]scripted.Answer{{Body: ptr(`{"choices":[{"finish_reason":"content_filter","message":{"role":"assistant","content":null}}],"usage":{"prompt_tokens":1,"completion_tokens":1}}`)}}, "2001 judge provider sent nothing: a content filter stopped the answer (finish_reason content_filter) (retryable true), cost 0.003", 1},
		"a refusal":             {[]scripted.Answer{{Body: ptr(`{"choices":[{"finish_reason":"stop","message":{"role":"assistant","content":null,"refusal":"no"}}],"usage":{"prompt_tokens":1,"completion_tokens":1}}`)}}, "2001 judge provider refuses to answer: no (retryable true), cost 0.003", 1},
		"reasoning alone":       {[]scripted.Answer{{Body: ptr(`{"choices":[{"finish_reason":"stop","message":{"role":"assistant","content":"","reasoning_content":"hm"}}],"usage":{"prompt_tokens":1,"completion_tokens":1}}`)}}, "2001 judge provider sent reasoning and no answer (reasoning_content without content) (retryable true), cost 0.003", 1},
		"no JSON mode":          {[]scripted.Answer{{Status: 400, When: "response_format", Body: ptr(`{"error":{"message":"'response_format.type' must be text"}}`), Times: 2}, {}}, good, 2},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := scripted.Start(c.script...)
			defer s.Close()
			got := outcome(ask(t, s, model.Service{}))
			if c.want == "" && !strings.HasPrefix(got, "2001 judge provider sent ") || c.want != "" && got != c.want {
				t.Errorf("%s\nwant %s", got, c.want)
			}
			if n := len(s.Calls()); n != c.calls {
				t.Errorf("%d calls, want %d", n, c.calls)
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
		if _, err := ask(t, s, model.Service{Model: name}); err != nil {
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
		got := outcome(ask(t, s, model.Service{Timeout: 100 * time.Millisecond}))
		// On a slow machine an attempt may end before the service has read it.
		if want := "2001 judge provider gave no answer within 100ms (3 attempts) (retryable true), cost 0"; got != want || len(s.Calls()) > Attempts {
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

// TestRedirects: another host, or another port, gets no request and gives no answer.
func TestRedirects(t *testing.T) {
	other := scripted.Start(scripted.Answer{Echo: true})
	defer other.Close()
	for _, status := range []int{301, 302, 303, 307, 308} {
		for _, host := range []string{"127.0.0.1", "localhost"} {
			elsewhere := strings.Replace(other.URL, "127.0.0.1", host, 1)
			s := scripted.Start(scripted.Answer{Status: status, Header: map[string]string{"Location": elsewhere + "/chat/completions"}})
			defer s.Close()
			if got := outcome(ask(t, s, model.Service{})); !strings.Contains(got, "the service redirects to another host") {
				t.Errorf("%d to %s: %s", status, host, got)
			}
			if calls := s.Calls(); len(calls) == 0 || calls[0].Header.Get("Authorization") == "" {
				t.Errorf("%+v", calls)
			}
		}
	}
	if n := len(other.Calls()); n != 0 {
		t.Errorf("%d calls followed", n)
	}
	s := scripted.StartFunc(func(c scripted.Call) scripted.Answer {
		return scripted.Answer{Status: 307, Header: map[string]string{"Location": "/v1/chat/completions"}}
	})
	defer s.Close()
	got := outcome(ask(t, s, model.Service{}))
	if want := "2001 judge provider cannot be reached: stopped after 3 redirects (retryable true), cost 0"; got != want || len(s.Calls()) != 4 {
		t.Errorf("%d calls, %s", len(s.Calls()), got)
	}
}

// TestEverySecondConnection: a service that closes half of its connections answers every call, and
// is asked as often as there are calls.
func TestEverySecondConnection(t *testing.T) {
	const calls = 40
	s := scripted.StartClosing(2)
	defer s.Close()
	opt, _ := testOptions(t, s, model.Service{Concurrency: 8})
	c, err := NewChat(opt)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	c.wire.retrying.RetryWaitMin = firstWait / 100
	c.wire.transport.DisableKeepAlives = true // each call has a connection of its own
	for range calls {
		if reply, err := c.Chat(t.Context(), model.ChatRequest{}); err != nil {
			t.Fatal(outcome(reply, err))
		}
	}
	if n := len(s.Calls()); n != calls {
		t.Errorf("%d calls", n)
	}
}

// TestAtOnce checks that calls wait for each other only at the service's limit, and that a cancelled call frees its
// place.
func TestAtOnce(t *testing.T) {
	for _, most := range []int{1, 3, DefaultConcurrency} {
		var open sync.WaitGroup // until as many calls are open as can be
		open.Add(most)
		met := make(chan struct{})
		var first sync.Map
		s := scripted.StartFunc(func(c scripted.Call) scripted.Answer {
			if _, late := first.LoadOrStore(c.Number, true); !late && c.Number <= most {
				open.Done()
			}
			<-met
			return scripted.Answer{}
		})
		go func() { open.Wait(); close(met) }()
		opt, _ := testOptions(t, s, model.Service{Concurrency: most})
		c, err := NewChat(opt)
		if err != nil {
			t.Fatal(err)
		}
		gone, leave := context.WithCancel(t.Context())
		leave()
		var all sync.WaitGroup
		for range 2 * DefaultConcurrency {
			all.Go(func() {
				if _, err := c.Chat(gone, model.ChatRequest{}); !errors.Is(err, context.Canceled) {
					t.Error(err)
				}
				if _, err := c.Chat(t.Context(), model.ChatRequest{}); err != nil {
					t.Error(err)
				}
			})
		}
		all.Wait()
		if s.Most() != most {
			t.Errorf("%d calls at once, want %d", s.Most(), most)
		}
		c.Close()
		s.Close()
	}
}

// TestPerMinute: the attempts beyond those of a minute fail at once when the evaluation does
// not have the time, and say so.
func TestPerMinute(t *testing.T) {
	s := scripted.Start(scripted.Answer{Status: 500, Times: 9})
	defer s.Close()
	got := outcome(ask(t, s, model.Service{RPM: 2}))
	if want := "2001 judge provider cannot be called in time: reached the limit of 2 calls per minute; the next call can start in "; !strings.HasPrefix(got, want) || len(s.Calls()) != 2 {
		t.Errorf("%d calls, %s\nwant %s…", len(s.Calls()), got, want)
	}
}
