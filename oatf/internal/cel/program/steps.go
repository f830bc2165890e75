package program

import (
	"context"
	"errors"
	"fmt"

	"github.com/google/cel-go/interpreter"
)

// DefaultSteps is the default limit on the steps of a run, at most about 15 seconds of processor time.
const DefaultSteps = 500_000_000

// ErrSteps is the cause of an error at the limit of steps.
var ErrSteps = errors.New("limit of steps")

// Steps is a limit shared by a run's evaluations, independent of the clock. A step is a call, a comparison, or a
// text byte times a regular expression's alternatives at that position. It is not safe for concurrent use.
type Steps struct {
	most, left int64
	one        int64 // remainder of mostOfOne
	over       bool
}

// mostOfOne limits the calls and comparisons in one evaluation.
const mostOfOne = 5_000_000

// NewSteps returns a limit; 0 is DefaultSteps.
func NewSteps(most int64) *Steps {
	if most <= 0 {
		most = DefaultSteps
	}
	return &Steps{most: most, left: most}
}

// Take uses n steps. If fewer are left, it returns false and uses none.
func (s *Steps) Take(n int64) bool {
	if n > s.left {
		s.over = true
		return false
	}
	s.left -= n
	return true
}

// Over reports whether Take returned false since the last call.
func (s *Steps) Over() bool {
	over := s.over
	s.over = false
	return over
}

func (s *Steps) Error() string {
	if s.one < 0 {
		return fmt.Sprintf("the evaluation takes more than %d calls and comparisons", mostOfOne)
	}
	return fmt.Sprintf("the expressions of the run take more than %d steps together", s.most)
}

type stepsKey struct{}

// WithSteps returns a context with a shared limit.
func WithSteps(ctx context.Context, s *Steps) context.Context {
	return context.WithValue(ctx, stepsKey{}, s)
}

func stepsOf(ctx context.Context) *Steps {
	if s, ok := ctx.Value(stepsKey{}).(*Steps); ok {
		return s
	}
	return NewSteps(0)
}

// stepsName is the variable that holds the limit. Expressions cannot contain this name.
const stepsName = "\x00steps"

// proceed uses n steps. It returns false at the limit or if the context is done.
func proceed(frame *interpreter.ExecutionFrame, n int64) bool {
	if frame.CheckInterrupt() {
		return false
	}
	v, _ := frame.ResolveName(stepsName)
	s, ok := v.(*Steps)
	if !ok {
		return true
	}
	if s.one--; s.one < 0 {
		s.over = true
		return false
	}
	return s.Take(n)
}
