package program

import (
	"github.com/google/cel-go/common/operators"
	"github.com/google/cel-go/common/overloads"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/common/types/traits"
	"github.com/google/cel-go/interpreter"
)

// guard makes calls stop at the step limit, which the library checks only between loop steps. Calls with unlimited
// steps are replaced by this package's nodes.
func guard(node interpreter.InterpretableV2) (interpreter.InterpretableV2, error) {
	call, ok := node.(interpreter.InterpretableCall)
	if !ok {
		return node, nil
	}
	if len(call.Args()) == 2 {
		switch call.Function() {
		case operators.Equals, operators.NotEquals:
			return binary{call, equality(call.Function() == operators.Equals)}, nil
		case operators.In, operators.OldIn:
			return binary{call, membership}, nil
		case overloads.Matches:
			return binary{call, matching(call.Args()[1])}, nil
		}
	}
	return guarded{call}, nil
}

// guarded is a call that checks the step limit first.
type guarded struct {
	interpreter.InterpretableCall
}

// Exec implements InterpretableV2.
func (g guarded) Exec(frame *interpreter.ExecutionFrame) ref.Val {
	if !proceed(frame, 1) {
		return interruption()
	}
	return g.InterpretableCall.Exec(frame)
}

// Eval implements Interpretable.
func (g guarded) Eval(vars interpreter.Activation) ref.Val { return g.Exec(interpreter.AsFrame(vars)) }

// binary is a two-argument call that replaces the library's.
type binary struct {
	interpreter.InterpretableCall
	apply func(frame *interpreter.ExecutionFrame, a, b ref.Val) ref.Val
}

// Exec implements InterpretableV2.
func (n binary) Exec(frame *interpreter.ExecutionFrame) ref.Val {
	if !proceed(frame, 1) {
		return interruption()
	}
	args := n.Args()
	a, b := args[0].Exec(frame), args[1].Exec(frame)
	switch {
	case types.IsUnknownOrError(a):
		return a
	case types.IsUnknownOrError(b):
		return b
	}
	return types.LabelErrNode(n.ID(), n.apply(frame, a, b))
}

// Eval implements Interpretable.
func (n binary) Eval(vars interpreter.Activation) ref.Val { return n.Exec(interpreter.AsFrame(vars)) }

func equality(wanted bool) func(*interpreter.ExecutionFrame, ref.Val, ref.Val) ref.Val {
	return func(frame *interpreter.ExecutionFrame, a, b ref.Val) ref.Val {
		same, ok := comparison{frame}.equal(a, b).(types.Bool)
		if !ok {
			return interruption()
		}
		return types.Bool(bool(same) == wanted)
	}
}

func membership(frame *interpreter.ExecutionFrame, v, in ref.Val) ref.Val {
	switch in := in.(type) {
	case traits.Lister:
		return comparison{frame}.contains(in, v)
	case traits.Container:
		return in.Contains(v)
	}
	return types.NoSuchOverloadErr()
}
