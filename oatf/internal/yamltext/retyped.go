package yamltext

import (
	"slices"
	"strings"

	"go.yaml.in/yaml/v4"
)

// retyped are the words in lower case that YAML 1.1 or 1.2 do not read as strings.
var retyped = []string{"y", "n", "yes", "no", "on", "off", "true", "false", "null"}

// IsRetyped reports whether a plain scalar is a string in YAML 1.2 but not in YAML 1.1, by the library's types
// except words and base 60 numbers.
func IsRetyped(n *yaml.Node) bool {
	if v, _ := Scalar(n); v != any(n.Value) || strings.ContainsAny(n.Value, "\"\\\n") {
		return false
	}
	return n.ShortTag() != tagStr || slices.Contains(retyped, strings.ToLower(n.Value)) || isBase60(n.Value)
}

// isBase60 reports whether s is a number like 1:30.
func isBase60(s string) bool {
	parts := strings.Split(strings.TrimLeft(s, "+-"), ":")
	return len(parts) > 1 && !slices.ContainsFunc(parts, func(p string) bool {
		return p == "" || strings.Trim(p, "0123456789_.") != ""
	})
}
