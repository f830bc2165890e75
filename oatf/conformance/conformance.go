// Package conformance runs the fixtures of an OATF conformance suite against package oatf.
//
// A suite is a folder of YAML files with two forms of cases:
//
//	parse/valid/NAME.yaml, parse/invalid/NAME.yaml   a document that must or must not parse
//	KIND/NAME.yaml                                   a list of {name, id, input, expected}
//
// KIND/NAME determines the meaning of input and expected; see runners. *.meta.yaml files describe other files.
//
// All cases of a suite run under its revision, detected by Recognize.
package conformance

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"

	"go.yaml.in/yaml/v4"

	"github.com/cupel-dev/cupel/internal/digest"
	"github.com/cupel-dev/cupel/internal/source"
	"github.com/cupel-dev/cupel/oatf"
	"github.com/cupel-dev/cupel/oatf/internal/yamltext"
)

// ErrNoCases is returned if no cases were found.
var ErrNoCases = errors.New("found no conformance cases")

// Run runs all cases below root under a revision, in path order, and passes each to report. It returns an error for
// a file without valid fixtures, an error of report, or ErrNoCases.
func Run(root fs.FS, revision oatf.Revision, report func(Case) error) error {
	s := suite{root: root, under: oatf.Under(revision)}
	count := 0
	err := walk(root, func(name string) error {
		cases, err := s.file(name)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		for _, c := range cases {
			count++
			if err := report(c); err != nil {
				return err
			}
		}
		return nil
	})
	if err == nil && count == 0 {
		return ErrNoCases
	}
	return err
}

// walk calls visit for each file with fixtures, in order.
func walk(root fs.FS, visit func(name string) error) error {
	return fs.WalkDir(root, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !isFixture(name) {
			return err
		}
		return visit(name)
	})
}

type suite struct {
	root  fs.FS
	under oatf.Profile
}

func isFixture(name string) bool {
	stem, extension := stemOf(name)
	return (extension == ".yaml" || extension == ".yml") && !strings.HasSuffix(stem, ".meta")
}

func stemOf(name string) (stem, extension string) {
	extension = path.Ext(name)
	return strings.TrimSuffix(name, extension), extension
}

// readFile reads a fixture of at most the size of a document.
func readFile(root fs.FS, name string) ([]byte, error) {
	f, err := root.Open(name)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }() // opened for reading: nothing can be lost
	return source.ReadAll(f, oatf.DefaultMaxBytes)
}

func (s suite) file(name string) ([]Case, error) {
	text, err := readFile(s.root, name)
	if err != nil {
		return nil, err
	}
	stem, _ := stemOf(name)
	if isDocument(name) {
		c := s.document(stem, text)
		c.File, c.Digest = name, digest.Of(text).String()
		return []Case{c}, nil
	}
	run := runnerOf(s.under.Revision(), kindOf(name))
	list, err := readCases(text)
	if err != nil {
		return nil, err
	}
	cases := make([]Case, len(list))
	for i, f := range list {
		f.under = s.under
		cases[i] = Case{
			ID: f.id, Suite: stem, Kind: kindOf(name), Name: f.name,
			File: name, Line: f.line, Column: f.column, Digest: f.digest,
		}
		cases[i].hold(run, f)
	}
	return cases, nil
}

// isDocument reports whether a file is a document rather than a list of cases.
func isDocument(name string) bool {
	folder := path.Base(path.Dir(name))
	return folder == "valid" || folder == "invalid"
}

// hold runs a fixture. If it fails, it checks for known faults.
func (c *Case) hold(run runner, f fixture) {
	run(c, f)
	if c.Failed() {
		c.KnownFault = knownFault(f)
	}
	c.Expected, c.Got = shortened(c.Expected, c.Got)
}

func readCases(text []byte) ([]fixture, error) {
	source, err := yamltext.ReadAudited(text)
	if err != nil {
		return nil, err
	}
	if source.Root.Kind != yaml.SequenceNode {
		return nil, errors.New("expected a list of cases")
	}
	cases := make([]fixture, len(source.Root.Content))
	for i, item := range source.Root.Content {
		value := yamltext.Value(item)
		entry, _ := value.(oatf.Object)
		f := fixture{name: textOf(entry, "name"), id: textOf(entry, "id"), errorKind: textOf(entry, "expected_error_kind")}
		var hasInput, hasExpected bool
		f.input, hasInput = entry.Get("input")
		f.expected, hasExpected = entry.Get("expected")
		f.diagnostics, _ = entry.Get("expected_diagnostics")
		only, _ := entry.Get("expected_only")
		f.only = only == true
		if f.id == "" || !hasInput || !hasExpected {
			return nil, fmt.Errorf("case %d lacks id, input or expected", i+1)
		}
		f.line, f.column, f.digest = item.Line, item.Column, digestOf(value)
		cases[i] = f
	}
	return cases, nil
}

// kindOf returns the kind of a file's fixtures: its folder and name.
func kindOf(name string) string {
	stem, _ := stemOf(name)
	folder, file := path.Split(stem)
	return path.Join(path.Base(folder), file)
}
