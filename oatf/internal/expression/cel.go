package expression

import (
	"errors"
	"fmt"
	"strings"
	"sync"

	"github.com/google/cel-go/common"
	celparser "github.com/google/cel-go/parser"

	"github.com/cupel-dev/cupel/internal/say"
)

// Bounds of CEL expressions. Expressions in documents are a few hundred characters;
// these keep the parser's time and stack small on hostile ones.
const (
	maxCELLength = 16 << 10 // code points
	maxCELDepth  = 100      // nested calls, parentheses, lists
	celOverhead  = 100      // what starting the parser costs, in bytes
)

// celParser parses by the standard CEL grammar with its macros; it knows no
// variables and no types.
var celParser = sync.OnceValues(func() (*celparser.Parser, error) {
	return celparser.NewParser(
		celparser.Macros(celparser.AllMacros...),
		celparser.ExpressionSizeCodePointLimit(maxCELLength),
		celparser.MaxRecursionDepth(maxCELDepth),
		celparser.ErrorRecoveryLimit(4),
		celparser.ErrorReportingLimit(4),
	)
})

// CELCost is what parsing an expression costs, in bytes of an expression.
func CELCost(expression string) int { return len(expression) + celOverhead }

// CheckCEL says whether an expression is syntactically valid CEL, without checking
// types: variables are declared nowhere.
func CheckCEL(expression string) error {
	p, err := celParser()
	if err != nil {
		return err
	}
	_, errs := p.Parse(common.NewStringSource(expression, "cel"))
	list := errs.GetErrors()
	if len(list) == 0 {
		return nil
	}
	return celFault(list[0])
}

// celFault words the parser's first error for people: what it expected instead is a
// list of token names and says little.
func celFault(e *common.Error) error {
	message := strings.TrimPrefix(e.Message, "Syntax error: ")
	for _, begin := range []string{"mismatched input ", "extraneous input ", "no viable alternative at input ", "token recognition error at: "} {
		rest, ok := strings.CutPrefix(message, begin)
		if !ok {
			continue
		}
		token, _, _ := strings.Cut(rest, " expecting ")
		token = strings.Trim(token, "'")
		if message = "unexpected " + say.Quoted(token); token == "<EOF>" {
			message = "the expression is incomplete"
		}
	}
	message = strings.TrimSuffix(message, " at '<EOF>'")
	if e.Location.Line() < 1 {
		return errors.New(message)
	}
	return fmt.Errorf("%s (line %d, column %d of the expression)", message, e.Location.Line(), max(e.Location.Column()+1, 1))
}
