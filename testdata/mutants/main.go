// Mutants asks how much the tests of a package notice: it makes small changes to the
// package's code, one at a time, runs the package's own tests on each, and prints the
// changes that no test minded.
//
//	go run ./testdata/mutants [-n 40] [-seed 1] [-tags TAGS] [-timeout 0] [-files FILE,…] [-also PACKAGE,…] PACKAGE…
//
//	survived internal/jcs/members.go:67:13: > becomes >=
//	internal/jcs: 40 mutants, 38 killed, 2 survived
//
// -files changes only the files of a package that it names.
//
// -also names further packages whose tests are run on what the package's own tests let
// through, so that one sees what they alone notice:
//
//	killed by trace/internal/naive alone trace/internal/session/link.go:33:5: the condition is negated
//
// A survivor is a test that is missing, code that is not needed, or a change that changes
// nothing (a table that becomes larger, a shortcut that is not taken). Which one, a person
// has to say. The tree itself is not touched: each change is an overlay of the build.
//
// The same seed draws the same changes from the same code.
package main

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

func main() {
	n := flag.Int("n", 40, "mutants of each package; 0: all")
	seed := flag.Uint64("seed", 1, "what draws the sample")
	tags := flag.String("tags", "", "build tags")
	timeout := flag.Duration("timeout", 0, "time for the tests of one mutant; 0: ten times what they take without")
	files := flag.String("files", "", "comma-separated names of the files that are changed, in each package; none: all")
	also := flag.String("also", "", "comma-separated packages whose tests are run on what survives")
	flag.Parse()
	if flag.NArg() == 0 {
		fmt.Fprintln(os.Stderr, "usage: mutants [-n 40] [-seed 1] [-tags TAGS] [-timeout 0] [-files FILE,…] [-also PACKAGE,…] PACKAGE…")
		os.Exit(2)
	}
	s := sampling{out: os.Stdout, n: *n, seed: *seed, tags: *tags, timeout: *timeout}
	if *files != "" {
		s.files = strings.Split(*files, ",")
	}
	if err := s.all(*also, flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, "mutants:", err)
		os.Exit(2)
	}
}

// pkg is a package as printed by go list.
type pkg struct {
	ImportPath, Dir           string
	GoFiles                   []string
	TestGoFiles, XTestGoFiles []string
	Module                    struct{ Path string }
}

// name is the package's path within the module.
func (p pkg) name() string { return strings.TrimPrefix(p.ImportPath, p.Module.Path+"/") }

// sampling tries mutants of packages.
type sampling struct {
	out     io.Writer
	n       int // mutants of each package; 0: all
	seed    uint64
	tags    string
	timeout time.Duration
	files   []string // that are changed; nil: all of a package
	also    []tests  // what is asked about survivors
}

// all tries mutants of the packages that match patterns. The tests of packages that match also are run on
// survivors; "" means none.
func (s *sampling) all(also string, patterns []string) error {
	if also != "" {
		more, err := s.list(strings.Split(also, ","))
		if err != nil {
			return err
		}
		for _, p := range more {
			t, err := s.testsOf(p)
			if err != nil {
				return err
			}
			s.also = append(s.also, t)
		}
	}
	packages, err := s.list(patterns)
	for _, p := range packages {
		if err == nil {
			err = s.one(p)
		}
	}
	return err
}

func (s *sampling) list(patterns []string) (packages []pkg, err error) {
	out, err := command(append([]string{"list", "-tags", s.tags, "-json"}, patterns...)...).Output()
	if err != nil {
		return nil, fmt.Errorf("go list: %w", err)
	}
	for dec := json.NewDecoder(strings.NewReader(string(out))); dec.More(); {
		var p pkg
		if err := dec.Decode(&p); err != nil {
			return nil, err
		}
		if len(p.TestGoFiles)+len(p.XTestGoFiles) > 0 {
			packages = append(packages, p)
		} else if len(p.GoFiles) > 0 {
			fmt.Fprintf(s.out, "%s: no tests of its own\n", p.name())
		}
	}
	return packages, nil
}

// one tries mutants of a package and prints the results.
func (s *sampling) one(p pkg) error {
	sites, err := sitesOf(p, s.files)
	if err != nil {
		return err
	}
	own, err := s.testsOf(p)
	if err != nil {
		return err
	}
	c := counts{alone: make([]int, len(s.also))}
	for _, at := range shuffled(sites, s.seed) {
		if c.tried == s.n && s.n > 0 {
			break
		}
		if err := s.try(p, own, at, &c); err != nil {
			return err
		}
	}
	others := ""
	for i, n := range c.alone {
		others += fmt.Sprintf(", %d killed by %s alone", n, s.also[i].of.name())
	}
	fmt.Fprintf(s.out, "%s: %d mutants of %d, %d killed%s, %d survived\n", p.name(), c.tried, len(sites), c.killed, others, c.survived)
	return nil
}

// counts are the results of a package's mutants.
type counts struct {
	tried, killed, survived int
	alone                   []int // killed by each of the other packages' tests
}

// try tries one mutant. A mutant that does not compile is not counted.
func (s *sampling) try(p pkg, own tests, at site, c *counts) error {
	outcome, err := own.on(p, at)
	if err != nil || outcome == unbuilt {
		return err
	}
	c.tried++
	if outcome == killed {
		c.killed++
		return nil
	}
	i, err := s.noticed(p, at)
	switch {
	case err != nil:
		return err
	case i < 0:
		c.survived++
		fmt.Fprintf(s.out, "survived %s/%s\n", p.name(), at)
	default:
		c.alone[i]++
		fmt.Fprintf(s.out, "killed by %s alone %s/%s\n", s.also[i].of.name(), p.name(), at)
	}
	return nil
}

// noticed returns the index of the first other package whose tests fail on a mutant, or -1.
func (s *sampling) noticed(p pkg, at site) (int, error) {
	for i := range s.also {
		if outcome, err := s.also[i].on(p, at); err != nil || outcome == killed {
			return i, err
		}
	}
	return -1, nil
}

type outcome int

const (
	killed outcome = iota
	survivor
	unbuilt
)

type tests struct {
	of      pkg
	tags    string
	timeout time.Duration // for one mutant
}

// testsOf runs the tests of an unchanged package, which must pass. Their duration determines the timeout for
// mutants.
func (s *sampling) testsOf(p pkg) (tests, error) {
	t := tests{of: p, tags: s.tags, timeout: s.timeout}
	start := time.Now()
	if out, err := t.run(10 * time.Minute); err != nil {
		return t, fmt.Errorf("the tests of %s fail as it is:\n%s", p.name(), out)
	}
	if t.timeout == 0 {
		t.timeout = 10*time.Since(start) + 5*time.Second
	}
	return t, nil
}

// on runs the tests on a mutant of a package. A timeout counts as killed.
func (t *tests) on(p pkg, s site) (outcome, error) {
	dir, err := os.MkdirTemp("", "mutant")
	if err != nil {
		return killed, err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	overlay, err := s.overlay(p.Dir, dir)
	if err != nil {
		return killed, err
	}
	out, err := t.run(t.timeout, "-overlay", overlay)
	var exit *exec.ExitError
	switch {
	case err == nil:
		return survivor, nil
	case !errors.As(err, &exit):
		return killed, err
	case strings.Contains(out, "[build failed]"):
		return unbuilt, nil
	}
	return killed, nil
}

func (t *tests) run(limit time.Duration, flags ...string) (output string, err error) {
	args := append([]string{"test", "-tags", t.tags, "-vet=off", "-count=1", "-failfast", "-timeout", limit.String()}, flags...)
	out, err := command(append(args, t.of.ImportPath)...).CombinedOutput()
	return string(out), err
}

func command(args ...string) *exec.Cmd { return exec.Command("go", args...) }

// overlay writes the changed file and the description of the overlay into dir.
func (s site) overlay(packageDir, dir string) (name string, err error) {
	original := filepath.Join(packageDir, s.file)
	text, err := os.ReadFile(original)
	if err != nil {
		return "", err
	}
	changed := filepath.Join(dir, s.file)
	if err := os.WriteFile(changed, s.apply(text), 0o600); err != nil {
		return "", err
	}
	description, err := json.Marshal(map[string]any{"Replace": map[string]string{original: changed}})
	if err != nil {
		return "", err
	}
	name = filepath.Join(dir, "overlay.json")
	return name, os.WriteFile(name, description, 0o600)
}
