package keyfile

import "go.yaml.in/yaml/v4"

// Class is an item of a list of privacy classes:
//
//	classes:
//	  - type: assay.tool.decision    # every type, when absent
//	    pointer: /data/args/**
//	    class: public
//	  - pattern: '[a-z]+@example\.com'
//	    class: forbidden
//
// What the words mean is for package evidence/privacy to say.
type Class struct {
	At                            Entry // where the item begins; no text
	Type, Pointer, Class, Pattern *Entry
}

var classKeys = []Key[Class]{
	{"type", func(c *Class, n *yaml.Node) (err *Error) { c.Type, err = Word(n); return err }},
	{"pointer", func(c *Class, n *yaml.Node) (err *Error) { c.Pointer, err = Word(n); return err }},
	{"class", func(c *Class, n *yaml.Node) (err *Error) { c.Class, err = Word(n); return err }},
	{"pattern", func(c *Class, n *yaml.Node) (err *Error) { c.Pattern, err = Word(n); return err }},
}

// Classes reads a list of privacy classes.
func Classes(n *yaml.Node) ([]Class, *Error) {
	return List(n, "privacy classes", func(c *Class, item *yaml.Node) *Error {
		c.At = Entry{Line: item.Line, Column: item.Column}
		return Mapping(c, item, classKeys)
	})
}

// ParseClasses reads a policy file: one whose only key is classes. The error is an *Error.
func ParseClasses(path string, text []byte) ([]Class, error) {
	return Parse(path, text, []Key[[]Class]{
		{"classes", func(c *[]Class, n *yaml.Node) (err *Error) { *c, err = Classes(n); return err }},
	})
}
