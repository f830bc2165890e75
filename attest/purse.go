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

// purse counts what models cost, and lets no call begin when that is as much as it may be. Calls
// under way are taken to cost as much as the dearest of their tariff so far: a call waits as long
// as it may be they that reach the limit. So, as long as none is dearer than those before it,
// all together cost less than the limit and one call more. It is safe for concurrent use.
type purse struct {
	most *float64 // USD; nil: any amount

	mu      sync.Mutex
	spent   Costs
	now     Costs // of that, without what was paid before: an answer that is recorded costs nothing again
	tariffs map[tariffName]*tariff
	ended   chan struct{} // closed when the next call ends; nil: nobody waits
}

// tariff is what is known of the calls that are expected to cost alike.
type tariff struct {
	known    bool    // a call has told what it costs
	dearest  float64 // USD
	underway int     // calls
}

// tariffName tells tariffs apart.
type tariffName struct {
	vectors bool // not chats
	model   string
}

// errSpent is the answer to a call that does not begin.
var errSpent = errors.New("the calls of models have cost as much as they may")

// begin waits until a call may begin, which has to end; the error is errSpent, or that of ctx.
// Nil is a tariff, too, where there is no limit.
func (p *purse) begin(ctx context.Context, name tariffName) (*tariff, error) {
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

// try begins a call, unless there is something to wait for first.
func (p *purse) try(name tariffName) (t *tariff, wait <-chan struct{}, err error) {
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
	if p.tariffs == nil {
		p.tariffs = map[tariffName]*tariff{}
	}
	if t = p.tariffs[name]; t == nil {
		t = &tariff{}
		p.tariffs[name] = t
	}
	t.underway++
	return t, nil, nil
}

// expected is what the calls under way may cost: anything, when one is the first of its tariff.
func (p *purse) expected() (usd float64) {
	for _, t := range p.tariffs {
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

// end notes what a call has cost, also one that failed. One that has not told its price says
// nothing of what others cost.
func (p *purse) end(t *tariff, u model.Usage, told bool) {
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
func (c paidChat) Chat(ctx context.Context, r model.ChatRequest) (reply model.ChatReply, err error) {
	t, err := c.purse.begin(ctx, tariffName{model: r.Model})
	if err != nil {
		return reply, err
	}
	told := false
	defer func() { c.purse.end(t, reply.Usage, told) }() // also after a panic
	reply, err = c.chat.Chat(ctx, r)
	told = err == nil
	return reply, err
}

// paidEmbedder is an Embedder that is paid out of a purse.
type paidEmbedder struct {
	embedder model.Embedder
	purse    *purse
}

// Embed implements model.Embedder. A reply without tokens tells no price: it may come from a
// cache.
func (e paidEmbedder) Embed(ctx context.Context, r model.EmbeddingRequest) (reply model.EmbeddingReply, err error) {
	t, err := e.purse.begin(ctx, tariffName{vectors: true, model: r.Model})
	if err != nil {
		return reply, err
	}
	told := false
	defer func() { e.purse.end(t, reply.Usage, told) }() // also after a panic
	reply, err = e.embedder.Embed(ctx, r)
	told = err == nil && reply.Usage.InputTokens > 0
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
