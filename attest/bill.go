package attest

import (
	"log/slog"
	"sync"
)

// bill is what the models of one request cost. When the request fails, no result says so: the
// log does, also of what is answered, and paid for, afterwards.
type bill struct {
	log *slog.Logger

	mu   sync.Mutex
	cost Costs
	lost bool // the request has failed
}

// add counts what an answer cost.
func (b *bill) add(cost float64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.cost.Add(cost)
	if b.lost {
		b.tell()
	}
}

// lose says that the request has failed.
func (b *bill) lose() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.lost = true
	b.tell()
}

// tell logs what was spent for nothing, once.
func (b *bill) tell() {
	if usd := b.cost.Total(); usd > 0 {
		b.log.Warn("models were paid for a request that failed", "cost_usd", usd)
		b.cost = Costs{}
	}
}
