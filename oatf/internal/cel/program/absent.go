package program

import (
	"errors"
	"reflect"
	"strconv"

	"github.com/google/cel-go/common/types"
)

// absentKey tells the one error that is an answer from all others: that a map, or a value
// that is no map, does not have the key which the expression selects.
//
// The library has one unexported type for the three ways in which a name or a selection
// leads nowhere, and a field for each of them. The type and the field that is set say which
// it is. The text of the error would say it, too, but hostile keys may take part in it.
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

// keyText shows a key that is a scalar.
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
