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

// celText bounds the text of the expressions that are kept, in bytes, with celOverhead for
// each: as much as one valid document may have. An expression takes some 150 times its
// length in memory when it is ready.
const (
	celText     = 512 << 10
	celOverhead = 100
)

// CELOptions are the options of the default CEL evaluator. A zero field means its default.
type CELOptions struct {
	// StrictMissing makes it an error that a message lacks a key which the expression selects.
	// Otherwise the expression is false then, as a pattern whose path leads nowhere is: "has"
	// asks for a key beforehand, and "||", "&&", "exists" and "all" decide without the part
	// that fails when they can. For indicators of the revision 2026-03 it always is an error.
	StrictMissing bool

	// AnyType returns the value of an expression that gives no boolean, too, for those who try
	// out expressions. Otherwise it is an error of kind type_error.
	AnyType bool

	// CostLimit is what one evaluation may cost: one for each step, and one for each 10 bytes
	// of a text that it makes. It is the same on every machine, and bounds the memory, too.
	CostLimit uint64

	// MaxPrograms is the number of expressions that are kept ready. What is beyond is read
	// anew each time.
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

// NewCEL returns the default CEL evaluator: CEL's standard library and macros, all of
// them, and no extensions. A function beyond them is an error of kind unsupported_method.
//
// Expressions are not checked for types beforehand, since messages have none: 1 == 1.0
// is true, and a call whose arguments do not fit is an error of kind cel_error when it is
// evaluated. So is a name that is not declared, wherever in the expression it stands, an index
// out of range, a division by zero, and an evaluation beyond the limits.
//
// A number of a message is an int when it is spelled as an integer from -2^63 to 2^63-1, a
// uint up to 2^64-1, and else a double: 1 is an int, 1.0 and 1e0 are doubles. Comparisons
// do not mind the difference, arithmetic does.
//
// Functions that take the name of a time zone, such as timestamp.getHours, look it up in the
// database that the program brings along, where the machine has none.
func NewCEL(options CELOptions) CELEvaluator {
	return &celEvaluator{options: options.withDefaults(), programs: map[string]compiledCEL{}}
}

type celEvaluator struct {
	options CELOptions

	mutex    sync.RWMutex
	programs map[string]compiledCEL // by their text
	text     int                    // what they count for celText
}

// compiledCEL is an expression that is ready, or why it is none.
type compiledCEL struct {
	program *program.Program
	err     error
}

// Evaluate implements CELEvaluator.
func (c *celEvaluator) Evaluate(ctx context.Context, expression string, variables map[string]oatf.Value) (oatf.Value, error) {
	return c.evaluate(ctx, expression, variables, c.options.StrictMissing)
}

// strictCEL is the evaluator for documents of revisions in which a missing key is an error.
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

// answer is what a result means.
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
		return nil, &oatf.EvaluationError{Kind: oatf.EvaluationTypeError, Message: fmt.Sprintf("the expression gives %s that JSON cannot show, or that is too large", say.Article(result.Type))}
	}
	return result.Value, nil
}

// fresh is a copy of an error that several callers get, who may each say whose it is.
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
