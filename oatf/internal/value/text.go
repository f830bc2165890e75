package value

import (
	"slices"
	"strings"

	"github.com/cupel-dev/cupel/internal/jcs"
	"github.com/cupel-dev/cupel/oatf/model"
)

// Text appends a value as text (§5.5, §5.6): strings unchanged, others as compact JSON with members in order,
// numbers as written and minimal escapes. Infinities and NaN become null.
func Text(dst []byte, value model.Value) []byte {
	if s, ok := value.(string); ok {
		return append(dst, s...)
	}
	return JSON(dst, value)
}

// JSON appends a value as compact JSON, with quoted strings.
func JSON(dst []byte, value model.Value) []byte {
	return appendJSON(dst, value, func(o model.Object) model.Object { return o })
}

// Sorted appends compact JSON with keys sorted by code point (revision 2026-03, §5.3).
func Sorted(dst []byte, value model.Value) []byte { return appendJSON(dst, value, byKey) }

func appendJSON(dst []byte, value model.Value, ordered func(model.Object) model.Object) []byte {
	switch v := value.(type) {
	case bool:
		if v {
			return append(dst, "true"...)
		}
		return append(dst, "false"...)
	case string:
		return jcs.AppendText(dst, v)
	case model.Number:
		if v == model.Inf || v == model.NegInf || v == model.NaN {
			break
		}
		return append(dst, v...)
	case []model.Value:
		dst = append(dst, '[')
		for i, element := range v {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = appendJSON(dst, element, ordered)
		}
		return append(dst, ']')
	case model.Object:
		dst = append(dst, '{')
		for i, m := range ordered(v) {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = append(jcs.AppendText(dst, m.Key), ':')
			dst = appendJSON(dst, m.Value, ordered)
		}
		return append(dst, '}')
	}
	return append(dst, "null"...)
}

// byKey returns an object with its members sorted by key. A sorted object is returned unchanged.
func byKey(o model.Object) model.Object {
	order := func(a, b model.Member) int { return strings.Compare(a.Key, b.Key) }
	if slices.IsSortedFunc(o, order) {
		return o
	}
	return slices.SortedFunc(slices.Values(o), order)
}
