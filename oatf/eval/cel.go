package eval

import (
	"context"
	"errors"
	"fmt"
	"sync"
	_ "time/tzdata" // expressions answer alike on machines without a database

	"github.com/cupel-dev/cupel/internal/say"
	"github.com/cupel-dev/cupel/oatf"
	"github.com/cupel-dev/cupel/oatf/internal/cel/program"
)

// The bounds of the default CEL evaluator, see [CELOptions].
const (
	DefaultCELCost     = 1_000_000
	DefaultCELPrograms = 5_000
)

// celText bounds the text of cached expressions in bytes, with celOverhead each: as much as one
// valid document can have. A compiled expression takes about 150 times its length.
const (
	celText     = 512 << 10
	celOverhead = 100
)

// CELOptions are the options of the default CEL evaluator. A zero field means its default.
type CELOptions struct {
	// StrictMissing makes the selection of a missing key an error. Otherwise the expression is false, as for a
	// pattern without a match; "has" tests for keys, and "||", "&&", "exists" and "all" ignore failing parts if
	// possible. It is always an error for indicators of revision 2026-03.
	StrictMissing bool

	// AnyType allows non-boolean results, for experiments. Otherwise they are errors of kind type_error.
	AnyType bool

	// CostLimit bounds an evaluation's cost: one per step and per 10 bytes of constructed text. It
	// is machine-independent and bounds memory.
	CostLimit uint64

	// MaxPrograms bounds the cached expressions; others are recompiled.
	MaxPrograms int
}

func (o CELOptions) withDefaults() CELOptions {
	if o.CostLimit == 0 {
		o.CostLimit = DefaultCELCost
	}
	if o.MaxPrograms <= 0 {
		o.MaxPrograms = DefaultCELPrograms
	}
	return o
}

// NewCEL returns the default CEL evaluator: CEL's standard library and macros without extensions.
// Other functions are errors of kind unsupported_method.
//
// Expressions are not type-checked, because messages have no types: 1 == 1.0 is true. Calls with
// unsuitable arguments, undeclared names, invalid indexes, divisions by zero and exceeded limits
// are errors of kind cel_error at evaluation.
//
// A message's number is an int if spelled as an integer from -2^63 to 2^63-1, a uint up to 2^64-1, and otherwise a
// double: 1 is an int, 1.0 and 1e0 are doubles. This affects arithmetic, not comparisons.
//
// Time zone names are looked up in the program's own database if the machine has none.
func NewCEL(options CELOptions) CELEvaluator {
	return &celEvaluator{options: options.withDefaults(), programs: map[string]compiledCEL{}}
}

type celEvaluator struct {
	options CELOptions

	mutex    sync.RWMutex
	programs map[string]compiledCEL // by their text
	text     int                    // counted against celText
}

// compiledCEL is a compiled expression, or the error of compiling it.
type compiledCEL struct {
	program *program.Program
	err     error
}

// Evaluate implements CELEvaluator.
func (c *celEvaluator) Evaluate(ctx context.Context, expression string, variables map[string]oatf.Value) (oatf.Value, error) {
	return c.evaluate(ctx, expression, variables, c.options.StrictMissing)
}

// strictCEL is the evaluator for revisions in which a missing key is an error.
type strictCEL struct{ own *celEvaluator }

// Evaluate implements CELEvaluator.
func (s strictCEL) Evaluate(ctx context.Context, expression string, variables map[string]oatf.Value) (oatf.Value, error) {
	return s.own.evaluate(ctx, expression, variables, true)
}

func (c *celEvaluator) evaluate(ctx context.Context, expression string, variables map[string]oatf.Value, strict bool) (oatf.Value, error) {
	compiled := c.compiled(expression)
	if compiled.err != nil {
		return nil, fresh(compiled.err)
	}
	result, err := compiled.program.Run(ctx, variables)
	if err != nil {
		return nil, err
	}
	return c.answer(result, strict)
}

// answer converts a result.
func (c *celEvaluator) answer(result program.Result, strict bool) (oatf.Value, error) {
	switch {
	case result.Absent && strict:
		return nil, &oatf.EvaluationError{Kind: oatf.EvaluationCELError, Message: "the message does not have the key " + say.Quoted(result.Key)}
	case result.Absent:
		return false, nil
	case result.Type == "bool":
		return result.Value, nil
	case !c.options.AnyType:
		return nil, &oatf.EvaluationError{Kind: oatf.EvaluationTypeError, Message: fmt.Sprintf("the expression gives %s, expected a bool", say.Article(result.Type))}
	case !result.Whole:
		return nil, &oatf.EvaluationError{Kind: oatf.EvaluationTypeError, Message: fmt.Sprintf("the expression gives %s that JSON cannot represent, or that is too large", say.Article(result.Type))}
	}
	return result.Value, nil
}

// fresh returns a copy of an error that several callers get, who may each say whose it is.
func fresh(err error) error {
	var e *oatf.EvaluationError
	if errors.As(err, &e) {
		own := *e
		return &own
	}
	return err
}

// compiled reads an expression, or finds it.
func (c *celEvaluator) compiled(expression string) compiledCEL {
	c.mutex.RLock()
	found, ok := c.programs[expression]
	c.mutex.RUnlock()
	if ok {
		return found
	}
	p, err := program.Compile(expression, c.options.CostLimit)
	c.keep(expression, compiledCEL{p, err})
	return compiledCEL{p, err}
}

// keep remembers an expression, instead of others when there are too many.
func (c *celEvaluator) keep(expression string, compiled compiledCEL) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	size := celOverhead + len(expression)
	if _, ok := c.programs[expression]; ok || size > celText {
		return
	}
	for other := range c.programs {
		if len(c.programs) < c.options.MaxPrograms && c.text+size <= celText {
			break
		}
		delete(c.programs, other)
		c.text -= celOverhead + len(other)
	}
	c.programs[expression] = compiled
	c.text += size
}
