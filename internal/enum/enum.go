// Package enum writes and reads the values of enumerations as their names.
package enum

import (
	"fmt"
	"slices"
	"strings"
)

// Name returns the name of a value; the value in parentheses if names has none for it.
func Name[E ~uint8](names []string, value E) string {
	if int(value) < len(names) {
		return names[value]
	}
	return fmt.Sprintf("(%d)", uint8(value))
}

// Text returns the name of a value, for encoding.TextMarshaler. The error is that names has none for it.
func Text[E ~uint8](names []string, value E) ([]byte, error) {
	if int(value) < len(names) {
		return []byte(names[value]), nil
	}
	return nil, fmt.Errorf("%d stands for none of %s", uint8(value), strings.Join(names, ", "))
}

// Read sets value to the one that text names, for encoding.TextUnmarshaler; what is the term for such a value.
func Read[E ~uint8](what string, names []string, value *E, text []byte) error {
	i := slices.Index(names, string(text))
	if i < 0 {
		return fmt.Errorf("unknown %s %q, expected one of %s", what, text, strings.Join(names, ", "))
	}
	*value = E(i)
	return nil
}
