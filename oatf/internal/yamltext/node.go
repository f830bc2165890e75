package yamltext

import (
	"fmt"

	"go.yaml.in/yaml/v4"

	"github.com/cupel-dev/cupel/internal/say"
	"github.com/cupel-dev/cupel/oatf/model"
)

// Describe names a node's kind, for "expected …, found …".
func Describe(n *yaml.Node) string {
	switch n.Kind {
	case yaml.MappingNode:
		return "a mapping"
	case yaml.SequenceNode:
		return "a list"
	case yaml.AliasNode:
		return "an alias"
	}
	v, _ := Scalar(n)
	switch v := v.(type) {
	case nil:
		return "null"
	case bool:
		return "the boolean " + n.Value
	case model.Number:
		return "the number " + say.Preview(n.Value, say.Usual)
	default:
		return fmt.Sprintf("the string %q", say.Preview(v.(string), say.Usual))
	}
}

// Value converts a node to a Value. Keys are the texts of their scalars.
func Value(n *yaml.Node) model.Value {
	return ValueWith(n, func(n *yaml.Node) []*yaml.Node { return n.Content })
}

// ValueWith is Value with a function that returns the children of a collection.
func ValueWith(n *yaml.Node, holds func(*yaml.Node) []*yaml.Node) model.Value {
	switch n.Kind {
	case yaml.MappingNode:
		content := holds(n)
		object := make(model.Object, 0, len(content)/2)
		for i := 0; i+1 < len(content); i += 2 {
			object = append(object, model.Member{Key: content[i].Value, Value: ValueWith(content[i+1], holds)})
		}
		return object
	case yaml.SequenceNode:
		content := holds(n)
		list := make([]model.Value, 0, len(content))
		for _, item := range content {
			list = append(list, ValueWith(item, holds))
		}
		return list
	case yaml.ScalarNode:
		v, _ := Scalar(n)
		return v
	}
	return nil // an alias: refused by audit
}

// IsNull reports whether a node is null. A null optional field counts as absent.
func IsNull(n *yaml.Node) bool {
	if n.Kind != yaml.ScalarNode {
		return false
	}
	v, ok := Scalar(n)
	return ok && v == nil
}

// EachScalar calls do for every scalar below a node, in the order of the text.
func EachScalar(n *yaml.Node, do func(*yaml.Node)) {
	if n.Kind == yaml.ScalarNode {
		do(n)
	}
	for _, child := range n.Content {
		EachScalar(child, do)
	}
}
