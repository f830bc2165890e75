package attest

import (
	"errors"
	"math/big"
	"testing"

	"pgregory.net/rapid"

	"github.com/cupel-dev/cupel/attest/model"
)

// paidCall is a call of a naive limit.
type paidCall struct {
	class  *priceClass
	name   priceKey
	cost   float64
	ended  bool
	told   bool
	excess func() float64 // by how much it is dearer than those that had ended when it began
}

// naiveBudget is all calls that have begun.
type naiveBudget struct {
	most  float64
	calls []*paidCall
}

func (n *naiveBudget) paid() *big.Rat {
	sum := new(big.Rat)
	for _, c := range n.calls {
		if c.ended {
			sum.Add(sum, new(big.Rat).SetFloat64(c.cost))
		}
	}
	return sum
}

// decide says what becomes of another call: it begins, waits, or never begins.
func (n *naiveBudget) decide() string {
	limit := new(big.Rat).SetFloat64(n.most)
	sum := n.paid()
	if sum.Cmp(limit) >= 0 {
		return "never"
	}
	for _, c := range n.calls {
		if c.ended {
			continue
		}
		dearest, known := n.dearest(c.name)
		if !known {
			return "waits"
		}
		sum.Add(sum, new(big.Rat).SetFloat64(dearest))
	}
	if sum.Cmp(limit) >= 0 {
		return "waits"
	}
	return "begins"
}

// dearest returns the cost of the most expensive ended call of a class; known is false before the first price.
func (n *naiveBudget) dearest(name priceKey) (usd float64, known bool) {
	for _, c := range n.calls {
		if c.ended && c.name == name {
			usd, known = max(usd, c.cost), known || c.told || c.cost > 0
		}
	}
	return usd, known
}

// TestCostBudget checks that calls begin, wait and are refused like those under a naive limit, which adds up all calls
// each time, in whatever order calls begin and end. The total exceeds the limit by less than the cost of one call,
// plus the rise in price over earlier calls. Without calls in flight no call waits.
func TestCostBudget(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		eighths := func(from, to int) *rapid.Generator[float64] {
			return rapid.Map(rapid.IntRange(from, to), func(n int) float64 { return float64(n) / 8 })
		}
		naive := &naiveBudget{most: eighths(0, 80).Draw(t, "most")}
		p := &costBudget{most: &naive.most}
		alike := rapid.Bool().Draw(t, "alike")
		price := map[string]float64{"a": eighths(0, 8).Draw(t, "a"), "b": eighths(0, 8).Draw(t, "b")}
		var underway []*paidCall
		end := func(i int) {
			c := underway[i]
			underway = append(underway[:i:i], underway[i+1:]...)
			c.cost, c.told = price[c.name.model], true
			if !alike {
				c.cost, c.told = eighths(0, 16).Draw(t, "cost"), rapid.Bool().Draw(t, "told")
			}
			p.end(c.class, model.Usage{Cost: c.cost}, c.told)
			c.ended = true
		}
		for range rapid.IntRange(1, 60).Draw(t, "steps") {
			if len(underway) > 0 && rapid.IntRange(0, 2).Draw(t, "end") == 0 {
				end(rapid.IntRange(0, len(underway)-1).Draw(t, "which"))
				continue
			}
			name := priceKey{rapid.Bool().Draw(t, "vectors"), rapid.SampledFrom([]string{"a", "b"}).Draw(t, "model")}
			want, got := naive.decide(), "begins"
			class, wait, err := p.try(name)
			switch {
			case errors.Is(err, errSpent):
				got = "never"
			case wait != nil:
				got = "waits"
			default:
				c := &paidCall{class: class, name: name}
				before, known := naive.dearest(name)
				c.excess = func() float64 {
					if !known {
						return 0 // it was alone
					}
					return max(0, c.cost-before)
				}
				naive.calls, underway = append(naive.calls, c), append(underway, c)
			}
			if got != want {
				t.Fatalf("a call %s, want %s, after %v USD of %v and with %d under way", got, want, p.paid(), naive.most, len(underway))
			}
		}
		for len(underway) > 0 {
			end(0)
		}
		if naive.decide() == "waits" {
			t.Fatal("a call waits for nothing")
		}
		if len(naive.calls) == 0 {
			return
		}
		dearest, excess := 0.0, 0.0
		for _, c := range naive.calls {
			dearest, excess = max(dearest, c.cost), excess+c.excess()
		}
		if over := p.paid() - naive.most; over >= dearest+excess || alike && excess != 0 {
			t.Fatalf("%v USD beyond the limit, a call costs %v at most; they were dearer than those before by %v", over, dearest, excess)
		}
	})
}
