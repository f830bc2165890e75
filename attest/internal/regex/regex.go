// Package regex compiles the regular expressions of clients: RE2, and no larger than a
// request may ask for.
package regex

import (
	"fmt"
	"regexp"
	"regexp/syntax"
)

// MaxProgram bounds the instructions of one compiled expression, which repetitions multiply:
// ten characters can ask for millions. The longest expression without any has 10,000.
const MaxProgram = 50_000

// Instruction is what one instruction takes in memory, in bytes, by estimate.
const Instruction = 128

// TooLarge is an expression whose program would exceed MaxProgram.
type TooLarge struct{ Size int }

func (e *TooLarge) Error() string {
	return fmt.Sprintf("repetitions make it more than %d instructions long", MaxProgram)
}

// Size is about the number of instructions that an RE2 expression is compiled to. The error
// is a *TooLarge or says what is no RE2.
func Size(pattern string) (int, error) {
	parsed, err := syntax.Parse(pattern, syntax.Perl)
	if err != nil {
		return 0, err
	}
	size := program(parsed)
	if size > MaxProgram {
		return size, &TooLarge{size}
	}
	return size, nil
}

// Compile compiles an RE2 expression and returns its Size.
func Compile(pattern string) (re *regexp.Regexp, size int, err error) {
	if size, err = Size(pattern); err != nil {
		return nil, size, err
	}
	re, err = regexp.Compile(pattern)
	return re, size, err
}

// program estimates the instructions of an expression; beyond MaxProgram it only says that
// they are more.
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
