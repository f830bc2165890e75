// Package expression checks and compiles the regular expressions of documents, with limits against crafted ones.
package expression

import (
	"errors"
	"fmt"
	"regexp"
	"regexp/syntax"
	"strings"

	"github.com/cupel-dev/cupel/internal/say"
)

// maxExpression limits regular expressions, in bytes, because parsing can take more than linear time and memory.
const maxExpression = 16 << 10

// CheckRegex reports whether a regular expression is valid RE2.
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

// maxInstructions limits compiled regular expressions. Without repetition, maxExpression bytes stay below it, but
// ten bytes with repetition can take megabytes.
const maxInstructions = 40_000

// CompileRegex compiles a regular expression accepted by CheckRegex, or one derived from it, unless it is too large.
// size is about the number of instructions; matching time is proportional to it and to the text.
func CompileRegex(expression string) (regex *regexp.Regexp, size int, err error) {
	tree, err := syntax.Parse(expression, syntax.Perl)
	if err != nil {
		return nil, 0, regexFault(err)
	}
	if size = regexSize(tree); size > maxInstructions {
		return nil, 0, fmt.Errorf("the expression has more than %d instructions, including its repetitions", maxInstructions)
	}
	regex, err = regexp.Compile(expression)
	return regex, size, regexFault(err)
}

// regexSize estimates the compiled size in instructions. Beyond maxInstructions it can return any larger number.
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

// RegexSize returns CompileRegex's size without compiling, or 0 if invalid. A compiled expression takes about 60
// bytes per instruction.
func RegexSize(expression string) int {
	tree, err := syntax.Parse(expression, syntax.Perl)
	if err != nil {
		return 0
	}
	return regexSize(tree)
}

// RegexWork returns the worst-case steps per byte of a search: the number of concurrent alternatives; 0 if invalid.
func RegexWork(expression string) int {
	tree, err := syntax.Parse(expression, syntax.Perl)
	if err != nil {
		return 0
	}
	work, _ := regexWork(tree)
	return work
}

// regexWork returns a part's alternatives and whether its length varies, which keeps it active
// while later parts start.
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

// MaxSteps limits a search, at one step per instruction and byte, to a second or two. An expression of 20
// instructions can search 10 MB.
const MaxSteps = 200_000_000

// CheckSearch returns why a search is too expensive, or nil.
func CheckSearch(size, bytes int) error {
	if size == 0 || bytes <= MaxSteps/size {
		return nil
	}
	return fmt.Errorf("a regular expression of %d instructions cannot search a text of %d bytes: the product exceeds %d", size, bytes, MaxSteps)
}

func regexFault(err error) error {
	var fault *syntax.Error
	if errors.As(err, &fault) {
		return fmt.Errorf("%s: %q", fault.Code, say.Preview(fault.Expr, say.Usual))
	}
	return err
}

// RegexHelp names an RE2 limitation that the expression violates.
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
