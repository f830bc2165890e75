package validate

import "github.com/cupel-dev/cupel/oatf/internal/rules"

// maxExpressions limits the total size in bytes of each kind of expression in a document. Documents with a thousand
// indicators have about 50 KB of each.
const maxExpressions = 512 << 10

// budget is the used part of maxExpressions.
type budget struct {
	rule  rules.Handle // reported when it is spent
	spent int
}

// spend reports whether an expression of a given cost fits the budget, and whether it is the first that does not.
func (b *budget) spend(cost int) (ok, first bool) {
	before := b.spent
	b.spent += cost
	return b.spent <= maxExpressions, before <= maxExpressions && b.spent > maxExpressions
}
