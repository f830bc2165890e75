package keyfile

import "go.yaml.in/yaml/v4"

// Class is an item of a list of privacy classes:
//
//	classes:
//	  - type: assay.tool.decision    # default: every type
//	    pointer: /data/args/**
//	    class: public
//	  - pattern: '[a-z]+@example\.com'
//	    class: forbidden
//
// Package evidence/privacy interprets the words.
type Class struct {
	At                            Entry // start of the item, without text
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

// Policy is the content of a policy file. Rules and Allowlists are the rules for secrets and their exceptions as
// written, or nil.
type Policy struct {
	Classes           []Class
	Rules, Allowlists *yaml.Node
}

// ParsePolicy parses a policy file. The error is an *Error.
func ParsePolicy(path string, text []byte) (Policy, error) {
	return Parse(path, text, []Key[Policy]{
		{"classes", func(p *Policy, n *yaml.Node) (err *Error) { p.Classes, err = Classes(n); return err }},
		{"rules", func(p *Policy, n *yaml.Node) *Error { p.Rules = n; return nil }},
		{"allowlists", func(p *Policy, n *yaml.Node) *Error { p.Allowlists = n; return nil }},
	})
}
