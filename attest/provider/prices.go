package provider

import (
	"log/slog"
	"math"
	"sync"

	"github.com/cupel-dev/cupel/attest/model"
)

// prices says what usage costs. A model without a price costs nothing, and is named once.
type prices struct {
	list map[string]model.Price
	log  *slog.Logger
	name string // of the service

	missing sync.Map // models that were named
}

// of returns the usage with its cost. The price is looked up by requested name, then by the model's.
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

// plus adds up what several calls took.
func plus(a, b model.Usage) model.Usage {
	return model.Usage{InputTokens: a.InputTokens + b.InputTokens, OutputTokens: a.OutputTokens + b.OutputTokens, Cost: dollars(grains(a.Cost) + grains(b.Cost))}
}

// Costs are whole numbers of grains: sums of them do not depend on their order, and have few digits.
const grainsPerDollar = 1e12

// grains saturates: what costs more than an int64 holds costs that.
func grains(dollars float64) int64 {
	const most = math.MaxInt64 / 4 // the sum of two fits as well
	if g := math.Round(dollars * grainsPerDollar); g < most {
		return int64(g)
	}
	return most
}

func dollars(grains int64) float64 { return float64(grains) / grainsPerDollar }
