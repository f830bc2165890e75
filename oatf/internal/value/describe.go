package value

import "github.com/cupel-dev/cupel/oatf/model"

// Describe names the type of a value for a message.
func Describe(v model.Value) string {
	switch v.(type) {
	case nil:
		return "null"
	case bool:
		return "a boolean"
	case string:
		return "a text"
	case model.Number:
		return "a number"
	case []model.Value:
		return "a list"
	}
	return "an object"
}
