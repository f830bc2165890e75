package eval

import (
	"fmt"
	"sync/atomic"

	"github.com/cupel-dev/cupel/oatf"
	"github.com/cupel-dev/cupel/oatf/internal/expression"
)

// Limits of regular expressions, in instructions and steps. Usual expressions have 10 to 100 instructions;
// "[a-z]{1000}" has a thousand.
const (
	// About 60 MB.
	mostInstructions = 1_000_000

	// The number of steps between two checks of the context.
	patientSteps = 1_000_000
)

// Budget limits the memory of regular expressions: one million instructions, about 60 MB.
// Expressions beyond it are errors of kind type_error. It is safe for concurrent use.
type Budget struct{ spent atomic.Int64 }

// NewBudget returns an unused budget.
func NewBudget() *Budget { return new(Budget) }

// spend reserves memory for an expression. It returns an error if the budget is exhausted.
func (b *Budget) spend(size int) error {
	for {
		spent := b.spent.Load()
		if spent+int64(size) > mostInstructions {
			return &oatf.EvaluationError{Kind: oatf.EvaluationTypeError, Message: fmt.Sprintf(
				"the regular expressions of the documents are too large together: this one has %d instructions; of %d only %d are left", size, mostInstructions, mostInstructions-spent)}
		}
		if b.spent.CompareAndSwap(spent, spent+int64(size)) {
			return nil
		}
	}
}

func regexSize(c *oatf.Condition) int {
	if c == nil || c.Operators == nil || c.Operators.Regex == nil || expression.CheckRegex(*c.Operators.Regex) != nil {
		return 0
	}
	return expression.RegexSize(*c.Operators.Regex)
}

// steps returns the maximum steps of the pattern's regular expression on a text.
func (p *pattern) steps(text string) int { return p.size * len(text) }

// tooLong returns an error if searching a text could take too many steps, so that the search is not started.
func (p *pattern) tooLong(text string) error {
	if err := expression.CheckSearch(p.size, len(text)); err != nil {
		return &oatf.EvaluationError{Kind: oatf.EvaluationRegexTimeout, Message: err.Error()}
	}
	return nil
}
