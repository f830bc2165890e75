// Package keyfile reads the YAML files in which a user sets things up: mappings of known
// keys, every word of them with its place. A key that is not known is an error: a mistyped
// one must not silently change what is done.
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

// Entry is a word of a file and its place.
type Entry struct {
	Text         string
	Line, Column int // 1-based
}

// Error is a mistake in a file.
type Error struct {
	Path         string
	Line, Column int // 0 when the mistake has no place
	Message      string
	Hint         string
	Found, Meant string // the word that stands there and the one that was probably meant; "" when none comes to mind
}

// Suggest adds the candidate that a word at the place of the mistake was probably meant to be.
// With a hint of its own the mistake keeps that.
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

// Key is a known key of a T, with what reads its value.
type Key[T any] struct {
	Name string
	Read func(*T, *yaml.Node) *Error
}

// Parse reads a text whose top level is a mapping of keys. One without a value says
// nothing. The error is an *Error.
func Parse[T any](path string, text []byte, keys []Key[T]) (t T, err error) {
	var doc yaml.Node
	loader, err := yaml.NewLoader(bytes.NewReader(text))
	if err == nil {
		err = loader.Load(&doc)
	}
	if err != nil && !errors.Is(err, io.EOF) { // an empty file says nothing
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

// Mapping reads the pairs of a mapping.
func Mapping[T any](t *T, n *yaml.Node, keys []Key[T]) *Error {
	if n.Kind != yaml.MappingNode {
		return Fault(n, "a mapping of keys was expected")
	}
	seen := map[string]bool{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, value := n.Content[i], n.Content[i+1]
		if seen[key.Value] {
			return Fault(key, fmt.Sprintf("key %s is there twice", say.Quoted(key.Value)))
		}
		seen[key.Value] = true
		if err := read(t, key, value, keys); err != nil {
			if err.Found == key.Value && hasKey(n, err.Meant) {
				err.Meant = "" // there twice it would be a mistake, too
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

// Fault is a mistake at a node.
func Fault(n *yaml.Node, message string) *Error {
	return &Error{Line: n.Line, Column: n.Column, Message: message}
}

// Word reads a scalar that is not empty.
func Word(n *yaml.Node) (*Entry, *Error) {
	if n.Kind != yaml.ScalarNode || n.Value == "" {
		return nil, Fault(n, "a word was expected")
	}
	return &Entry{n.Value, n.Line, n.Column}, nil
}

// Flag is a switch of a file and its place.
type Flag struct {
	On           bool
	Line, Column int // 1-based
}

// Switch reads true or false.
func Switch(n *yaml.Node) (*Flag, *Error) {
	if n.Kind != yaml.ScalarNode || n.Value != "true" && n.Value != "false" || n.Style != 0 {
		return nil, Fault(n, "true or false was expected")
	}
	return &Flag{n.Value == "true", n.Line, n.Column}, nil
}

// Words reads a list of at least one word.
func Words(n *yaml.Node) ([]Entry, *Error) {
	return List(n, "words", func(e *Entry, item *yaml.Node) *Error {
		word, err := Word(item)
		if err == nil {
			*e = *word
		}
		return err
	})
}

// List reads a list of at least one item; of says what the items are.
func List[T any](n *yaml.Node, of string, read func(*T, *yaml.Node) *Error) ([]T, *Error) {
	if n.Kind != yaml.SequenceNode || len(n.Content) == 0 {
		return nil, Fault(n, "a list of "+of+" was expected")
	}
	items := make([]T, len(n.Content))
	for i, item := range n.Content {
		if err := read(&items[i], item); err != nil {
			return nil, err
		}
	}
	return items, nil
}
