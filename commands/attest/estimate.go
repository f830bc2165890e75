package attestcmd

import (
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"

	"github.com/urfave/cli/v2"

	"github.com/cupel-dev/cupel/attest"
	"github.com/cupel-dev/cupel/attest/model"
	"github.com/cupel-dev/cupel/attest/provider"
	"github.com/cupel-dev/cupel/attest/serve"
	"github.com/cupel-dev/cupel/commands/internal/app"
	"github.com/cupel-dev/cupel/commands/internal/cmdline"
	"github.com/cupel-dev/cupel/commands/internal/input"
	"github.com/cupel-dev/cupel/internal/report"
)

// Assumptions about what only a model can count. In most languages a token has at least four bytes.
const (
	bytesPerToken    = 4
	tokensPerMessage = 4   // around the text of a message
	replyTokens      = 256 // of a judge that may answer at any length
)

// estimator replaces the models in a dry run. It records requests and returns answers that trigger all further
// requests.
type estimator struct {
	judge, embedding estimatedModels
	unknown          map[string]bool // models without a price that were named
}

type estimatedModels struct {
	kind       string
	service    model.Service
	configured bool
}

// newEstimator replaces the models in the configuration.
func newEstimator(env cmdline.Env, out *app.Output, c *cli.Context, config *serve.Config) (*estimator, error) {
	if err := checkDryRun(out, c); err != nil {
		return nil, err
	}
	if err := errors.Join(overrideProviders(env, c, &config.Providers), overrideCassette(c, config)); err != nil {
		return nil, err
	}
	models := func(kind, fallback string, s model.Service) estimatedModels {
		_, configured := providerOptions(env, s, nil)
		s.Model = cmp.Or(s.Model, fallback)
		return estimatedModels{kind, s, configured}
	}
	e := &estimator{
		judge:     models("judge", provider.DefaultChatModel, config.Providers.Judge),
		embedding: models("embedding", provider.DefaultEmbeddingModel, config.Providers.Embedding),
		unknown:   map[string]bool{},
	}
	config.Engine.Judge, config.Engine.Embedding = e, e
	return e, nil
}

// checkDryRun returns an error for options that a dry run does not support.
func checkDryRun(out *app.Output, c *cli.Context) error {
	for _, format := range []string{"junit", "gitlab", "checkstyle", "tap", "sarif", "github", "html", "markdown"} {
		if out.Shows(format) {
			return &cmdline.UsageError{Message: "--format " + format + " shows results, but --dry-run has no results", Hint: "use text, short, json or jsonl"}
		}
	}
	for _, flag := range []string{"baseline", "write-baseline", "max-cost", "max-soft", "prune", "policy", "repeats", "calibrate"} {
		if c.IsSet(flag) {
			return &cmdline.UsageError{Message: "--" + flag + " has no effect with --dry-run: nothing is evaluated", Hint: cmdline.LeaveOneHint}
		}
	}
	return nil
}

// modelRequests are the requests for a suite on a trace. It is safe for concurrent use.
type modelRequests struct {
	mu        sync.Mutex
	judge     map[string]askedChats // by the name of the model
	embedding []askedTexts
}

type askedChats struct {
	calls int
	usage model.Usage
}

type askedTexts struct {
	model  string
	keys   []textKey
	tokens []int
}

// textKey is the digest of a text and the name of its embedding model.
type textKey [sha256.Size]byte

type askedKey struct{}

// Chat implements model.Chat. It returns a judge's positive reply.
func (e *estimator) Chat(ctx context.Context, r model.ChatRequest) (model.ChatReply, error) {
	name := cmp.Or(r.Model, e.judge.service.Model)
	if a, counted := ctx.Value(askedKey{}).(*modelRequests); counted {
		a.mu.Lock()
		defer a.mu.Unlock()
		if a.judge == nil {
			a.judge = map[string]askedChats{}
		}
		chats := a.judge[name]
		chats.calls++
		chats.usage.OutputTokens += cmp.Or(r.MaxTokens, replyTokens)
		for _, m := range r.Messages {
			chats.usage.InputTokens += tokensPerMessage + tokensOf(m.Content)
		}
		a.judge[name] = chats
	}
	return model.ChatReply{Model: name, Text: `{"score": 1, "reason": "Nobody was asked."}`}, nil
}

// Embed implements model.Embedder. It returns equal vectors.
func (e *estimator) Embed(ctx context.Context, r model.EmbeddingRequest) (reply model.EmbeddingReply, err error) {
	reply.Model = cmp.Or(r.Model, e.embedding.service.Model)
	texts := askedTexts{model: reply.Model}
	for _, text := range r.Texts {
		reply.Vectors = append(reply.Vectors, []float32{1})
		texts.keys = append(texts.keys, sha256.Sum256(fmt.Appendf(nil, "%d:%s%s", len(reply.Model), reply.Model, text)))
		texts.tokens = append(texts.tokens, tokensOf(text))
	}
	if a, counted := ctx.Value(askedKey{}).(*modelRequests); counted {
		a.mu.Lock()
		defer a.mu.Unlock()
		a.embedding = append(a.embedding, texts)
	}
	return reply, nil
}

func tokensOf(text string) int { return (len(text) + bytesPerToken - 1) / bytesPerToken }

type estimate struct {
	traces    int
	judge     estimatedCalls
	embedding estimatedCalls
	embedded  map[textKey]bool // texts that were asked for
}

// maxEmbedded limits the texts that are recognized when repeated, at about 100 bytes each.
const maxEmbedded = 500_000

// add adds a trace's requests. Repeated texts count as cached.
func (n *estimate) add(a *modelRequests, e *estimator, out *app.Output) {
	n.traces++
	for _, name := range slices.Sorted(maps.Keys(a.judge)) {
		chats := a.judge[name]
		n.judge.add(chats.calls, e.judge.priced(chats.usage, name, e.unknown, out))
	}
	for _, texts := range a.embedding {
		var u model.Usage
		unseen := 0
		for i, key := range texts.keys {
			if n.isNew(key) {
				unseen++
				u.InputTokens += texts.tokens[i]
			}
		}
		if unseen > 0 {
			n.embedding.add((unseen+provider.MaxTexts-1)/provider.MaxTexts, e.embedding.priced(u, texts.model, e.unknown, out))
		}
	}
}

// isNew reports whether a text is new, and remembers it.
func (n *estimate) isNew(key textKey) bool {
	if n.embedded[key] {
		return false
	}
	if n.embedded == nil || len(n.embedded) >= maxEmbedded {
		n.embedded = map[textKey]bool{}
	}
	n.embedded[key] = true
	return true
}

// priced adds the cost of usage. It warns once about a model without a price.
func (m *estimatedModels) priced(u model.Usage, name string, unknown map[string]bool, out *app.Output) model.Usage {
	price, known := m.service.Prices[name]
	switch {
	case known:
		u.Cost = provider.Cost(price, u)
	case !unknown[name]:
		unknown[name] = true
		out.Warn(fmt.Sprintf("the price of a model is unknown: its calls count as free, provider %s, model %s", m.kind, name))
	}
	return u
}

type estimatedCalls struct {
	calls, input, output int
	cost                 attest.Costs
}

func (n *estimatedCalls) add(calls int, u model.Usage) {
	n.calls += calls
	n.input += u.InputTokens
	n.output += u.OutputTokens
	n.cost.Add(u.Cost)
}

func (n *estimate) cost() float64 {
	var sum attest.Costs
	sum.Add(n.judge.cost.Total())
	sum.Add(n.embedding.cost.Total())
	return sum.Total()
}

// estimated reports the requests for each suite.
func (s *suites) estimated(e *estimator, out *app.Output) error {
	judges, vectors := 0, 0
	for i := range s.list {
		one := &s.list[i]
		judges += one.estimate.judge.calls
		vectors += one.estimate.embedding.calls
		if err := out.Answer(one.estimate.answer(one.Path)); err != nil {
			return err
		}
	}
	e.judge.remind(judges, out)
	e.embedding.remind(vectors, out)
	return nil
}

// remind warns if the run itself is not possible yet, for example without a key.
func (m *estimatedModels) remind(calls int, out *app.Output) {
	if calls > 0 && !m.configured {
		out.Warn(fmt.Sprintf("no %s provider is configured: the evaluation needs one to answer", m.kind))
	}
}

type jsonCalls struct {
	Calls        int     `json:"calls"`
	InputTokens  int     `json:"input_tokens"`
	OutputTokens int     `json:"output_tokens,omitempty"`
	Cost         float64 `json:"cost"` // USD
}

func (n *estimatedCalls) json() jsonCalls {
	return jsonCalls{n.calls, n.input, n.output, n.cost.Total()}
}

func (n *estimate) answer(file string) report.Answer {
	value := struct {
		Suite     string    `json:"suite"`
		Traces    int       `json:"traces"`
		Judge     jsonCalls `json:"judge"`
		Embedding jsonCalls `json:"embedding"`
		Cost      float64   `json:"cost"` // USD
	}{file, n.traces, n.judge.json(), n.embedding.json(), n.cost()}
	return report.Answer{List: "suites", Value: value, Subject: file, Outcome: report.Outcome{Word: n.String()}}
}

func (n *estimate) String() string {
	text := cmdline.Counted(n.traces, "trace")
	if n.judge.calls > 0 {
		text += fmt.Sprintf(", %s of judges with about %d tokens and at most %d in reply", cmdline.Counted(n.judge.calls, "call"), n.judge.input, n.judge.output)
	}
	if n.embedding.calls > 0 {
		text += fmt.Sprintf(", %s for vectors with about %d tokens", cmdline.Counted(n.embedding.calls, "call"), n.embedding.input)
	}
	if n.judge.calls+n.embedding.calls == 0 {
		return text + ", no calls"
	}
	return text + ": about " + dollars(n.cost()) + " USD"
}

// estimateSummary returns a dry run's summary. errors counts unusable traces.
func (s *suites) estimateSummary(errors int, passed *input.PassedOver) report.Summary {
	value := struct {
		DryRun bool    `json:"dry_run"`
		Error  int     `json:"error"`
		Calls  int     `json:"calls"`
		Cost   float64 `json:"cost"` // USD
		Passed int     `json:"passed_over,omitempty"`
	}{DryRun: true, Error: errors, Passed: len(passed.Files)}
	var cost attest.Costs
	for i := range s.list {
		n := &s.list[i].estimate
		value.Calls += n.judge.calls + n.embedding.calls
		cost.Add(n.cost())
	}
	value.Cost = cost.Total()
	text := fmt.Sprintf("dry run: %s, about %s USD; no model was called", cmdline.Counted(value.Calls, "call"), dollars(value.Cost)) + passed.Text()
	return report.Summary{Value: value, Text: text}
}
