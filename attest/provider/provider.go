// Package provider calls a model service over the network for layers 5 and 6 of attest: any with OpenAI's API, such
// as OpenAI, Anthropic (https://api.anthropic.com/v1), Ollama or llama.cpp.
//
//	judge, err := provider.NewChat(provider.Options{Key: os.Getenv("ATTEST_OPENAI_API_KEY")})
//	…
//	engine := attest.NewEngine(attest.Options{Judge: judge})
//
// A call is attempted up to Attempts times: it is repeated after a 429, 408, 5xx, failed connection or timeout, but
// not after other errors. Replies are untrusted: their bytes and values are limited, and the key is removed from
// every returned text.
package provider

import (
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"strings"
	"time"

	openai "github.com/sashabaranov/go-openai"

	"github.com/cupel-dev/cupel/attest/model"
)

// The defaults of Options.
const (
	DefaultBaseURL        = "https://api.openai.com/v1"
	DefaultChatModel      = "gpt-4.1-mini"
	DefaultEmbeddingModel = "text-embedding-3-small"
	DefaultTimeout        = 30 * time.Second // of one attempt
	DefaultConcurrency    = 64
)

// Attempts is the maximum number of attempts for a call.
const Attempts = 3

// Options configures a service.
type Options struct {
	model.Service              // KeyEnv only names the variable in errors
	Key           string       // sent as a bearer token to the host of the base URL alone; "": no Authorization is sent
	Logger        *slog.Logger // receives calls at debug level, and warnings; can be nil
}

// service is a chat or embedding service.
type service struct {
	name   string // in errors
	opt    Options
	client *openai.Client
	wire   *wire
	slots  chan struct{} // one element per call under way
	prices prices
}

func newService(name, fallback string, opt Options) (*service, error) {
	opt.Key = strings.TrimSpace(opt.Key) // of the newline at the end of a file
	if opt.BaseURL == "" {
		opt.BaseURL = DefaultBaseURL
	}
	if opt.Model == "" {
		opt.Model = fallback
	}
	if opt.Timeout <= 0 {
		opt.Timeout = DefaultTimeout
	}
	if opt.Concurrency <= 0 {
		opt.Concurrency = DefaultConcurrency
	}
	opt.Concurrency, opt.RPM = min(opt.Concurrency, model.MaxConcurrency), min(opt.RPM, model.MaxRPM)
	if opt.Logger == nil {
		opt.Logger = slog.New(slog.DiscardHandler)
	}
	base, err := model.ReadBaseURL(opt.BaseURL)
	if err != nil {
		return nil, fmt.Errorf("%s provider: %w", name, err)
	}
	if !printable(opt.Key) {
		return nil, fmt.Errorf("%s provider: the key%s has a character that is not allowed in a header, expected printable ASCII", name, inVariable(opt.KeyEnv))
	}
	s := &service{
		name: name, opt: opt, wire: newWire(base, &opt), slots: make(chan struct{}, opt.Concurrency),
		prices: prices{list: opt.Prices, log: opt.Logger, name: name},
	}
	config := openai.DefaultConfig("") // the wire adds the key, where it may go
	config.BaseURL = withoutQuery(base)
	config.HTTPClient = s.wire
	s.client = openai.NewClientWithConfig(config)
	return s, nil
}

// withoutQuery returns a base URL to which the names of calls are appended; the wire adds the query.
func withoutQuery(base *url.URL) string {
	plain := *base
	plain.RawQuery = ""
	return plain.String()
}

// Service returns the service's configuration with defaults.
func (s *service) Service() model.Service { return s.opt.Service }

func (s *service) Close() { s.wire.transport.CloseIdleConnections() }

// printable reports whether a header can carry a key.
func printable(key string) bool {
	for i := range len(key) {
		if key[i] <= ' ' || key[i] > '~' {
			return false
		}
	}
	return true
}

func inVariable(name string) string {
	if name == "" {
		return ""
	}
	return " in " + name
}

// origin returns a URL's origin, for which a key is valid.
func origin(u *url.URL) string {
	port := u.Port()
	if port == "" {
		port = map[string]string{"http": "80", "https": "443"}[u.Scheme]
	}
	return u.Scheme + "://" + strings.ToLower(u.Hostname()) + ":" + port
}

// shortestSecret is the minimum length of a key to remove from texts. Shorter ones, such as a local server's
// "none", are not secrets and occur in words.
const shortestSecret = 8

// heard returns a service's text for errors and logs: without the key, on one line, shortened.
func (s *service) heard(text string) string { return clip(s.hide(text)) }

func (s *service) hide(text string) string {
	if len(s.opt.Key) < shortestSecret {
		return text
	}
	return strings.ReplaceAll(text, s.opt.Key, "[key]")
}

// refusedForGood reports whether a request with this status must not be retried.
func refusedForGood(status int) bool {
	switch status {
	case http.StatusBadRequest, http.StatusUnauthorized, http.StatusForbidden, http.StatusNotFound:
		return true
	}
	return false
}
