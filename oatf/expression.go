package oatf

import (
	"errors"
	"fmt"
	"regexp/syntax"
	"strings"

	"github.com/theory/jsonpath"
)

// maxExpression bounds regular expressions and JSONPath selectors, in bytes: parsing
// them may take more than linear time and memory.
const maxExpression = 16 << 10

// maxExpressions bounds what one kind of expression may come to in a document, in
// bytes. A document with a thousand indicators has some fifty kilobytes of each.
const maxExpressions = 512 << 10

// budget is what a document has spent of maxExpressions.
type budget struct{ spent int }

// spend says whether an expression that costs as much as cost bytes may be parsed, and
// whether it is the first that may not.
func (b *budget) spend(cost int) (ok, first bool) {
	before := b.spent
	b.spent += cost
	return b.spent <= maxExpressions, before <= maxExpressions && b.spent > maxExpressions
}

// checkRegex says whether a regular expression is valid RE2.
func checkRegex(expression string) error {
	if len(expression) > maxExpression {
		return fmt.Errorf("%d bytes are more than the limit of %d", len(expression), maxExpression)
	}
	_, err := syntax.Parse(expression, syntax.Perl)
	var fault *syntax.Error
	if errors.As(err, &fault) {
		return fmt.Errorf("%s: %q", fault.Code, preview(fault.Expr))
	}
	return err
}

// regexHelp tells what RE2 lacks when an expression uses it.
func regexHelp(expression string) string {
	for _, feature := range []struct{ text, name string }{
		{"(?=", "lookahead"}, {"(?!", "lookahead"}, {"(?<=", "lookbehind"}, {"(?<!", "lookbehind"}, {"(?>", "atomic groups"},
	} {
		if strings.Contains(expression, feature.text) {
			return "RE2 has no " + feature.name
		}
	}
	if strings.ContainsAny(expression, `\`) && strings.Contains(strings.Map(digitMark, expression), `\#`) {
		return "RE2 has no backreferences"
	}
	return ""
}

func digitMark(r rune) rune {
	if r >= '1' && r <= '9' {
		return '#'
	}
	return r
}

// checkJSONPath says whether a selector is valid JSONPath (RFC 9535).
func checkJSONPath(selector string) error {
	if len(selector) > maxExpression {
		return fmt.Errorf("%d bytes are more than the limit of %d", len(selector), maxExpression)
	}
	_, err := jsonpath.Parse(selector)
	if err != nil {
		return errors.New(strings.TrimPrefix(err.Error(), "jsonpath: "))
	}
	return nil
}
