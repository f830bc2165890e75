package value

import "github.com/cupel-dev/cupel/oatf/model"

// Equal reports deep equality (§5.3): numbers by value (NaN differs from NaN), objects regardless of key order,
// arrays by element. Values of different types are not equal.
func Equal(a, b model.Value) bool {
	switch a := a.(type) {
	case nil:
		return b == nil
	case bool:
		b, ok := b.(bool)
		return ok && a == b
	case string:
		b, ok := b.(string)
		return ok && a == b
	case model.Number:
		b, ok := b.(model.Number)
		return ok && equalNumbers(a, b)
	case []model.Value:
		b, ok := b.([]model.Value)
		return ok && equalArrays(a, b)
	case model.Object:
		b, ok := b.(model.Object)
		return ok && equalObjects(a, b)
	}
	return false
}

func equalNumbers(a, b model.Number) bool {
	order, ok := Compare(a, b)
	return ok && order == 0
}

func equalArrays(a, b []model.Value) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if !Equal(a[i], b[i]) {
			return false
		}
	}
	return true
}

// fewMembers is the maximum size of an object whose members are searched linearly.
const fewMembers = 16

func equalObjects(a, b model.Object) bool {
	if len(a) != len(b) {
		return false
	}
	get := b.Get
	if len(b) > fewMembers && !sameKeys(a, b) {
		index := make(map[string]model.Value, len(b))
		for _, m := range b {
			index[m.Key] = m.Value
		}
		get = func(key string) (v model.Value, found bool) { v, found = index[key]; return v, found }
	}
	for i, m := range a {
		if b[i].Key == m.Key {
			if !Equal(m.Value, b[i].Value) {
				return false
			}
			continue
		}
		if v, found := get(m.Key); !found || !Equal(m.Value, v) {
			return false
		}
	}
	return true
}

// sameKeys reports whether two objects of equal length have the same keys in the same order.
func sameKeys(a, b model.Object) bool {
	for i := range a {
		if a[i].Key != b[i].Key {
			return false
		}
	}
	return true
}
