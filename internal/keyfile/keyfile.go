// Package keyfile parses YAML configuration files: mappings of known keys, with positions. An
// unknown key is an error, because a mistyped one must not silently change behavior.
package keyfile

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"go.yaml.in/yaml/v4"

	"github.com/cupel-dev/cupel/internal/say"
	"github.com/cupel-dev/cupel/internal/suggest"
	"github.com/cupel-dev/cupel/internal/yamlfault"
)

// Entry is a scalar with its position.
type Entry struct {
	Text         string
	Line, Column int // 1-based
}

// Error is an error in a file.
type Error struct {
	Path         string
	Line, Column int // 0 without a position
	Message      string
	Hint         string
	Found, Meant string // the actual word and a suggestion, or ""
}

// Suggest adds the most similar candidate as a suggestion, unless the error already has a hint.
func (e *Error) Suggest(word string, candidates []string) *Error {
	e.Found, e.Meant = word, suggest.Nearest(word, candidates)
	if e.Hint == "" {
		e.Hint = suggest.Hint(word, candidates)
	}
	return e
}

func (e *Error) Error() string {
	if e.Line == 0 {
		return fmt.Sprintf("%s: %s", e.Path, e.Message)
	}
	return fmt.Sprintf("%s:%d:%d: %s", e.Path, e.Line, e.Column, e.Message)
}

// Key is a known key of a T and the parser of its value.
type Key[T any] struct {
	Name string
	Read func(*T, *yaml.Node) *Error
}

// Parse parses a text with a mapping at the top level. A key without a value is ignored. The error is an *Error.
func Parse[T any](path string, text []byte, keys []Key[T]) (t T, err error) {
	var doc yaml.Node
	loader, err := yaml.NewLoader(bytes.NewReader(text))
	if err == nil {
		err = loader.Load(&doc)
	}
	if err != nil && !errors.Is(err, io.EOF) { // an empty file is allowed
		line, column, message := yamlfault.Of(err)
		return t, &Error{Path: path, Line: line, Column: column, Message: message}
	}
	if len(doc.Content) == 0 || doc.Content[0].ShortTag() == "!!null" {
		return t, nil
	}
	if wrong := Mapping(&t, doc.Content[0], keys); wrong != nil {
		wrong.Path = path
		return t, wrong
	}
	return t, nil
}

func Mapping[T any](t *T, n *yaml.Node, keys []Key[T]) *Error {
	if n.Kind != yaml.MappingNode {
		return Fault(n, "expected a mapping of keys")
	}
	seen := map[string]bool{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, value := n.Content[i], n.Content[i+1]
		if seen[key.Value] {
			return Fault(key, fmt.Sprintf("key %s occurs twice", say.Quoted(key.Value)))
		}
		seen[key.Value] = true
		if err := read(t, key, value, keys); err != nil {
			if err.Found == key.Value && hasKey(n, err.Meant) {
				err.Meant = "" // a duplicate is also an error
			}
			return err
		}
	}
	return nil
}

func hasKey(n *yaml.Node, name string) bool {
	for i := 0; i+1 < len(n.Content); i += 2 {
		if n.Content[i].Value == name {
			return true
		}
	}
	return false
}

func read[T any](t *T, key, value *yaml.Node, keys []Key[T]) *Error {
	var names []string
	for _, k := range keys {
		if k.Name == key.Value {
			return k.Read(t, value)
		}
		names = append(names, k.Name)
	}
	return Fault(key, fmt.Sprintf("unknown key %s", say.Quoted(key.Value))).Suggest(key.Value, names)
}

// Fault returns an error at a node.
func Fault(n *yaml.Node, message string) *Error {
	return &Error{Line: n.Line, Column: n.Column, Message: message}
}

// Word parses a non-empty scalar.
func Word(n *yaml.Node) (*Entry, *Error) {
	if n.Kind != yaml.ScalarNode || n.Value == "" {
		return nil, Fault(n, "expected a single word")
	}
	return &Entry{n.Value, n.Line, n.Column}, nil
}

// Flag is a boolean with its position.
type Flag struct {
	On           bool
	Line, Column int // 1-based
}

// Switch parses true or false.
func Switch(n *yaml.Node) (*Flag, *Error) {
	if n.Kind != yaml.ScalarNode || n.Value != "true" && n.Value != "false" || n.Style != 0 {
		return nil, Fault(n, "expected true or false")
	}
	return &Flag{n.Value == "true", n.Line, n.Column}, nil
}

// Words parses a non-empty list of words.
func Words(n *yaml.Node) ([]Entry, *Error) {
	return List(n, "words", func(e *Entry, item *yaml.Node) *Error {
		word, err := Word(item)
		if err == nil {
			*e = *word
		}
		return err
	})
}

// List parses a nonempty list. of is the name of its items in errors.
func List[T any](n *yaml.Node, of string, read func(*T, *yaml.Node) *Error) ([]T, *Error) {
	if n.Kind != yaml.SequenceNode || len(n.Content) == 0 {
		return nil, Fault(n, "expected a list of "+of)
	}
	items := make([]T, len(n.Content))
	for i, item := range n.Content {
		if err := read(&items[i], item); err != nil {
			return nil, err
		}
	}
	return items, nil
}
