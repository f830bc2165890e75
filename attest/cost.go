package attest

import (
	"math"
	"strconv"

	"github.com/cupel-dev/cupel/attest/internal/decimal"
)

// Costs adds up costs in USD. It adds the decimals that the costs are written with, exactly,
// so that the total of 0.1 and 0.2 is 0.3 and no order of adding makes another. The zero
// Costs is nothing.
type Costs struct {
	sum  decimal.Sum
	some bool // something was added
}

// Add adds a cost. One that is not a number of 0 or more is none.
func (c *Costs) Add(usd float64) {
	if usd = cleanCost(usd); usd == 0 {
		return
	}
	if n, ok := decimal.Parse(strconv.AppendFloat(nil, usd, 'f', -1, 64)); ok {
		c.sum.Add(n)
		c.some = true
	}
}

// Total is the sum so far.
func (c *Costs) Total() float64 {
	if !c.some {
		return 0
	}
	total, _ := c.sum.Number().Rat().Float64()
	return total
}

// cleanCost is what somebody else says that something costs, or 0 where that is no amount of
// money.
func cleanCost(usd float64) float64 {
	if !(usd > 0) || math.IsInf(usd, 0) {
		return 0
	}
	return usd
}
