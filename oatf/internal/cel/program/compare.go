package program

import (
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/common/types/traits"
	"github.com/google/cel-go/interpreter"
)

// comparison compares values like CEL and counts steps. Short expressions can build nested lists whose comparison
// would practically never end, and the library checks limits only between loop steps.
type comparison struct {
	frame *interpreter.ExecutionFrame // nil when nothing can interrupt
}

func (c comparison) interrupted() bool { return c.frame != nil && !proceed(c.frame, 1) }

// equal compares two values. It returns an error if interrupted.
func (c comparison) equal(a, b ref.Val) ref.Val {
	switch a := a.(type) {
	case traits.Lister:
		if b, ok := b.(traits.Lister); ok {
			return c.equalLists(a, b)
		}
		return types.False
	case traits.Mapper:
		if b, ok := b.(traits.Mapper); ok {
			return c.equalMaps(a, b)
		}
		return types.False
	}
	return types.Equal(a, b)
}

func (c comparison) equalLists(a, b traits.Lister) ref.Val {
	if a.Size() != b.Size() {
		return types.False
	}
	left, right := a.Iterator(), b.Iterator()
	for left.HasNext() == types.True {
		if c.interrupted() {
			return interruption()
		}
		if same := c.equal(left.Next(), right.Next()); same != types.True {
			return same
		}
	}
	return types.True
}

func (c comparison) equalMaps(a, b traits.Mapper) ref.Val {
	if a.Size() != b.Size() {
		return types.False
	}
	for it := a.Iterator(); it.HasNext() == types.True; {
		if c.interrupted() {
			return interruption()
		}
		key := it.Next()
		left, _ := a.Find(key)
		right, ok := b.Find(key)
		if !ok {
			return types.False
		}
		if same := c.equal(left, right); same != types.True {
			return same
		}
	}
	return types.True
}

// contains reports whether a list has an element that equals a value.
func (c comparison) contains(l traits.Lister, v ref.Val) ref.Val {
	for it := l.Iterator(); it.HasNext() == types.True; {
		if c.interrupted() {
			return interruption()
		}
		if same := c.equal(v, it.Next()); same != types.False {
			return same
		}
	}
	return types.False
}

func interruption() ref.Val { return types.WrapErr(interpreter.InterruptError{}) }
