// Package config reads cupel.yaml, the configuration of a project: what to check and how, which findings to show, the
// privacy of events, the OATF revision of documents, and the suites for traces:
//
//	exclude: [legacy/**]  # files that a walk leaves out: patterns as in .gitignore
//	select: [V-, W-001]   # only these rules (ids or prefixes of them)
//	ignore: [W-004]       # not these
//	per-file-ignores:     # nor these, in the files of a pattern
//	  drafts/**: [W-]
//	fail-on: warning      # exit code 1 from this severity on
//	strict: true          # as --strict
//	require: [chain, end] # for each log and evidence input, in addition to --require
//	evidence:
//	  classes:            # the public, sensitive and forbidden members of events
//	    - {type: assay.tool.decision, pointer: /data/args/**, class: public}
//	oatf:
//	  revision: 2026-03   # of all documents, whatever their marks
//	attest:
//	  pairs:              # a suite and the traces that it is evaluated on
//	    - {suite: suites/billing.yaml, traces: [traces/billing/**/*.json]}
//
// Patterns and paths are relative to the file's folder. The file is optional. An unknown key is an error: a mistyped
// "ignroe" must not silently change the checks.
package config

import (
	"context"
	"crypto/sha256"
	"errors"
	"io"
	"io/fs"
	"path/filepath"

	"go.yaml.in/yaml/v4"

	"github.com/cupel-dev/cupel/internal/door"
	"github.com/cupel-dev/cupel/internal/keyfile"
	"github.com/cupel-dev/cupel/internal/source"
)

// Name is the file name.
const Name = "cupel.yaml"

// MaxBytes limits the file.
const MaxBytes = 1 << 20

// Config is the content of a file. Absent members are nil.
type Config struct {
	Path           string
	Exclude        []Pattern
	Select, Ignore []Entry
	PerFileIgnores []FileIgnores
	FailOn         *Entry
	Strict         *Flag
	Require        []Entry         // of records: what each must have, as --require
	Classes        []keyfile.Class // evidence: privacy classes of event members
	Revision       *Entry          // oatf: revision to read documents as
	Pairs          []Pair          // attest: suites and their traces

	Bytes  int64    // of the text
	SHA256 [32]byte // of the text

	Withheld []keyfile.Class // rows of evidence.classes that do not apply, because the file was found and not named
}

type Entry = keyfile.Entry

type Flag = keyfile.Flag

// Error is an error in the file.
type Error = keyfile.Error

// Place is the location of a discovered file. Path is opened below Root, which a symbolic link cannot leave.
type Place struct{ Root, Path string }

func Find(dir string) (at Place, err error) {
	dir, err = filepath.Abs(dir)
	if err != nil {
		return at, err
	}
	top, repository, err := topOf(dir)
	if err != nil {
		return at, err
	}
	for d := dir; ; d = filepath.Dir(d) {
		if path := filepath.Join(d, Name); exists(path) {
			if !repository {
				top = d
			}
			return Place{Root: top, Path: path}, nil
		}
		if d == top {
			return at, nil
		}
	}
}

// Top returns the topmost folder whose file applies to dir: the repository root (the folder with
// .git). Outside a repository it is the current folder if dir is below it, else dir, to ignore
// files of other users in shared parent folders.
func Top(dir string) (string, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	top, _, err := topOf(dir)
	return top, err
}

// topOf is Top for an absolute path and reports whether top is a repository root.
func topOf(dir string) (top string, repository bool, err error) {
	for d := dir; ; d = filepath.Dir(d) {
		if exists(filepath.Join(d, ".git")) {
			return d, true, nil
		}
		if d == filepath.Dir(d) {
			break
		}
	}
	here, err := filepath.Abs(".")
	if err != nil {
		return "", false, err
	}
	if below, err := filepath.Rel(here, dir); err == nil && filepath.IsLocal(below) {
		return here, false, nil
	}
	return dir, false, nil
}

// exists reports whether path exists; a dangling link counts.
func exists(path string) bool {
	_, err := door.Lstat(path)
	return !errors.Is(err, fs.ErrNotExist)
}

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

// Load reads and parses a file that the user named, possibly a pipe. Waiting ends with ctx.
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

var keys = []keyfile.Key[Config]{
	{Name: "exclude", Read: readExclude},
	{Name: "select", Read: func(c *Config, n *yaml.Node) (err *Error) { c.Select, err = keyfile.Words(n); return err }},
	{Name: "ignore", Read: func(c *Config, n *yaml.Node) (err *Error) { c.Ignore, err = keyfile.Words(n); return err }},
	{Name: "per-file-ignores", Read: func(c *Config, n *yaml.Node) (err *Error) { c.PerFileIgnores, err = readFileIgnores(n); return err }},
	{Name: "fail-on", Read: func(c *Config, n *yaml.Node) (err *Error) { c.FailOn, err = keyfile.Word(n); return err }},
	{Name: "strict", Read: func(c *Config, n *yaml.Node) (err *Error) { c.Strict, err = keyfile.Switch(n); return err }},
	{Name: "require", Read: func(c *Config, n *yaml.Node) (err *Error) { c.Require, err = keyfile.Words(n); return err }},
	{Name: "evidence", Read: func(c *Config, n *yaml.Node) *Error { return keyfile.Mapping(c, n, evidenceKeys) }},
	{Name: "oatf", Read: func(c *Config, n *yaml.Node) *Error { return keyfile.Mapping(c, n, oatfKeys) }},
	{Name: "attest", Read: func(c *Config, n *yaml.Node) *Error { return keyfile.Mapping(c, n, attestKeys) }},
}

var evidenceKeys = []keyfile.Key[Config]{
	{Name: "classes", Read: func(c *Config, n *yaml.Node) (err *Error) { c.Classes, err = keyfile.Classes(n); return err }},
}

var oatfKeys = []keyfile.Key[Config]{
	{Name: "revision", Read: func(c *Config, n *yaml.Node) (err *Error) { c.Revision, err = keyfile.Word(n); return err }},
}

var attestKeys = []keyfile.Key[Config]{
	{Name: "pairs", Read: func(c *Config, n *yaml.Node) (err *Error) {
		c.Pairs, err = keyfile.List(n, "pairs", readPair)
		return err
	}},
}

// Parse parses the text of a file, which can be empty.
func Parse(path string, text []byte) (Config, error) {
	c, err := keyfile.Parse(path, text, keys)
	c.Path, c.Bytes, c.SHA256 = path, int64(len(text)), sha256.Sum256(text)
	return c, err
}
