// Package regex compiles regular expressions of clients in RE2 syntax, with a size limit.
package regex

import (
	"fmt"
	"regexp"
	"regexp/syntax"
	"sync"
)

// MaxProgram limits the instructions of an expression. Repetitions multiply them: ten characters can produce
// millions. The longest allowed expression without repetition has 10,000.
const MaxProgram = 50_000

// Instruction is the estimated memory of one instruction, in bytes.
const Instruction = 128

// TooLarge is the error for an expression with more instructions than MaxProgram.
type TooLarge struct{ Size int }

func (e *TooLarge) Error() string {
	return fmt.Sprintf("the repetitions expand the regex to more than %d instructions", MaxProgram)
}

// Expression is a compiled expression.
type Expression struct {
	*regexp.Regexp
	Size  int    // about the number of its instructions: matching takes time in proportion to it and to the text
	Needs []Need // without one of them a text does not match

	scout func() *scout // nil: without one
}

// Size returns the approximate number of instructions of an RE2 expression. The error is a
// *TooLarge or a syntax error.
func Size(pattern string) (int, error) {
	_, size, err := parse(pattern)
	return size, err
}

func parse(pattern string) (parsed *syntax.Regexp, size int, err error) {
	if parsed, err = syntax.Parse(pattern, syntax.Perl); err != nil {
		return nil, 0, err
	}
	if size = program(parsed); size > MaxProgram {
		return nil, size, &TooLarge{size}
	}
	return parsed, size, nil
}

// Compile compiles an RE2 expression. The errors are those of Size.
func Compile(pattern string) (*Expression, error) {
	parsed, size, err := parse(pattern)
	if err != nil {
		return nil, err
	}
	re, err := regexp.Compile(pattern)
	if err != nil {
		return nil, err
	}
	e := &Expression{Regexp: re, Size: size, Needs: needsOf(parsed)}
	e.scout = sync.OnceValue(e.newScout)
	return e, nil
}

// program estimates the instructions of an expression. Beyond MaxProgram it returns any larger number.
func program(re *syntax.Regexp) int {
	size := 0
	for _, sub := range re.Sub {
		size = min(size+program(sub), MaxProgram+1)
	}
	switch re.Op {
	case syntax.OpLiteral:
		return len(re.Rune)
	case syntax.OpCharClass:
		return 1 + len(re.Rune)/16
	case syntax.OpRepeat:
		size *= max(re.Min+1, re.Max)
	}
	return min(size+1, MaxProgram+1)
}
