// Package cel checks the syntax of CEL expressions, with limits against crafted ones. Package program evaluates
// them; no other package uses the library.
package cel

import (
	"errors"
	"fmt"
	"strings"
	"sync"

	"github.com/google/cel-go/common"
	"github.com/google/cel-go/common/ast"
	celparser "github.com/google/cel-go/parser"

	"github.com/cupel-dev/cupel/internal/say"
)

// Limits of CEL expressions, to protect the parser. Usual ones have a few hundred characters.
const (
	maxLength = 16 << 10 // code points
	maxDepth  = 100      // nested calls, parentheses, lists
	overhead  = 100      // what starting the parser costs, in bytes
)

// parser parses the standard CEL grammar with macros, without variables and types.
var parser = sync.OnceValues(func() (*celparser.Parser, error) {
	return celparser.NewParser(
		celparser.Macros(celparser.AllMacros...),
		celparser.ExpressionSizeCodePointLimit(maxLength),
		celparser.MaxRecursionDepth(maxDepth),
		celparser.ErrorRecoveryLimit(4),
		celparser.ErrorReportingLimit(4),
		celparser.EnableHiddenAccumulatorName(true), // no name of an author can clash with it
	)
})

// Cost returns the cost of parsing an expression, in bytes.
func Cost(expression string) int { return len(expression) + overhead }

// Check reports whether an expression is syntactically valid CEL. It does not check types and variables.
func Check(expression string) error {
	if everyday(expression) {
		return nil
	}
	_, err := Parse(expression)
	return err
}

// Parse parses an expression and expands macros.
func Parse(expression string) (*ast.AST, error) {
	p, err := parser()
	if err != nil {
		return nil, err
	}
	tree, errs := p.Parse(common.NewStringSource(expression, "cel"))
	if list := errs.GetErrors(); len(list) > 0 {
		return nil, fault(list[0])
	}
	return tree, nil
}

// fault formats the parser's first error without its list of token names.
func fault(e *common.Error) error {
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
