package attest

import (
	"log/slog"
	"sync"
)

// bill tracks the model costs of a request. If the request fails, the costs are logged, including
// those of later answers.
type bill struct {
	log *slog.Logger

	mu   sync.Mutex
	cost Costs
	lost bool // the request failed
}

// add counts what an answer cost.
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

// logWaste logs the wasted cost, once.
func (b *bill) logWaste() {
	if usd := b.cost.Total(); usd > 0 {
		b.log.Warn("model calls of a request that failed were paid for", "cost_usd", usd)
		b.cost = Costs{}
	}
}
