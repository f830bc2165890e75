package attest

import (
	"context"
	"errors"
	"math"
	"strconv"
	"sync"

	"github.com/cupel-dev/cupel/attest/internal/check"
	"github.com/cupel-dev/cupel/attest/model"
)

// costBudget enforces the cost limit. A call starts only if the calls in flight cannot reach the limit, assuming
// that each costs as much as the most expensive one of its price class so far. If prices do not rise, the total
// exceeds the limit by less than one call. It is safe for concurrent use.
type costBudget struct {
	most *float64 // USD; nil: unlimited

	mu      sync.Mutex
	spent   Costs
	now     Costs // without recorded answers, which cost nothing again
	classes map[priceKey]*priceClass
	ended   chan struct{} // closed when the next call ends; nil without waiters
}

// priceClass is the state of calls with the same price.
type priceClass struct {
	known    bool    // the cost of a call is known
	dearest  float64 // USD
	underway int     // calls in flight
}

type priceKey struct {
	vectors bool // embeddings, not chats
	model   string
}

// errSpent is the error for calls after the limit.
var errSpent = errors.New("the cost limit for model calls is reached")

// begin waits until a call can start; end must follow. It returns errSpent or ctx's error. The price class is nil
// if there is no limit.
func (p *costBudget) begin(ctx context.Context, name priceKey) (*priceClass, error) {
	for {
		t, wait, err := p.try(name)
		if wait == nil {
			return t, err
		}
		select {
		case <-wait:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// try starts a call or returns the channel to wait for.
func (p *costBudget) try(name priceKey) (t *priceClass, wait <-chan struct{}, err error) {
	if p.most == nil {
		return nil, nil, nil
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	switch paid := p.now.Total(); {
	case paid >= *p.most:
		return nil, nil, errSpent
	case paid+p.expected() >= *p.most:
		if p.ended == nil {
			p.ended = make(chan struct{})
		}
		return nil, p.ended, nil
	}
	if p.classes == nil {
		p.classes = map[priceKey]*priceClass{}
	}
	if t = p.classes[name]; t == nil {
		t = &priceClass{}
		p.classes[name] = t
	}
	t.underway++
	return t, nil, nil
}

// expected returns the maximum cost of the calls in flight, +Inf if the price of a class is unknown.
func (p *costBudget) expected() (usd float64) {
	for _, t := range p.classes {
		switch {
		case t.underway == 0:
		case !t.known:
			return math.Inf(1)
		default:
			usd += float64(t.underway) * t.dearest
		}
	}
	return usd
}

// end records the cost of a call, even a failed one. told is false for a call without usage, which does not affect
// the price.
func (p *costBudget) end(t *priceClass, u model.Usage, told bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.spent.Add(u.Cost)
	p.now.Add(u.Cost - u.Saved)
	if t == nil {
		return
	}
	t.underway--
	t.known = t.known || told || u.Cost > 0
	t.dearest = max(t.dearest, cleanCost(u.Cost))
	if p.ended != nil {
		close(p.ended)
		p.ended = nil
	}
}

func (p *costBudget) total() float64 {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.spent.Total()
}

func (p *costBudget) paid() float64 {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.now.Total()
}

// unpaid returns the verdict for an assertion without a complete model answer.
func (p *costBudget) unpaid(v check.Verdict) check.Verdict {
	dollars := func(usd float64) string { return strconv.FormatFloat(usd, 'f', -1, 64) }
	return check.Unpaid(dollars(*p.most), dollars(p.paid()), v.Cost)
}

type paidChat struct {
	chat  model.Chat
	spend *costBudget
}

// Chat implements model.Chat.
func (c paidChat) Chat(ctx context.Context, r model.ChatRequest) (reply model.ChatReply, err error) {
	t, err := c.spend.begin(ctx, priceKey{model: r.Model})
	if err != nil {
		return reply, err
	}
	told := false
	defer func() { c.spend.end(t, reply.Usage, told) }() // also after a panic
	reply, err = c.chat.Chat(ctx, r)
	told = err == nil
	return reply, err
}

type paidEmbedder struct {
	embedder model.Embedder
	spend    *costBudget
}

// Embed implements model.Embedder. A reply without token counts does not set a price, because it can come from a
// cache.
func (e paidEmbedder) Embed(ctx context.Context, r model.EmbeddingRequest) (reply model.EmbeddingReply, err error) {
	t, err := e.spend.begin(ctx, priceKey{vectors: true, model: r.Model})
	if err != nil {
		return reply, err
	}
	told := false
	defer func() { e.spend.end(t, reply.Usage, told) }() // also after a panic
	reply, err = e.embedder.Embed(ctx, r)
	told = err == nil && reply.Usage.InputTokens > 0
	return reply, err
}

func (o Options) paid(p *costBudget) Options {
	if o.Judge != nil {
		o.Judge = paidChat{o.Judge, p}
	}
	if o.Embedding != nil {
		o.Embedding = paidEmbedder{o.Embedding, p}
	}
	return o
}
