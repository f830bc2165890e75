package attest

import (
	"math"
	"strconv"

	"github.com/cupel-dev/cupel/attest/internal/decimal"
)

// Costs is an exact sum in USD, computed with decimals so that 0.1 and 0.2 make 0.3. The zero value is 0.
type Costs struct {
	sum  decimal.Sum
	some bool // something was added
}

// Add adds a cost. Negative, infinite and NaN costs are ignored.
func (c *Costs) Add(usd float64) {
	if usd = cleanCost(usd); usd == 0 {
		return
	}
	if n, ok := decimal.Parse(strconv.AppendFloat(nil, usd, 'f', -1, 64)); ok {
		c.sum.Add(n)
		c.some = true
	}
}

func (c *Costs) Total() float64 {
	if !c.some {
		return 0
	}
	total := c.sum.Number().Float()
	return total
}

// cleanCost returns an external cost, or 0 if it is not a valid amount.
func cleanCost(usd float64) float64 {
	if !(usd > 0) || math.IsInf(usd, 0) {
		return 0
	}
	return usd
}
