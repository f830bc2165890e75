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

// The default limits, see [CELOptions].
const (
	DefaultCELCost     = 1_000_000
	DefaultCELPrograms = 5_000
)

// celText limits the total size of cached expressions, counting celOverhead for each. A valid document cannot
// exceed it. A compiled expression takes about 150 times its length.
const (
	celText     = 512 << 10
	celOverhead = 100
)

// CELOptions configures the default CEL evaluator. A zero field means its default.
type CELOptions struct {
	// StrictMissing makes the selection of a missing key an error. By default, the expression is false then, like a
	// pattern without a match; "has" tests for keys, and "||", "&&", "exists" and "all" ignore failing parts if
	// possible. Indicators of revision 2026-03 are always strict.
	StrictMissing bool

	// AnyType allows non-boolean results, for experiments. By default they are errors of kind type_error.
	AnyType bool

	// CostLimit limits the cost of an evaluation: one per step and per 10 bytes of constructed text. It is
	// machine-independent and also limits memory.
	CostLimit uint64

	// MaxPrograms limits the number of cached expressions.
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

// NewCEL returns the default CEL evaluator, with CEL's standard library and macros but without extensions. Other
// functions are errors of kind unsupported_method.
//
// Expressions are not type-checked, because messages have no types: 1 == 1.0 is true. Unsuitable arguments,
// undeclared names, invalid indexes, divisions by zero and exceeded limits are errors of kind cel_error at
// evaluation.
//
// A number in a message is an int if written as an integer from -2^63 to 2^63-1, a uint up to 2^64-1, and otherwise
// a double: 1 is an int, 1.0 and 1e0 are doubles. This affects arithmetic, not comparisons.
//
// Time zones are looked up in an embedded database if the machine has none.
func NewCEL(options CELOptions) CELEvaluator {
	return &celEvaluator{options: options.withDefaults(), programs: map[string]compiledCEL{}}
}

type celEvaluator struct {
	options CELOptions

	mutex    sync.RWMutex
	programs map[string]compiledCEL // by their text
	text     int                    // counted against celText
}

// compiledCEL is a compiled expression or its compilation error.
type compiledCEL struct {
	program *program.Program
	err     error
}

// Evaluate implements CELEvaluator.
func (c *celEvaluator) Evaluate(ctx context.Context, expression string, variables map[string]oatf.Value) (oatf.Value, error) {
	return c.evaluate(ctx, expression, variables, c.options.StrictMissing)
}

// strictCEL evaluates expressions for revisions in which a missing key is an error.
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

func (c *celEvaluator) answer(result program.Result, strict bool) (oatf.Value, error) {
	switch {
	case result.Absent && strict:
		return nil, &oatf.EvaluationError{Kind: oatf.EvaluationCELError, Message: "the message does not have the key " + say.Quoted(result.Key)}
	case result.Absent:
		return false, nil
	case result.Type == "bool":
		return result.Value, nil
	case !c.options.AnyType:
		return nil, &oatf.EvaluationError{Kind: oatf.EvaluationTypeError, Message: fmt.Sprintf("the expression returns %s, expected a bool", say.Article(result.Type))}
	case !result.Whole:
		return nil, &oatf.EvaluationError{Kind: oatf.EvaluationTypeError, Message: fmt.Sprintf("the expression returns %s that JSON cannot represent, or that is too large", say.Article(result.Type))}
	}
	return result.Value, nil
}

// fresh returns a copy of a cached error, because callers add their indicator to it.
func fresh(err error) error {
	var e *oatf.EvaluationError
	if errors.As(err, &e) {
		own := *e
		return &own
	}
	return err
}

// compiled returns the compiled expression, from the cache if possible.
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

// keep caches an expression. It evicts others if there are too many.
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
