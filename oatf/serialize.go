package oatf

import (
	"reflect"
	"slices"
	"strconv"

	"github.com/cupel-dev/cupel/oatf/internal/revision"
	"github.com/cupel-dev/cupel/oatf/internal/value"
	"github.com/cupel-dev/cupel/oatf/internal/yamltext"
	"github.com/cupel-dev/cupel/oatf/model"
)

// Serialize writes a document as YAML 1.2 (§3.4): block style, "oatf" first, fields in the specification's order,
// extension fields after the key that they followed, and no ambiguous scalars. It does not add defaults; use
// Normalize first for the expanded form. Parse returns the same document, if Limits suffice and, for a document
// that does not show its revision, the revision is given. Invalid UTF-8, which Parse never returns, is replaced.
func Serialize(doc *model.Document) []byte {
	w := serializer{needsSurface: revision.Of(doc.Revision).Keys.IndicatorNeeds == "surface"}
	return yamltext.Write(w.object(reflect.ValueOf(doc).Elem()))
}

// serializer converts parts of the model to values by the keys of their fields.
type serializer struct{ needsSurface bool }

// object returns the members of a part, in the order of its fields, without absent ones.
func (w serializer) object(part reflect.Value) (list model.Object) {
	var extensions model.Extensions
	for i := range part.NumField() {
		field, key := part.Field(i), part.Type().Field(i).Tag.Get("yaml")
		switch v := field.Interface().(type) {
		case model.Extensions:
			extensions = v
			continue
		case []model.Member:
			list = append(list, v...)
			continue
		case *model.Surface:
			if v == nil && w.needsSurface {
				list = append(list, model.Member{Key: key, Value: ""})
			}
		case *model.MatchCondition:
			if v != nil {
				list = append(list, w.object(field.Elem())...)
			}
			continue
		}
		if key == "-" || canBeAbsent(field) && field.IsNil() {
			continue
		}
		list = append(list, model.Member{Key: key, Value: w.value(field)})
	}
	return withExtensions(list, extensions)
}

func canBeAbsent(v reflect.Value) bool {
	return v.Kind() == reflect.Pointer || v.Kind() == reflect.Slice || v.Kind() == reflect.Interface
}

// value returns the value of a part that exists.
func (w serializer) value(part reflect.Value) model.Value {
	switch v := part.Interface().(type) {
	case model.Number:
		return v
	case model.MatchPredicate:
		object := make(model.Object, len(v))
		for i := range v {
			object[i] = model.Member{Key: v[i].Path, Value: w.value(reflect.ValueOf(&v[i].Condition))}
		}
		return object
	case *model.Condition:
		if v.Operators == nil {
			return v.Value
		}
		return w.object(reflect.ValueOf(v.Operators).Elem())
	case []model.Variable:
		object := make(model.Object, len(v))
		for i := range v {
			object[i] = model.Member{Key: v[i].Name, Value: v[i].Path}
		}
		return object
	case *model.Severity:
		if v.Scalar {
			return string(v.Level)
		}
	}
	switch part.Kind() {
	case reflect.Interface:
		return part.Interface()
	case reflect.Pointer:
		return w.value(part.Elem())
	case reflect.Struct:
		return w.object(part)
	case reflect.Slice:
		list := make([]model.Value, part.Len())
		for i := range list {
			list[i] = w.value(part.Index(i))
		}
		return list
	case reflect.Bool:
		return part.Bool()
	case reflect.Int64:
		return model.Number(strconv.FormatInt(part.Int(), 10))
	case reflect.Float64:
		return value.Double(part.Float())
	}
	return part.String()
}

// withExtensions inserts the extension fields after the keys that they followed.
func withExtensions(list model.Object, extensions model.Extensions) model.Object {
	if len(extensions) == 0 {
		return list
	}
	out := make(model.Object, 0, len(list)+len(extensions))
	out = appendAfter(out, extensions, func(after string) bool { return after == "" })
	for _, m := range list {
		out = append(out, m)
		out = appendAfter(out, extensions, func(after string) bool { return after == m.Key })
	}
	return appendAfter(out, extensions, func(after string) bool {
		return after != "" && !slices.ContainsFunc(list, func(m model.Member) bool { return m.Key == after })
	})
}

func appendAfter(out model.Object, e model.Extensions, here func(after string) bool) model.Object {
	for i := range e {
		if here(e[i].After) {
			out = append(out, model.Member{Key: e[i].Key, Value: e[i].Value})
		}
	}
	return out
}
