// Package provider asks a service of models over the network, for layers 5 and 6 of
// attest: any that has the calls of OpenAI's API, of OpenAI itself, of Anthropic (by its
// compatible endpoint https://api.anthropic.com/v1) or of a server of one's own such as
// Ollama or llama.cpp.
//
//	judge, err := provider.NewChat(provider.Options{Key: os.Getenv("ATTEST_OPENAI_API_KEY")})
//	…
//	engine := attest.NewEngine(attest.Options{Judge: judge})
//
// A call is attempted up to Attempts times: again after a 429, a 408, a 5xx, a connection
// that fails and an attempt that takes too long, and never when the service refuses it. What a
// service answers is not trusted: a reply is bounded in bytes and values, and the key is taken
// out of every text that comes back.
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

// What holds where Options say nothing.
const (
	DefaultBaseURL        = "https://api.openai.com/v1"
	DefaultChatModel      = "gpt-4.1-mini"
	DefaultEmbeddingModel = "text-embedding-3-small"
	DefaultTimeout        = 30 * time.Second // of one attempt
	DefaultConcurrency    = 64
)

// Attempts is how often a call is attempted.
const Attempts = 3

// Options say which service is asked, and how.
type Options struct {
	model.Service              // KeyEnv only names the variable in errors
	Key           string       // sent as a bearer token to the host of the base URL alone; "": no Authorization is sent
	Logger        *slog.Logger // receives calls at debug, and warnings; nil: nobody
}

// service is a service that is asked for chats or for vectors.
type service struct {
	name   string // in errors
	opt    Options
	client *openai.Client
	wire   *wire
	slots  chan struct{} // one element per call under way
	prices prices
}

// newService returns a service; fallback is its model where the options name none.
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
		return nil, fmt.Errorf("%s provider: the key%s holds a character that a header cannot carry, expected printable ASCII", name, inVariable(opt.KeyEnv))
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

// withoutQuery is a base URL to which the names of calls are appended; the wire adds the query.
func withoutQuery(base *url.URL) string {
	plain := *base
	plain.RawQuery = ""
	return plain.String()
}

// Service is what is asked, with what holds where the options say nothing.
func (s *service) Service() model.Service { return s.opt.Service }

// Close gives back the connections that are kept open for further calls.
func (s *service) Close() { s.wire.transport.CloseIdleConnections() }

// printable says whether a header can carry a key.
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

// origin says where a URL leads: what a key is meant for.
func origin(u *url.URL) string {
	port := u.Port()
	if port == "" {
		port = map[string]string{"http": "80", "https": "443"}[u.Scheme]
	}
	return u.Scheme + "://" + strings.ToLower(u.Hostname()) + ":" + port
}

// shortestSecret is the length from which a key is taken out of texts: shorter ones, such
// as the "none" of a local server, are no secrets, and occur in words.
const shortestSecret = 8

// heard is a text of the service for an error or the log: without the key, which is looked for
// before anything is cut off, and on one line of bounded length.
func (s *service) heard(text string) string { return clip(s.hide(text)) }

// hide takes the key out of a text of the service.
func (s *service) hide(text string) string {
	if len(s.opt.Key) < shortestSecret {
		return text
	}
	return strings.ReplaceAll(text, s.opt.Key, "[key]")
}

// refusedForGood says whether a status means that the same request will be refused again.
func refusedForGood(status int) bool {
	switch status {
	case http.StatusBadRequest, http.StatusUnauthorized, http.StatusForbidden, http.StatusNotFound:
		return true
	}
	return false
}
