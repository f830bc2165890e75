package walk

import (
	"context"
	"errors"
	"io/fs"

	"github.com/cupel-dev/cupel/internal/door"
	"github.com/cupel-dev/cupel/internal/glob"
	"github.com/cupel-dev/cupel/internal/say"
)

// Expand returns the inputs of the operands in order. It fails only for a repeated "-" or when ctx
// ends; Input.Open reports other errors.
func Expand(ctx context.Context, operands []string, opt Options) ([]Input, error) {
	w := walker{ctx: ctx, opt: opt, shelf: new(shelf), runs: map[string]bool{}, told: map[string]bool{}, seen: map[string]bool{}}
	stdin := false
	for _, op := range operands {
		if op == "-" && !opt.Changed {
			if stdin {
				return nil, ErrStdinTwice
			}
			stdin = true
			w.list = append(w.list, FromStdin(ctx, opt.Stdin, opt.StdinName, opt.Packed...))
			continue
		}
		add := w.operand
		if opt.Changed {
			add = w.changed
		}
		if err := add(op); err != nil {
			return nil, err
		}
	}
	return w.list, nil
}

// operand adds an operand's inputs, or an input whose error explains why it has none.
func (w *walker) operand(op string) error {
	before, passed, resembling, left := len(w.list), w.passed, w.resembling, w.left
	info, err := door.Stat(op)
	empty := &EmptyError{Operand: op}
	switch {
	case err == nil:
		empty.Wanted = w.opt.Patterns
		err = w.named(op, info)
	case errors.Is(err, fs.ErrNotExist) && glob.Is(op):
		err = w.glob(op)
	case errors.Is(err, fs.ErrNotExist):
		w.fail(op, &AbsentError{op})
		err = nil
	default:
		w.fail(op, say.Plain(err))
		err = nil
	}
	any := false
	if err == nil {
		any, err = w.settle(before)
	}
	if w.left > left && info != nil && !info.IsDir() {
		return err // named but excluded
	}
	if err == nil && !any {
		empty.PassedOver, empty.Resembling, empty.Excluded = w.passed-passed, w.resembling-resembling, w.left-left
		w.fail(op, empty)
		w.list[before].empty = true
	}
	return err
}
