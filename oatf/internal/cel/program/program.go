// Package program evaluates CEL expressions with the standard library and macros, without extensions or static
// types, and with reliable limits on time and memory.
package program

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"sync"

	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/containers"
	"github.com/google/cel-go/common/stdlib"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/interpreter"

	"github.com/cupel-dev/cupel/internal/say"
	"github.com/cupel-dev/cupel/oatf/internal/cel"
	"github.com/cupel-dev/cupel/oatf/model"
)

// Program is a compiled expression. It is safe for concurrent use.
type Program struct {
	plan      *interpreter.ObservableInterpretable
	variables []string // that the expression reads
}

// Compile compiles an expression with a cost limit; a step costs one. Errors are *model.EvaluationError.
func Compile(expression string, limit uint64) (p *Program, err error) {
	defer func() {
		if r := recover(); r != nil {
			p, err = nil, panicked(r) // constants are evaluated now
		}
	}()
	tree, err := cel.Parse(expression)
	if err != nil {
		return nil, celError("invalid CEL: %v", err)
	}
	e, err := environment()
	if err != nil {
		return nil, celError("%v", err)
	}
	names := namesOf(tree.Expr(), e.isType)
	for _, f := range names.functions {
		if !e.functions[f] {
			return nil, &model.EvaluationError{
				Kind:    model.EvaluationUnsupportedMethod,
				Message: fmt.Sprintf("CEL's standard library has no function %s", say.Quoted(f)),
			}
		}
	}
	plan, err := e.plan(tree, limit)
	if err != nil {
		return nil, celError("%s", say.Preview(err.Error(), mostText))
	}
	return &Program{plan, names.variables}, nil
}

type env struct {
	adapter     adapter
	functions   map[string]bool
	interpreter interpreter.Interpreter
}

var environment = sync.OnceValues(func() (*env, error) {
	registry, err := types.NewRegistry()
	if err != nil {
		return nil, err
	}
	e := &env{adapter{registry}, map[string]bool{}, nil}
	dispatcher := interpreter.NewDispatcher()
	for _, f := range stdlib.Functions() {
		e.functions[f.Name()] = true
		overloads, err := f.Bindings()
		if err != nil {
			return nil, err
		}
		if err := dispatcher.Add(overloads...); err != nil {
			return nil, err
		}
	}
	attributes := interpreter.NewAttributeFactory(containers.DefaultContainer, e.adapter, registry)
	e.interpreter = interpreter.NewInterpreter(dispatcher, containers.DefaultContainer, registry, e.adapter, attributes)
	return e, nil
})

func (e *env) isType(name string) bool {
	_, ok := e.adapter.FindIdent(name)
	return ok
}

// plan plans the evaluation of an expression. Constants are evaluated now, unless that fails, because they can be
// unused.
func (e *env) plan(tree *ast.AST, limit uint64) (*interpreter.ObservableInterpretable, error) {
	tracker, err := interpreter.NewCostTracker(costs{}, interpreter.CostTrackerLimit(limit))
	if err != nil {
		return nil, err
	}
	options := []interpreter.PlannerOption{
		interpreter.CustomDecoratorV2(guard),
		interpreter.InterruptableEval(),
		interpreter.CostObserver(interpreter.CostTrackerFactory(tracker.Clone)),
	}
	node, err := e.interpreter.NewInterpretable(tree, append([]interpreter.PlannerOption{interpreter.Optimize()}, options...)...)
	if err != nil {
		node, err = e.interpreter.NewInterpretable(tree, options...)
	}
	if err != nil {
		return nil, err
	}
	plan, ok := node.(*interpreter.ObservableInterpretable)
	if !ok {
		return nil, errors.New("the CEL program does not count costs")
	}
	return plan, nil
}

// Result is the result of an expression.
type Result struct {
	Value model.Value // nil when Whole is false
	Type  string      // of CEL: "bool", "int", "list"; "" when Absent
	Whole bool        // Value is all of the answer: JSON has its type, and it is not too large

	Absent bool   // the expression has no value, since something lacks a key that it selects
	Key    string // that key
}

// mostValues limits the result of an expression.
const mostValues = 100_000

// mostText limits the quoted part of a library error.
const mostText = 200

// Run evaluates the program until ctx ends. Errors are *model.EvaluationError of kind cel_error,
// caused by ctx's error if it ended.
func (p *Program) Run(ctx context.Context, variables map[string]model.Value) (result Result, err error) {
	for _, name := range p.variables {
		if _, ok := variables[name]; !ok {
			return Result{}, celError("the name %s is not declared: it is neither message nor one of the variables", say.Quoted(name))
		}
	}
	defer func() {
		if r := recover(); r != nil {
			err = panicked(r)
		}
	}()
	return p.run(ctx, variables)
}

func (p *Program) run(ctx context.Context, variables map[string]model.Value) (Result, error) {
	steps := stepsOf(ctx)
	steps.one = mostOfOne
	known := maps.Clone(variables)
	known[stepsName] = steps
	frame, err := interpreter.NewExecutionFrame(known)
	if err != nil {
		return Result{}, celError("%v", err)
	}
	defer frame.Close()
	if err := frame.SetContext(ctx, 1); err != nil {
		return Result{}, celError("%v", err)
	}
	out := p.plan.Exec(frame)
	switch {
	case ctx.Err() != nil:
		return Result{}, stopped(ctx)
	case steps.Over():
		return Result{}, &model.EvaluationError{Kind: model.EvaluationCELError, Message: steps.Error(), Cause: ErrSteps}
	}
	if fault, ok := out.(*types.Err); ok {
		return failed(fault)
	}
	return resultOf(out), nil
}

func resultOf(out ref.Val) Result {
	most := mostValues
	value, ok := native(out, &most)
	return Result{Value: value, Type: out.Type().TypeName(), Whole: ok}
}

// failed returns the result for an expression that ended with an error.
func failed(fault *types.Err) (Result, error) {
	if key, ok := absentKey(fault); ok {
		return Result{Absent: true, Key: key}, nil
	}
	return Result{}, celError("%s", say.Preview(fault.Error(), mostText))
}

func stopped(ctx context.Context) error {
	cause := context.Cause(ctx)
	return &model.EvaluationError{Kind: model.EvaluationCELError, Message: fmt.Sprintf("the evaluation was stopped: %v", cause), Cause: cause}
}

// panicked returns the error for a library panic: deliberate at the limit, otherwise a bug.
func panicked(r any) error {
	if cancelled, ok := r.(interpreter.EvalCancelledError); ok && cancelled.Cause == interpreter.CostLimitExceeded {
		return &model.EvaluationError{Kind: model.EvaluationCELError, Message: "the evaluation takes too many steps or makes texts that are too long", Cause: ErrCost}
	}
	return celError("the CEL library failed: %s", say.Preview(fmt.Sprint(r), mostText))
}

// ErrCost is the cause of an error at the limit of cost.
var ErrCost = errors.New("limit of cost")

func celError(format string, args ...any) error {
	return &model.EvaluationError{Kind: model.EvaluationCELError, Message: fmt.Sprintf(format, args...)}
}
