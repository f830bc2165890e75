package validate

import "github.com/cupel-dev/cupel/oatf/internal/rules"

// maxExpressions bounds what one kind of expression may come to in a document, in
// bytes. A document with a thousand indicators has some fifty kilobytes of each.
const maxExpressions = 512 << 10

// budget is what a document has spent of maxExpressions.
type budget struct {
	rule  rules.Handle // reported when it is spent
	spent int
}

// spend says whether an expression that costs as much as cost bytes may be parsed, and
// whether it is the first that may not.
func (b *budget) spend(cost int) (ok, first bool) {
	before := b.spent
	b.spent += cost
	return b.spent <= maxExpressions, before <= maxExpressions && b.spent > maxExpressions
}
