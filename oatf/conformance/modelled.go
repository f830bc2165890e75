package conformance

import (
	"reflect"
	"strconv"

	"github.com/cupel-dev/cupel/oatf/model"

	"github.com/cupel-dev/cupel/oatf"
)

// modelled converts a document's model to a value, member by member, to compare whole models
// independently of Serialize. The order of extension fields is ignored.
func modelled(doc *oatf.Document) oatf.Value {
	return oatf.Object{
		{Key: "oatf", Value: doc.OATF},
		{Key: "$schema", Value: valueOf(reflect.ValueOf(doc.Schema))},
		{Key: "attack", Value: valueOf(reflect.ValueOf(doc.Attack))},
	}
}

func valueOf(v reflect.Value) oatf.Value {
	if v.Kind() == reflect.Pointer || v.Kind() == reflect.Interface || v.Kind() == reflect.Slice {
		if v.IsNil() {
			return nil
		}
	}
	switch known := v.Interface().(type) {
	case oatf.Object, oatf.Number:
		return known
	case model.Extensions:
		o := oatf.Object{}
		for _, e := range known {
			o = append(o, oatf.Member{Key: e.Key, Value: e.Value})
		}
		return o
	}
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		return valueOf(v.Elem())
	case reflect.Struct:
		return membersOf(v)
	case reflect.Slice:
		list := make([]oatf.Value, v.Len())
		for i := range list {
			list[i] = valueOf(v.Index(i))
		}
		return list
	case reflect.Bool:
		return v.Bool()
	case reflect.Int64:
		return integer(v.Int())
	case reflect.Float64:
		return oatf.Number(strconv.FormatFloat(v.Float(), 'g', -1, 64))
	}
	return v.String()
}

// membersOf converts a part of the model, with the keys that documents use for its fields.
func membersOf(v reflect.Value) oatf.Object {
	var o oatf.Object
	for i := range v.NumField() {
		key := v.Type().Field(i).Tag.Get("yaml")
		if key == "" || key == "-" {
			key = v.Type().Field(i).Name
		}
		o = append(o, oatf.Member{Key: key, Value: valueOf(v.Field(i))})
	}
	return o
}

func integer(n int64) oatf.Value { return oatf.Number(strconv.FormatInt(n, 10)) }
