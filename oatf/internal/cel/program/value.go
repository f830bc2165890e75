package program

import (
	"errors"
	"math"
	"reflect"
	"strconv"

	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/common/types/traits"

	"github.com/cupel-dev/cupel/oatf/internal/value"
	"github.com/cupel-dev/cupel/oatf/model"
)

// adapter passes values to the library without copying. Only the used parts are converted.
type adapter struct{ *types.Registry }

// NativeToValue implements the library's Adapter.
func (a adapter) NativeToValue(v any) ref.Val {
	switch v := v.(type) {
	case nil:
		return types.NullValue
	case ref.Val:
		return v
	case bool:
		return types.Bool(v)
	case string:
		return types.String(v)
	case model.Number:
		return number(v)
	case []model.Value:
		return list{a, v}
	case model.Object:
		return object{a, v}
	}
	return a.Registry.NativeToValue(v)
}

// number converts a number to an int if written as a 64-bit integer, a uint if only that fits, otherwise the
// nearest double.
func number(n model.Number) ref.Val {
	if n.IsInteger() {
		if i, ok := n.Int64(); ok {
			return types.Int(i)
		}
		if u, err := strconv.ParseUint(string(n), 10, 64); err == nil {
			return types.Uint(u)
		}
	}
	return types.Double(n.Float64())
}

// object is an Object as a CEL map, with ordered keys.
type object struct {
	adapter
	members model.Object
}

// Find implements traits.Mapper. Only string keys exist.
func (o object) Find(key ref.Val) (ref.Val, bool) {
	name, ok := key.(types.String)
	if !ok {
		return nil, false
	}
	v, ok := o.members.Get(string(name))
	if !ok {
		return nil, false
	}
	return o.NativeToValue(v), true
}

// Get implements traits.Indexer.
func (o object) Get(key ref.Val) ref.Val {
	if v, ok := o.Find(key); ok {
		return v
	}
	return types.NewErr("the object does not have the key")
}

// Contains implements traits.Container.
func (o object) Contains(key ref.Val) ref.Val {
	_, ok := o.Find(key)
	return types.Bool(ok)
}

// Size implements traits.Sizer.
func (o object) Size() ref.Val { return types.Int(len(o.members)) }

func (o object) Iterator() traits.Iterator {
	return &iterator{length: len(o.members), at: func(i int) ref.Val { return types.String(o.members[i].Key) }}
}

// Equal implements ref.Val; nested values are compared by the node that compares.
func (o object) Equal(other ref.Val) ref.Val { return comparison{}.equal(o, other) }

// Type implements ref.Val.
func (o object) Type() ref.Type { return types.MapType }

// Value implements ref.Val.
func (o object) Value() any { return o.members }

// ConvertToType implements ref.Val.
func (o object) ConvertToType(t ref.Type) ref.Val { return converted(o, t) }

// ConvertToNative implements ref.Val.
func (o object) ConvertToNative(t reflect.Type) (any, error) { return nil, errNative }

type list struct {
	adapter
	items []model.Value
}

// Get implements traits.Indexer.
func (l list) Get(index ref.Val) ref.Val {
	i, err := types.IndexOrError(index)
	switch {
	case err != nil:
		return types.WrapErr(err)
	case i < 0 || i >= len(l.items):
		return types.NewErr("index out of bounds: %d of %d", i, len(l.items))
	}
	return l.NativeToValue(l.items[i])
}

// Add implements traits.Adder.
func (l list) Add(other ref.Val) ref.Val {
	return types.NewDynamicList(l.adapter, l.items).(traits.Adder).Add(other)
}

// Contains implements traits.Container.
func (l list) Contains(v ref.Val) ref.Val { return comparison{}.contains(l, v) }

// Size implements traits.Sizer.
func (l list) Size() ref.Val { return types.Int(len(l.items)) }

// Iterator implements traits.Iterable.
func (l list) Iterator() traits.Iterator {
	return &iterator{length: len(l.items), at: func(i int) ref.Val { return l.NativeToValue(l.items[i]) }}
}

// Equal implements ref.Val.
func (l list) Equal(other ref.Val) ref.Val { return comparison{}.equal(l, other) }

// Type implements ref.Val.
func (l list) Type() ref.Type { return types.ListType }

// Value implements ref.Val.
func (l list) Value() any { return l.items }

// ConvertToType implements ref.Val.
func (l list) ConvertToType(t ref.Type) ref.Val { return converted(l, t) }

// ConvertToNative implements ref.Val.
func (l list) ConvertToNative(t reflect.Type) (any, error) { return nil, errNative }

// errNative is the error for conversions to Go types, which the standard library does not need.
var errNative = errors.New("lists and maps of messages do not become Go values")

// converted implements the conversions of lists and maps.
func converted(v ref.Val, t ref.Type) ref.Val {
	switch t {
	case v.Type():
		return v
	case types.TypeType:
		return v.Type().(ref.Val)
	}
	return types.NewErr("type conversion error from '%s' to '%s'", v.Type().TypeName(), t.TypeName())
}

// iterator iterates over a list or the keys of a map.
type iterator struct {
	ref.Val
	next, length int
	at           func(int) ref.Val
}

// HasNext implements traits.Iterator.
func (i *iterator) HasNext() ref.Val { return types.Bool(i.next < i.length) }

// Next implements traits.Iterator.
func (i *iterator) Next() ref.Val {
	i.next++
	return i.at(i.next - 1)
}

// native converts a result to a Value; ok is false if JSON cannot represent it or it has more than most values.
func native(v ref.Val, most *int) (value model.Value, ok bool) {
	if *most--; *most < 0 {
		return nil, false
	}
	switch v := v.(type) {
	case types.Null:
		return nil, true
	case types.Bool:
		return bool(v), true
	case types.String:
		return string(v), true
	case types.Int:
		return model.Number(strconv.FormatInt(int64(v), 10)), true
	case types.Uint:
		return model.Number(strconv.FormatUint(uint64(v), 10)), true
	case types.Double:
		return double(float64(v)), true
	case traits.Lister:
		return nativeList(v, most)
	case traits.Mapper:
		return nativeObject(v, most)
	}
	return nil, false
}

func double(f float64) model.Number {
	if f == math.Trunc(f) && math.Abs(f) < 1e15 {
		return model.Number(strconv.FormatFloat(f, 'f', 1, 64)) // 2.0 stays different from 2
	}
	return value.Double(f)
}

func nativeList(l traits.Lister, most *int) (model.Value, bool) {
	out := []model.Value{}
	for it := l.Iterator(); it.HasNext() == types.True; {
		item, ok := native(it.Next(), most)
		if !ok {
			return nil, false
		}
		out = append(out, item)
	}
	return out, true
}

func nativeObject(m traits.Mapper, most *int) (model.Value, bool) {
	out := model.Object{}
	for it := m.Iterator(); it.HasNext() == types.True; {
		key := it.Next()
		name, isText := key.(types.String)
		v, _ := m.Find(key)
		value, ok := native(v, most)
		if !isText || !ok {
			return nil, false
		}
		out = append(out, model.Member{Key: string(name), Value: value})
	}
	return out, true
}
