package attest

import (
	"context"
	"errors"
	"strconv"
	"sync"

	"github.com/cupel-dev/cupel/attest/internal/check"
	"github.com/cupel-dev/cupel/attest/model"
)

// purse counts what models cost, and lets no call begin when that is as much as it may be.
// It is safe for concurrent use.
type purse struct {
	most *float64 // USD; nil: any amount

	mu    sync.Mutex
	spent Costs
	now   Costs // of that, without what was paid before: an answer that is recorded costs nothing again
}

// errSpent is the answer to a call that does not begin.
var errSpent = errors.New("the calls of models have cost as much as they may")

// open says whether another call may begin. The calls under way go on, and are paid.
func (p *purse) open() error {
	if p.most != nil && p.paid() >= *p.most {
		return errSpent
	}
	return nil
}

// pay notes what a call has cost, also one that failed.
func (p *purse) pay(u model.Usage) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.spent.Add(u.Cost)
	p.now.Add(u.Cost - u.Saved)
}

func (p *purse) total() float64 {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.spent.Total()
}

// paid is what was spent in this run.
func (p *purse) paid() float64 {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.now.Total()
}

// unpaid is the verdict on an assertion whose model is not asked, or not asked to the end.
func (p *purse) unpaid(v check.Verdict) check.Verdict {
	dollars := func(usd float64) string { return strconv.FormatFloat(usd, 'f', -1, 64) }
	return check.Unpaid(dollars(*p.most), dollars(p.paid()), v.Cost)
}

// paidChat is a Chat that is paid out of a purse.
type paidChat struct {
	chat  model.Chat
	purse *purse
}

// Chat implements model.Chat.
func (c paidChat) Chat(ctx context.Context, r model.ChatRequest) (model.ChatReply, error) {
	if err := c.purse.open(); err != nil {
		return model.ChatReply{}, err
	}
	reply, err := c.chat.Chat(ctx, r)
	c.purse.pay(reply.Usage)
	return reply, err
}

// paidEmbedder is an Embedder that is paid out of a purse.
type paidEmbedder struct {
	embedder model.Embedder
	purse    *purse
}

// Embed implements model.Embedder.
func (e paidEmbedder) Embed(ctx context.Context, r model.EmbeddingRequest) (model.EmbeddingReply, error) {
	if err := e.purse.open(); err != nil {
		return model.EmbeddingReply{}, err
	}
	reply, err := e.embedder.Embed(ctx, r)
	e.purse.pay(reply.Usage)
	return reply, err
}

// paid are the options with models that are paid out of a purse.
func (o Options) paid(p *purse) Options {
	if o.Judge != nil {
		o.Judge = paidChat{o.Judge, p}
	}
	if o.Embedding != nil {
		o.Embedding = paidEmbedder{o.Embedding, p}
	}
	return o
}
