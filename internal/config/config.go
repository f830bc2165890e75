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
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"

	"go.yaml.in/yaml/v4"

	"github.com/cupel-dev/cupel/internal/door"
	"github.com/cupel-dev/cupel/internal/source"
	"github.com/cupel-dev/cupel/internal/suggest"
	"github.com/cupel-dev/cupel/internal/yamlfault"
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

// Place is where a file is that nobody named. It is reached through Root, so that a link
// of its name leads nowhere else.
type Place struct{ Root, Path string }

// Find looks for the nearest file in dir and above it, up to the repository's root
// (the folder that holds .git). Outside a repository only dir itself counts, so that
// a stranger's file in a shared folder above is never used. The zero Place means that there
// is none.
func Find(dir string) (at Place, err error) {
	dir, err = filepath.Abs(dir)
	if err != nil {
		return at, err
	}
	for d := dir; ; d = filepath.Dir(d) {
		if path := filepath.Join(d, Name); at.Path == "" && exists(path) {
			at.Path = path
		}
		if exists(filepath.Join(d, ".git")) {
			at.Root = d
			break
		}
		if d == filepath.Dir(d) {
			break
		}
	}
	switch {
	case at.Path == "", at.Root == "" && at.Path != filepath.Join(dir, Name):
		return Place{}, nil
	case at.Root == "":
		at.Root = dir
	}
	return at, nil
}

// exists says whether anything stands there, a link to nothing too.
func exists(path string) bool {
	_, err := door.Lstat(path)
	return !errors.Is(err, fs.ErrNotExist)
}

// Load reads and parses the file of a place.
func (at Place) Load() (Config, error) {
	name, err := filepath.Rel(at.Root, at.Path)
	if err != nil {
		return Config{}, err
	}
	folder, err := door.Open(at.Root)
	if err != nil {
		return Config{}, err
	}
	defer func() { _ = folder.Close() }() // opened for reading: nothing can be lost
	f, err := folder.Text(filepath.ToSlash(name))
	if err != nil {
		return Config{}, err
	}
	defer func() { _ = f.Close() }()
	return read(at.Path, f)
}

// Load reads and parses a file that the user names: it may be a pipe. The end of ctx
// ends the wait for it.
func Load(ctx context.Context, path string) (Config, error) {
	f, err := door.NamedText(ctx, path)
	if err != nil {
		return Config{}, err
	}
	defer func() { _ = f.Close() }() // opened for reading: nothing can be lost
	return read(path, f)
}

func read(path string, r io.Reader) (Config, error) {
	text, err := source.ReadAll(r, MaxBytes)
	if large, ok := errors.AsType[*source.TooLargeError](err); ok {
		return Config{}, &fs.PathError{Op: "read", Path: path, Err: large}
	}
	if err != nil {
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
	loader, err := yaml.NewLoader(bytes.NewReader(text))
	if err == nil {
		err = loader.Load(&doc)
	}
	if err != nil && !errors.Is(err, io.EOF) { // an empty file says nothing
		line, column, message := yamlfault.Of(err)
		return c, &Error{Path: path, Line: line, Column: column, Message: message}
	}
	if len(doc.Content) == 0 || doc.Content[0].ShortTag() == "!!null" {
		return c, nil
	}
	root := doc.Content[0]
	wrong := fault(root, "a mapping of keys was expected")
	if root.Kind == yaml.MappingNode {
		wrong = c.read(root)
	}
	if wrong != nil {
		wrong.Path = path
		return c, wrong
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
