// Package program stands in for the package of that name: verify.html evaluates no OATF document.
package program

import (
	"context"
	"errors"

	"github.com/cupel-dev/cupel/oatf/model"
)

const DefaultSteps = 500_000_000

var ErrSteps = errors.New("limit of steps")

type (
	Program struct{}
	Steps   struct{ error }
	Result  struct {
		Value         model.Value
		Type, Key     string
		Whole, Absent bool
	}
)

func Compile(string, uint64) (*Program, error) { return nil, errors.ErrUnsupported }
func (*Program) Run(context.Context, map[string]model.Value) (Result, error) {
	return Result{}, errors.ErrUnsupported
}
func NewSteps(int64) *Steps                                   { return &Steps{ErrSteps} }
func (*Steps) Take(int64) bool                                { return false }
func (*Steps) Over() bool                                     { return true }
func WithSteps(ctx context.Context, _ *Steps) context.Context { return ctx }
