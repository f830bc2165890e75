package provider

import (
	"log/slog"
	"math"
	"sync"

	"github.com/cupel-dev/cupel/attest/model"
)

// prices computes costs. A model without a price costs nothing, with one warning.
type prices struct {
	list map[string]model.Price
	log  *slog.Logger
	name string // of the service

	missing sync.Map // models that were named
}

// of returns the usage with its cost, by the price of the requested model, or else of the model in the reply.
func (p *prices) of(u model.Usage, asked, answered string) model.Usage {
	u.InputTokens, u.OutputTokens = max(u.InputTokens, 0), max(u.OutputTokens, 0)
	price, known := p.list[asked]
	if !known {
		price, known = p.list[answered]
	}
	if !known {
		if _, named := p.missing.LoadOrStore(asked, true); !named {
			p.log.Warn("the price of a model is unknown: its calls count as free", "provider", p.name, "model", clip(asked))
		}
		return u
	}
	u.Cost = Cost(price, u)
	return u
}

// Cost returns the cost of usage at a price, in USD.
func Cost(p model.Price, u model.Usage) float64 {
	const million = 1e6
	return dollars(grains((float64(u.InputTokens)*p.Input + float64(u.OutputTokens)*p.Output) / million))
}

// plus adds the usage of two calls.
func plus(a, b model.Usage) model.Usage {
	return model.Usage{InputTokens: a.InputTokens + b.InputTokens, OutputTokens: a.OutputTokens + b.OutputTokens, Cost: dollars(grains(a.Cost) + grains(b.Cost))}
}

// Costs are integers, so that sums do not depend on the order.
const grainsPerDollar = 1e12

// grains converts an amount. It saturates at the maximum.
func grains(dollars float64) int64 {
	const most = math.MaxInt64 / 4 // the sum of two fits as well
	if g := math.Round(dollars * grainsPerDollar); g < most {
		return int64(g)
	}
	return most
}

func dollars(grains int64) float64 { return float64(grains) / grainsPerDollar }
