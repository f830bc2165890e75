// Package expression says whether the regular expressions and JSONPath selectors of a
// document are well-formed, within bounds that keep hostile ones cheap.
package expression

import (
	"errors"
	"fmt"
	"regexp"
	"regexp/syntax"
	"strings"

	"github.com/theory/jsonpath"

	"github.com/cupel-dev/cupel/internal/say"
)

// maxExpression bounds regular expressions and JSONPath selectors, in bytes: parsing
// them may take more than linear time and memory.
const maxExpression = 16 << 10

// CheckRegex says whether a regular expression is valid RE2.
func CheckRegex(expression string) error {
	if len(expression) > maxExpression {
		return fmt.Errorf("%d bytes are more than the limit of %d", len(expression), maxExpression)
	}
	_, err := syntax.Parse(expression, syntax.Perl)
	return regexFault(err)
}

// CompileRegex compiles a regular expression that CheckRegex accepts.
func CompileRegex(expression string) (*regexp.Regexp, error) {
	if err := CheckRegex(expression); err != nil {
		return nil, err
	}
	compiled, err := regexp.Compile(expression)
	return compiled, regexFault(err)
}

func regexFault(err error) error {
	var fault *syntax.Error
	if errors.As(err, &fault) {
		return fmt.Errorf("%s: %q", fault.Code, say.Preview(fault.Expr, say.Usual))
	}
	return err
}

// RegexHelp tells what RE2 lacks when an expression uses it.
func RegexHelp(expression string) string {
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

// CheckJSONPath says whether a selector is valid JSONPath (RFC 9535).
func CheckJSONPath(selector string) error {
	if len(selector) > maxExpression {
		return fmt.Errorf("%d bytes are more than the limit of %d", len(selector), maxExpression)
	}
	_, err := jsonpath.Parse(selector)
	if err != nil {
		return errors.New(strings.TrimPrefix(err.Error(), "jsonpath: "))
	}
	return nil
}
