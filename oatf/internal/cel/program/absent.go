package program

import (
	"errors"
	"reflect"
	"strconv"

	"github.com/google/cel-go/common/types"
)

// absentKey detects the error for a missing key in a map or in a value that is not a map. The library uses one
// unexported type with a field per kind of failed lookup, which identify the error. The error text is not reliable,
// because it can contain crafted keys.
func absentKey(fault *types.Err) (key string, ok bool) {
	for err := error(fault); err != nil; err = errors.Unwrap(err) {
		v := reflect.ValueOf(err)
		if v.Kind() != reflect.Pointer || v.Type().String() != "*interpreter.resolutionError" {
			continue
		}
		missing := v.Elem().FieldByName("missingKey")
		if !missing.IsValid() || missing.IsNil() {
			return "", false
		}
		return keyText(missing.Elem()), true
	}
	return "", false
}

func keyText(v reflect.Value) string {
	switch v.Kind() {
	case reflect.String:
		return v.String()
	case reflect.Int64:
		return strconv.FormatInt(v.Int(), 10)
	case reflect.Uint64:
		return strconv.FormatUint(v.Uint(), 10)
	case reflect.Bool:
		return strconv.FormatBool(v.Bool())
	}
	return "of type " + v.Type().String()
}
