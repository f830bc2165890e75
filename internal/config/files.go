package config

import (
	"fmt"
	"path/filepath"
	"strings"

	"go.yaml.in/yaml/v4"

	"github.com/cupel-dev/cupel/internal/glob"
	"github.com/cupel-dev/cupel/internal/keyfile"
	"github.com/cupel-dev/cupel/internal/say"
)

// Limits of patterns, because every path of a walk is matched with every pattern.
const (
	MaxPatterns     = 1000 // in exclude and in per-file-ignores
	MaxPatternBytes = 4096 // the longest path on Linux
)

// Pattern is a .gitignore-style pattern, relative to the file's folder.
type Pattern struct {
	Entry
	glob glob.Pattern
}

// FileIgnores lists rules (ids or prefixes) to ignore in files that match a pattern.
type FileIgnores struct {
	Pattern Pattern
	Rules   []Entry
}

// Pair is a suite and the traces to evaluate it on, as paths or patterns relative to the file's folder.
type Pair struct {
	At     Entry // start of the pair, without text
	Suite  Entry
	Traces []Entry
}

// Covers reports whether p matches path or one of its parent folders. Paths outside the
// configuration's folder never match.
func (c *Config) Covers(p Pattern, path string, isDir bool) bool {
	names, ok := c.below(path)
	return ok && p.glob.Covers(names, isDir)
}

// Excluder returns the first exclude pattern that covers path, or nil.
func (c *Config) Excluder(path string, isDir bool) *Pattern {
	if len(c.Exclude) == 0 {
		return nil
	}
	names, ok := c.below(path)
	if !ok {
		return nil
	}
	for i := range c.Exclude {
		if c.Exclude[i].glob.Covers(names, isDir) {
			return &c.Exclude[i]
		}
	}
	return nil
}

// below splits a path relative to the configuration's folder. ok is false for paths outside it.
func (c *Config) below(path string) (names []string, ok bool) {
	folder, err := filepath.Abs(filepath.Dir(c.Path))
	if err != nil {
		return nil, false
	}
	if path, err = filepath.Abs(path); err != nil {
		return nil, false
	}
	name, err := filepath.Rel(folder, path)
	if err != nil || name == "." || !filepath.IsLocal(name) {
		return nil, false
	}
	return strings.Split(filepath.ToSlash(name), "/"), true
}

func readExclude(c *Config, n *yaml.Node) (err *Error) {
	if err := fewEnough(n, len(n.Content)); err != nil {
		return err
	}
	c.Exclude, err = keyfile.List(n, "patterns", readPattern)
	return err
}

func fewEnough(n *yaml.Node, patterns int) *Error {
	if err := tooMany(patterns); err != nil {
		return keyfile.Fault(n, err.Error())
	}
	return nil
}

func tooMany(patterns int) error {
	if patterns <= MaxPatterns {
		return nil
	}
	return fmt.Errorf("%d patterns, expected at most %d", patterns, MaxPatterns)
}

// Excluding returns the configuration of the current folder that excludes patterns and says nothing else.
func Excluding(patterns []string) (c Config, err error) {
	c.Path = Name
	if err := tooMany(len(patterns)); err != nil {
		return c, err
	}
	for _, text := range patterns {
		p, err := newPattern(Entry{Text: text})
		if err != nil {
			return c, err
		}
		c.Exclude = append(c.Exclude, p)
	}
	return c, nil
}

func newPattern(e Entry) (Pattern, error) {
	if len(e.Text) > MaxPatternBytes {
		return Pattern{}, fmt.Errorf("pattern of %d bytes, expected at most %d", len(e.Text), MaxPatternBytes)
	}
	parsed, fault := glob.Parse(e.Text)
	if fault != nil {
		return Pattern{}, fmt.Errorf("pattern %s %w", say.Quoted(e.Text), fault)
	}
	return Pattern{e, parsed}, nil
}

func readPattern(p *Pattern, n *yaml.Node) *Error {
	word, err := keyfile.Word(n)
	if err != nil {
		return err
	}
	parsed, fault := newPattern(*word)
	if fault != nil {
		return keyfile.Fault(n, fault.Error())
	}
	*p = parsed
	return nil
}

func readFileIgnores(n *yaml.Node) (list []FileIgnores, err *Error) {
	if n.Kind != yaml.MappingNode || len(n.Content) == 0 {
		return nil, keyfile.Fault(n, "expected a mapping of patterns to rules")
	}
	if err := fewEnough(n, len(n.Content)/2); err != nil {
		return nil, err
	}
	seen := map[string]bool{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		var f FileIgnores
		if err := readPattern(&f.Pattern, n.Content[i]); err != nil {
			return nil, err
		}
		if seen[f.Pattern.Text] {
			return nil, keyfile.Fault(n.Content[i], fmt.Sprintf("pattern %s occurs twice", say.Quoted(f.Pattern.Text)))
		}
		seen[f.Pattern.Text] = true
		if f.Rules, err = keyfile.Words(n.Content[i+1]); err != nil {
			return nil, err
		}
		list = append(list, f)
	}
	return list, nil
}

var pairKeys = []keyfile.Key[Pair]{
	{Name: "suite", Read: func(p *Pair, n *yaml.Node) *Error { return readPath(&p.Suite, n) }},
	{Name: "traces", Read: func(p *Pair, n *yaml.Node) (err *Error) {
		p.Traces, err = keyfile.List(n, "paths", readPath)
		return err
	}},
}

func readPair(p *Pair, n *yaml.Node) *Error {
	if err := keyfile.Mapping(p, n, pairKeys); err != nil {
		return err
	}
	p.At = Entry{Line: n.Line, Column: n.Column}
	switch {
	case p.Suite.Text == "":
		return keyfile.Fault(n, `the pair has no key "suite"`)
	case p.Traces == nil:
		return keyfile.Fault(n, `the pair has no key "traces"`)
	}
	return nil
}

// readPath reads a path or pattern that must not lead out of the folder.
func readPath(e *Entry, n *yaml.Node) *Error {
	word, err := keyfile.Word(n)
	if err != nil {
		return err
	}
	if !filepath.IsLocal(filepath.FromSlash(word.Text)) {
		return keyfile.Fault(n, fmt.Sprintf("path %s leads out of the configuration file's folder", say.Quoted(word.Text)))
	}
	*e = *word
	return nil
}
