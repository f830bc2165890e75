// Package registry validates events' data with the JSON Schema of their type, one file per type. A name that ends
// in "._" applies to all types with that prefix. To support a new type, add a file.
package registry

import (
	"bytes"
	"embed"
	"errors"
	"fmt"
	"strings"
	"sync"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"

	"github.com/cupel-dev/cupel/internal/say"
)

//go:embed *.json
var files embed.FS

// anyType is the end of the name of a file for all types with a prefix.
const anyType = "_"

// Names returns the sorted types with a schema. "assay.receipt._" means all types with prefix "assay.receipt.".
func Names() []string {
	entries, err := files.ReadDir(".")
	if err != nil {
		panic("registry.Names: " + err.Error()) // the folder is embedded
	}
	names := make([]string, len(entries))
	for i, e := range entries {
		names[i] = strings.TrimSuffix(e.Name(), ".json")
	}
	return names
}

// Text returns the schema of a type in Names.
func Text(name string) (text []byte, ok bool) {
	text, err := files.ReadFile(name + ".json")
	return text, err == nil
}

// Schema is the schema of a type, compiled on first use.
type Schema struct {
	name    string
	prefix  bool
	compile func() *jsonschema.Schema
}

// all are the schemas by their names.
var all = sync.OnceValue(func() map[string]*Schema {
	list := map[string]*Schema{}
	for _, name := range Names() {
		s := &Schema{}
		s.name, s.prefix = strings.CutSuffix(name, anyType)
		s.compile = sync.OnceValue(func() *jsonschema.Schema { return compiled(name) })
		list[s.name] = s
	}
	return list
})

// Lookup returns the schema of an event type, or nil.
func Lookup(eventType []byte) *Schema {
	if s := all()[string(eventType)]; s != nil && !s.prefix {
		return s
	}
	if dot := bytes.LastIndexByte(eventType, '.'); dot >= 0 {
		for ; dot >= 0; dot = bytes.LastIndexByte(eventType[:dot], '.') {
			if s := all()[string(eventType[:dot+1])]; s != nil && s.prefix {
				return s
			}
		}
	}
	return nil
}

func compiled(name string) *jsonschema.Schema {
	text, _ := Text(name)
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	c := jsonschema.NewCompiler()
	if err == nil {
		err = c.AddResource(name, doc)
	}
	var s *jsonschema.Schema
	if err == nil {
		s, err = c.Compile(name)
	}
	if err != nil {
		panic("registry: the schema of " + name + ": " + err.Error()) // it is embedded
	}
	return s
}

// Violation is a schema violation. It does not contain a value.
type Violation struct {
	Path    []string // the tokens of the pointer to the value, or to the one that a member is missing in
	Message string   // after the name of the member
}

// Check returns the violations of strict JSON data.
func (s *Schema) Check(data []byte) []Violation {
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(data))
	if err != nil {
		return []Violation{{nil, "cannot be read: " + err.Error()}}
	}
	broken, ok := errors.AsType[*jsonschema.ValidationError](s.compile().Validate(value))
	if !ok {
		return nil
	}
	var list []Violation
	gather(&list, broken)
	return list
}

// gather lists the innermost violations. A value that matches no alternative is one violation.
func gather(list *[]Violation, e *jsonschema.ValidationError) {
	switch e.ErrorKind.(type) {
	case *kind.OneOf, *kind.AnyOf:
		*list = append(*list, Violation{e.InstanceLocation, message(e.ErrorKind)})
		return
	}
	if len(e.Causes) == 0 {
		*list = append(*list, Violation{e.InstanceLocation, message(e.ErrorKind)})
	}
	for _, cause := range e.Causes {
		gather(list, cause)
	}
}

// message describes a violation without the value.
func message(k jsonschema.ErrorKind) string {
	switch k := k.(type) {
	case *kind.Type:
		return "is " + say.Article(k.Got) + ", expected " + strings.Join(k.Want, " or ")
	case *kind.Required:
		return "has no member " + strings.Join(k.Missing, ", ")
	case *kind.Enum:
		words := make([]string, 0, len(k.Want))
		for _, want := range k.Want {
			if want != nil {
				words = append(words, fmt.Sprint(want))
			}
		}
		return "is not one of " + strings.Join(words, ", ")
	case *kind.Const:
		return fmt.Sprintf("is not %v", k.Want)
	case *kind.Pattern:
		return "is not of the form " + k.Want
	case *kind.Minimum, *kind.Maximum:
		return "is out of range"
	case *kind.AdditionalProperties:
		return "has members that its type does not define"
	case *kind.MinItems, *kind.MaxItems:
		return "has the wrong number of elements"
	}
	return "does not match exactly one of the forms that its type allows"
}
