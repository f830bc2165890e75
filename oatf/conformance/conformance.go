// Package conformance runs the fixtures of an OATF conformance suite against package
// oatf and says of each case whether it holds.
//
// A suite is a folder of YAML files. Two forms are cases:
//
//	parse/valid/NAME.yaml, parse/invalid/NAME.yaml   a document that must or must not parse
//	KIND/NAME.yaml                                   a list of {name, id, input, expected}
//
// where KIND/NAME decides what input and expected mean; see runners. Files called
// *.meta.yaml describe other files and are no cases.
package conformance

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"

	"github.com/cupel-dev/cupel/internal/source"
	"github.com/cupel-dev/cupel/oatf"
)

// Case is one case and how it ended.
type Case struct {
	ID    string // of a parse document its path: "parse/invalid/empty-file"
	Suite string // the file's path without extension: "validate/suite"
	Kind  string // what kind of fixture it is, the last folder and the name of its file; of a parse document "parse/valid" or "parse/invalid"
	Name  string // what the case is about; "" for parse documents

	Pass     bool
	Expected string // of long answers the part where the two begin to differ, with … at the ends
	Got      string // Unsupported when this kind of fixture cannot be run

	// KnownFault says what is wrong with the fixture itself when that is why the case does
	// not hold; "" otherwise.
	KnownFault string
}

// Unsupported is what a case got whose kind cannot be run. It is a result of its own: such
// a case has neither held nor failed.
const Unsupported = "unsupported"

// Ran says whether the case could be run.
func (c *Case) Ran() bool { return c.Pass || c.Got != Unsupported }

// Failed says whether the case speaks against the implementation.
func (c *Case) Failed() bool { return c.Ran() && !c.Pass && c.KnownFault == "" }

// ErrNoCases is the error of a run that found nothing to run.
var ErrNoCases = errors.New("found no conformance cases")

// Run runs every case below the suite's root, in the order of the paths, and hands
// each to report. A file that cannot be read as fixtures ends the run with an error,
// and so does an error of report; a root without cases gives ErrNoCases.
func Run(root fs.FS, report func(Case) error) error {
	count := 0
	err := fs.WalkDir(root, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !isFixture(name) {
			return err
		}
		cases, err := runFile(root, name)
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

func isFixture(name string) bool {
	stem, extension := stemOf(name)
	return (extension == ".yaml" || extension == ".yml") && !strings.HasSuffix(stem, ".meta")
}

func stemOf(name string) (stem, extension string) {
	extension = path.Ext(name)
	return strings.TrimSuffix(name, extension), extension
}

// readFile reads a fixture, which is no larger than a document may be.
func readFile(root fs.FS, name string) ([]byte, error) {
	f, err := root.Open(name)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }() // opened for reading: nothing can be lost
	return source.ReadAll(f, oatf.DefaultMaxBytes)
}

func runFile(root fs.FS, name string) ([]Case, error) {
	text, err := readFile(root, name)
	if err != nil {
		return nil, err
	}
	suite, _ := stemOf(name)
	folder, file := path.Split(suite)
	if folder = path.Base(folder); folder == "valid" || folder == "invalid" {
		c := parseCase(suite, text, folder == "valid")
		c.Kind = "parse/" + folder
		return []Case{c}, nil
	}
	run := runnerOf(folder, file)
	list, err := readCases(text)
	if err != nil {
		return nil, err
	}
	cases := make([]Case, len(list))
	for i, f := range list {
		cases[i] = Case{ID: f.id, Suite: suite, Kind: path.Join(folder, file), Name: f.name}
		cases[i].hold(run, f)
	}
	return cases, nil
}

// hold runs a fixture. When it does not hold, that may be its own fault.
func (c *Case) hold(run runner, f fixture) {
	run(c, f)
	if c.Failed() {
		c.KnownFault = knownFault(f)
	}
	c.Expected, c.Got = shortened(c.Expected, c.Got)
}

// fixture is one entry of a suite file.
type fixture struct {
	name, id        string
	input, expected oatf.Value
	errorKind       string     // which error is expected; "" is any
	diagnostics     oatf.Value // the codes of the expected diagnostics, a list; nil is any
}

func readCases(text []byte) ([]fixture, error) {
	value, err := oatf.ParseValue(text)
	if err != nil {
		return nil, err
	}
	list, ok := value.([]oatf.Value)
	if !ok {
		return nil, errors.New("not a list of cases")
	}
	cases := make([]fixture, len(list))
	for i, item := range list {
		entry, _ := item.(oatf.Object)
		f := fixture{name: textOf(entry, "name"), id: textOf(entry, "id"), errorKind: textOf(entry, "expected_error_kind")}
		var hasInput, hasExpected bool
		f.input, hasInput = entry.Get("input")
		f.expected, hasExpected = entry.Get("expected")
		f.diagnostics, _ = entry.Get("expected_diagnostics")
		if f.id == "" || !hasInput || !hasExpected {
			return nil, fmt.Errorf("case %d lacks id, input or expected", i+1)
		}
		cases[i] = f
	}
	return cases, nil
}

// textOf returns the member of an object when it is a string.
func textOf(o oatf.Object, key string) string {
	v, _ := o.Get(key)
	s, _ := v.(string)
	return s
}
