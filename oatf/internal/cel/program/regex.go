package program

import (
	"fmt"
	"regexp"
	"regexp/syntax"
	"sync/atomic"

	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/interpreter"

	"github.com/cupel-dev/cupel/oatf/internal/expression"
)

// Limits of regular expressions in matches, which can come from a message.
const (
	maxPattern      = 16 << 10 // bytes
	maxInstructions = 10_000   // of the compiled program; each takes some 40 bytes, and a step for each character
)

// pattern is a compiled regular expression with its number of instructions.
type pattern struct {
	text    string
	regex   *regexp.Regexp
	length  int
	work    int // steps for each byte of a text
	needles expression.Needles
}

func compile(text string) (*pattern, error) {
	if len(text) > maxPattern {
		return nil, fmt.Errorf("the regular expression has %d bytes, more than %d", len(text), maxPattern)
	}
	tree, err := syntax.Parse(text, syntax.Perl)
	if err != nil {
		return nil, err
	}
	length := instructions(tree)
	if length > maxInstructions {
		return nil, fmt.Errorf("the regular expression is too large: up to %d instructions, more than %d", length, maxInstructions)
	}
	regex, err := regexp.Compile(text)
	return &pattern{text, regex, length, expression.RegexWork(text), expression.NeedlesOf(text)}, err
}

// instructions returns an upper bound on an expression's compiled size without compiling it.
func instructions(re *syntax.Regexp) int {
	own := 1
	if re.Op == syntax.OpLiteral {
		own += len(re.Rune)
	}
	for _, sub := range re.Sub {
		own += 1 + instructions(sub)
	}
	if re.Op == syntax.OpRepeat {
		times := re.Max
		if times < 0 {
			times = re.Min + 1 // {2,} is two copies and a star
		}
		own *= max(times, 1)
	}
	return min(own, 1<<30)
}

// matching returns the function matches. A constant expression is compiled once; of others, the last one is cached.
func matching(arg interpreter.InterpretableV2) func(*interpreter.ExecutionFrame, ref.Val, ref.Val) ref.Val {
	var last atomic.Pointer[pattern]
	if c, ok := arg.(interpreter.InterpretableConst); ok {
		if text, ok := c.Value().(types.String); ok {
			if p, err := compile(string(text)); err == nil {
				last.Store(p)
			}
		}
	}
	return func(frame *interpreter.ExecutionFrame, subject, expression ref.Val) ref.Val {
		text, isText := subject.(types.String)
		wanted, isPattern := expression.(types.String)
		if !isText || !isPattern {
			return types.NoSuchOverloadErr()
		}
		p := last.Load()
		if p == nil || p.text != string(wanted) {
			var err error
			if p, err = compile(string(wanted)); err != nil {
				return types.WrapErr(err)
			}
			last.Store(p)
		}
		return p.matches(frame, string(text))
	}
}

func (p *pattern) matches(frame *interpreter.ExecutionFrame, text string) ref.Val {
	if literal, all := p.regex.LiteralPrefix(); all { // a search for a string, which is fast
		return types.Bool(literal == "" || p.regex.MatchString(text))
	}
	if p.needles.Absent(text) {
		return types.False
	}
	if err := expression.CheckSearch(p.length, len(text)); err != nil {
		return types.WrapErr(err)
	}
	if !proceed(frame, int64(p.work)*int64(len(text))) {
		return interruption()
	}
	return types.Bool(p.regex.MatchString(text))
}
