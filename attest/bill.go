package attest

import (
	"log/slog"
	"sync"
)

// bill tracks the model costs of a request. If the request fails, it logs the costs, including those of answers
// that arrive later.
type bill struct {
	log *slog.Logger

	mu   sync.Mutex
	cost Costs
	lost bool // the request failed
}

func (b *bill) add(cost float64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.cost.Add(cost)
	if b.lost {
		b.logWaste()
	}
}

func (b *bill) lose() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.lost = true
	b.logWaste()
}

func (b *bill) logWaste() {
	if usd := b.cost.Total(); usd > 0 {
		b.log.Warn("model calls of a request that failed were paid for", "cost_usd", usd)
		b.cost = Costs{}
	}
}
