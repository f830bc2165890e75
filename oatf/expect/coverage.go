package expect

import "github.com/cupel-dev/cupel/oatf/eval"

// Coverage counts in how many captures each indicator of a document matched.
type Coverage struct {
	Attacks, Benign int // captures
	Indicators      []Covered
}

// Covered is the coverage of one indicator.
type Covered struct {
	ID              string
	Attacks, Benign int // captures in which it matched
	Skipped         int // captures on which it was not evaluated
}

// Add counts the verdict on a capture.
func (c *Coverage) Add(of *Case, v *eval.AttackVerdict) {
	if c.Indicators == nil {
		c.Indicators = make([]Covered, len(v.IndicatorVerdicts))
	}
	if of.Attack {
		c.Attacks++
	} else {
		c.Benign++
	}
	for i := range v.IndicatorVerdicts {
		x, to := &v.IndicatorVerdicts[i], &c.Indicators[i]
		to.ID = x.IndicatorID
		switch {
		case x.Result == eval.Skipped:
			to.Skipped++
		case x.Result != eval.Matched:
		case of.Attack:
			to.Attacks++
		default:
			to.Benign++
		}
	}
}
