package oatf

import (
	"fmt"
	"strings"
	"sync"

	"github.com/google/cel-go/common"
	celparser "github.com/google/cel-go/parser"
)

// Bounds of CEL expressions. Expressions in documents are a few hundred characters;
// these keep the parser's time and stack small on hostile ones.
const (
	maxCELLength = 16 << 10 // code points
	maxCELDepth  = 100      // nested calls, parentheses, lists
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

// checkCEL says whether an expression is syntactically valid CEL, without checking
// types: variables are declared nowhere.
func checkCEL(expression string) error {
	p, err := celParser()
	if err != nil {
		return err
	}
	_, errs := p.Parse(common.NewStringSource(expression, "cel"))
	list := errs.GetErrors()
	if len(list) == 0 {
		return nil
	}
	first := list[0]
	message := strings.TrimPrefix(first.Message, "Syntax error: ")
	if first.Location.Line() < 1 {
		return fmt.Errorf("%s", message)
	}
	return fmt.Errorf("%s (line %d, column %d of the expression)", message, first.Location.Line(), first.Location.Column()+1)
}
