package strictjson

import (
	"bytes"
	"cmp"
	"iter"
	"slices"
)

// Differences yields the innermost values that differ: members in order of names, elements by index. A missing
// value is an absent node. Numbers differ if written differently.
func Differences(a, b Node) iter.Seq2[Node, Node] {
	return func(yield func(a, b Node) bool) { differences(a, b, yield) }
}

func differences(a, b Node, yield func(a, b Node) bool) bool {
	switch {
	case a.Kind() != b.Kind():
		return yield(a, b)
	case a.Is(Object):
		left, right := byName(a), byName(b)
		for len(left) > 0 || len(right) > 0 {
			order := cmp.Compare(len(right), 0) - cmp.Compare(len(left), 0)
			if order == 0 {
				order = cmp.Compare(left[0].Key(), right[0].Key())
			}
			var x, y Node
			if order <= 0 {
				x, left = left[0], left[1:]
			}
			if order >= 0 {
				y, right = right[0], right[1:]
			}
			if !differences(x, y, yield) {
				return false
			}
		}
		return true
	case a.Is(Array):
		left, right := slices.Collect(a.Children()), slices.Collect(b.Children())
		for i := range max(len(left), len(right)) {
			var x, y Node
			if i < len(left) {
				x = left[i]
			}
			if i < len(right) {
				y = right[i]
			}
			if !differences(x, y, yield) {
				return false
			}
		}
		return true
	case a.Is(String):
		return bytes.Equal(a.TextBytes(nil), b.TextBytes(nil)) || yield(a, b)
	}
	return bytes.Equal(a.Raw(), b.Raw()) || yield(a, b)
}

func byName(object Node) []Node {
	return slices.SortedFunc(object.Children(), func(a, b Node) int { return cmp.Compare(a.Key(), b.Key()) })
}
