// Package config reads cupel.yaml, in which a project says which findings of its own
// documents it wants to see:
//
//	select: [V-, W-001]   # only these rules (ids or prefixes of them)
//	ignore: [W-004]       # not these
//	fail-on: warning      # the answer is no from this severity on
//
// Nothing needs it. A key that it does not know is an error: a mistyped "ignroe" must
// not silently change what is checked.
package config

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"go.yaml.in/yaml/v4"

	"github.com/cupel-dev/cupel/internal/source"
	"github.com/cupel-dev/cupel/internal/suggest"
)

// Name is the name of the file.
const Name = "cupel.yaml"

// MaxBytes bounds the file: a few lists of rule ids need no more.
const MaxBytes = 1 << 20

// Config is what a file says. Absent members are nil.
type Config struct {
	Path           string // where it was read
	Select, Ignore []Entry
	FailOn         *Entry
}

// Entry is a word of the file and its place.
type Entry struct {
	Text         string
	Line, Column int // 1-based
}

// Error is a mistake in the file.
type Error struct {
	Path         string
	Line, Column int // 0 when the mistake has no place
	Message      string
	Hint         string
}

func (e *Error) Error() string {
	if e.Line == 0 {
		return fmt.Sprintf("%s: %s", e.Path, e.Message)
	}
	return fmt.Sprintf("%s:%d:%d: %s", e.Path, e.Line, e.Column, e.Message)
}

// Find looks for the nearest file in dir and above it, up to the repository's root
// (the folder that holds .git). Outside a repository only dir itself counts, so that
// a stranger's file in a shared folder above is never used. "" means that there is none.
func Find(dir string) (string, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	nearest, own := "", filepath.Join(dir, Name)
	for d := dir; ; d = filepath.Dir(d) {
		if path := filepath.Join(d, Name); nearest == "" && exists(path) {
			nearest = path
		}
		if exists(filepath.Join(d, ".git")) {
			return nearest, nil
		}
		if d == filepath.Dir(d) {
			break
		}
	}
	if nearest != own {
		return "", nil
	}
	return own, nil
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return !errors.Is(err, fs.ErrNotExist)
}

// Load reads and parses a file.
func Load(path string) (Config, error) {
	f, err := os.Open(path)
	if err != nil {
		return Config{}, err
	}
	defer f.Close()
	text, err := source.ReadAll(f, MaxBytes)
	var large *source.TooLargeError
	switch {
	case errors.As(err, &large):
		return Config{}, &Error{Path: path, Message: large.Error()}
	case err != nil:
		return Config{}, err
	}
	return Parse(path, text)
}

// keys are the known keys with what reads their value.
var keys = []struct {
	name string
	read func(*Config, *yaml.Node) *Error
}{
	{"select", func(c *Config, n *yaml.Node) (err *Error) { c.Select, err = words(n); return err }},
	{"ignore", func(c *Config, n *yaml.Node) (err *Error) { c.Ignore, err = words(n); return err }},
	{"fail-on", func(c *Config, n *yaml.Node) (err *Error) { c.FailOn, err = word(n); return err }},
}

// Parse reads the text of a file. An empty one says nothing.
func Parse(path string, text []byte) (Config, error) {
	c := Config{Path: path}
	var doc yaml.Node
	if err := yaml.Unmarshal(text, &doc); err != nil {
		return c, &Error{Path: path, Message: "not YAML: " + err.Error()}
	}
	if len(doc.Content) == 0 || doc.Content[0].ShortTag() == "!!null" {
		return c, nil
	}
	root := doc.Content[0]
	err := fault(root, "a mapping of keys was expected")
	if root.Kind == yaml.MappingNode {
		err = c.read(root)
	}
	if err != nil {
		err.Path = path
		return c, err
	}
	return c, nil
}

// read takes the pairs of the top level.
func (c *Config) read(root *yaml.Node) *Error {
	seen := map[string]bool{}
	for i := 0; i+1 < len(root.Content); i += 2 {
		key, value := root.Content[i], root.Content[i+1]
		if seen[key.Value] {
			return fault(key, fmt.Sprintf("key %q is there twice", key.Value))
		}
		seen[key.Value] = true
		if err := c.readKey(key, value); err != nil {
			return err
		}
	}
	return nil
}

func (c *Config) readKey(key, value *yaml.Node) *Error {
	var names []string
	for _, k := range keys {
		if k.name == key.Value {
			return k.read(c, value)
		}
		names = append(names, k.name)
	}
	err := fault(key, fmt.Sprintf("unknown key %q", key.Value))
	err.Hint = suggest.Hint(key.Value, names)
	return err
}

func fault(n *yaml.Node, message string) *Error {
	return &Error{Line: n.Line, Column: n.Column, Message: message}
}

func word(n *yaml.Node) (*Entry, *Error) {
	if n.Kind != yaml.ScalarNode || n.Value == "" {
		return nil, fault(n, "a word was expected")
	}
	return &Entry{n.Value, n.Line, n.Column}, nil
}

func words(n *yaml.Node) ([]Entry, *Error) {
	if n.Kind != yaml.SequenceNode || len(n.Content) == 0 {
		return nil, fault(n, "a list of words was expected")
	}
	list := make([]Entry, 0, len(n.Content))
	for _, item := range n.Content {
		entry, err := word(item)
		if err != nil {
			return nil, err
		}
		list = append(list, *entry)
	}
	return list, nil
}
