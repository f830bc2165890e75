package oatf

import (
	"reflect"

	"github.com/cupel-dev/cupel/oatf/model"
)

// clone returns a deep copy of v, except that unexported fields are copied shallowly.
func clone[T any](v T) T {
	cloneInto(reflect.ValueOf(&v).Elem())
	return v
}

// cloneInto replaces shared memory in v by copies. Limits.Depth bounds the recursion.
func cloneInto(v reflect.Value) {
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			fresh := reflect.New(v.Type().Elem())
			fresh.Elem().Set(v.Elem())
			cloneInto(fresh.Elem())
			v.Set(fresh)
		}
	case reflect.Slice:
		if !v.IsNil() {
			fresh := reflect.MakeSlice(v.Type(), v.Len(), v.Len())
			reflect.Copy(fresh, v)
			for i := range fresh.Len() {
				cloneInto(fresh.Index(i))
			}
			v.Set(fresh)
		}
	case reflect.Interface:
		if value := cloneValue(v.Interface()); value != nil {
			v.Set(reflect.ValueOf(value))
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if field := v.Field(i); field.CanSet() {
				cloneInto(field)
			}
		}
	}
}

// cloneValue copies a Value faster than reflection.
func cloneValue(v model.Value) model.Value {
	switch v := v.(type) {
	case model.Object:
		if v == nil {
			return v
		}
		fresh := make(model.Object, len(v))
		for i, m := range v {
			fresh[i] = model.Member{Key: m.Key, Value: cloneValue(m.Value)}
		}
		return fresh
	case []model.Value:
		if v == nil {
			return v
		}
		fresh := make([]model.Value, len(v))
		for i := range v {
			fresh[i] = cloneValue(v[i])
		}
		return fresh
	}
	return v
}
