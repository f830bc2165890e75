// Package expression checks and compiles the regular expressions of a document, within bounds
// that keep hostile ones cheap.
package expression

import (
	"errors"
	"fmt"
	"regexp"
	"regexp/syntax"
	"strings"

	"github.com/cupel-dev/cupel/internal/say"
)

// maxExpression bounds regular expressions, in bytes: parsing them may take more than
// linear time and memory.
const maxExpression = 16 << 10

// CheckRegex says whether a regular expression is valid RE2.
func CheckRegex(expression string) error {
	_, err := ParseRegex(expression)
	return err
}

// ParseRegex is CheckRegex, and counts the capture groups of a valid expression.
func ParseRegex(expression string) (groups int, err error) {
	if len(expression) > maxExpression {
		return 0, errors.New(say.TooLong(len(expression), maxExpression))
	}
	tree, err := syntax.Parse(expression, syntax.Perl)
	if err != nil {
		return 0, regexFault(err)
	}
	return tree.MaxCap(), nil
}

// maxInstructions bounds what a regular expression compiles to: a text of maxExpression
// bytes comes to no more when it does not repeat, and some ten bytes that do come to
// megabytes.
const maxInstructions = 40_000

// CompileRegex compiles a regular expression that CheckRegex accepts, or what was made of
// one, unless it becomes too large. The size is about the number of its instructions;
// matching takes time in proportion to it and to the text.
func CompileRegex(expression string) (regex *regexp.Regexp, size int, err error) {
	tree, err := syntax.Parse(expression, syntax.Perl)
	if err != nil {
		return nil, 0, regexFault(err)
	}
	if size = regexSize(tree); size > maxInstructions {
		return nil, 0, fmt.Errorf("with its repetitions it comes to more than %d instructions", maxInstructions)
	}
	regex, err = regexp.Compile(expression)
	return regex, size, regexFault(err)
}

// regexSize is about how many instructions an expression compiles to, and more than
// maxInstructions when that is far more.
func regexSize(tree *syntax.Regexp) int {
	size := 1
	switch tree.Op {
	case syntax.OpLiteral:
		size = len(tree.Rune)
	case syntax.OpRepeat:
		return min(regexSize(tree.Sub[0])*max(tree.Min, tree.Max, 1), 2*maxInstructions)
	}
	for _, sub := range tree.Sub {
		size += regexSize(sub)
	}
	return min(size, 2*maxInstructions)
}

// RegexSize is the size that CompileRegex gives for an expression, without compiling it; 0
// for one that is invalid. Compiled, it takes some 60 bytes for each instruction.
func RegexSize(expression string) int {
	tree, err := syntax.Parse(expression, syntax.Perl)
	if err != nil {
		return 0
	}
	return regexSize(tree)
}

// RegexWork is how many steps the search for an expression takes for each byte of a text, at
// worst: the number of ways in which the expression can go on at one place. It is 0 for one that is invalid.
func RegexWork(expression string) int {
	tree, err := syntax.Parse(expression, syntax.Perl)
	if err != nil {
		return 0
	}
	work, _ := regexWork(tree)
	return work
}

// regexWork returns the ways of a part, and whether it can take a text of any length or of
// several, so that it is still open while later parts begin.
func regexWork(tree *syntax.Regexp) (work int, open bool) {
	sum, most := 0, 1
	for _, sub := range tree.Sub {
		w, o := regexWork(sub)
		if open = open || o; o || tree.Op == syntax.OpAlternate {
			sum += w
		}
		most = max(most, w)
	}
	switch tree.Op {
	case syntax.OpStar, syntax.OpPlus, syntax.OpQuest:
		return most + 1, true
	case syntax.OpRepeat:
		return min(most*max(tree.Min, tree.Max, 1), 2*maxInstructions), true
	case syntax.OpAlternate, syntax.OpConcat:
		return min(max(most, sum), 2*maxInstructions), open
	}
	return most, open
}

// MaxSteps is what the search in one text may come to, if each instruction of an expression
// takes a step at each byte: a second or two at worst, and mostly far less. So an expression
// of 20 instructions searches texts of 10 MB.
const MaxSteps = 200_000_000

// CheckSearch says why a text of so many bytes is not searched for an expression of a size;
// nil when it is.
func CheckSearch(size, bytes int) error {
	if size == 0 || bytes <= MaxSteps/size {
		return nil
	}
	return fmt.Errorf("a regular expression of %d instructions is not searched for in a text of %d bytes: the limit of their product is %d", size, bytes, MaxSteps)
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
