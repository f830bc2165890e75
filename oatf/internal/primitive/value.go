package primitive

import (
	"github.com/cupel-dev/cupel/oatf/internal/value"
	"github.com/cupel-dev/cupel/oatf/model"
)

// Text appends a value as text (§5.5, §5.6), see value.Text.
func Text(dst []byte, v model.Value) []byte { return value.Text(dst, v) }

// Equal is deep equality (§5.3), see value.Equal.
func Equal(a, b model.Value) bool { return value.Equal(a, b) }

// Compare orders two numbers, see value.Compare.
func Compare(a, b model.Number) (order int, ok bool) { return value.Compare(a, b) }

// JSON appends a value as compact JSON, see value.JSON.
func JSON(dst []byte, v model.Value) []byte { return value.JSON(dst, v) }
