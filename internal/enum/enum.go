// Package enum converts enumerations to and from their names.
package enum

import (
	"fmt"
	"slices"
	"strings"
)

// Name returns the name of value, or its number in parentheses.
func Name[E ~uint8](names []string, value E) string {
	if int(value) < len(names) {
		return names[value]
	}
	return fmt.Sprintf("(%d)", uint8(value))
}

// Text implements encoding.TextMarshaler. It fails if value has no name.
func Text[E ~uint8](names []string, value E) ([]byte, error) {
	if int(value) < len(names) {
		return []byte(names[value]), nil
	}
	return nil, fmt.Errorf("value %d is undefined, expected one of %s", uint8(value), strings.Join(names, ", "))
}

// Read implements encoding.TextUnmarshaler. what names the kind of value in errors.
func Read[E ~uint8](what string, names []string, value *E, text []byte) error {
	i := slices.Index(names, string(text))
	if i < 0 {
		return fmt.Errorf("unknown %s %q, expected one of %s", what, text, strings.Join(names, ", "))
	}
	*value = E(i)
	return nil
}
