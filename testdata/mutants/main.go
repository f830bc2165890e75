// Mutants asks how much the tests of a package notice: it makes small changes to the
// package's code, one at a time, runs the package's own tests on each, and prints the
// changes that no test minded.
//
//	go run ./testdata/mutants [-n 40] [-seed 1] [-tags TAGS] [-timeout 0] PACKAGE…
//
//	survived internal/jcs/members.go:67:13: > becomes >=
//	internal/jcs: 40 mutants, 38 killed, 2 survived
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
	flag.Parse()
	if flag.NArg() == 0 {
		fmt.Fprintln(os.Stderr, "usage: mutants [-n 40] [-seed 1] [-tags TAGS] [-timeout 0] PACKAGE…")
		os.Exit(2)
	}
	packages, err := list(*tags, flag.Args())
	for _, p := range packages {
		if err == nil {
			err = sample(p, tests{tags: *tags, timeout: *timeout}, *n, *seed)
		}
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "mutants:", err)
		os.Exit(2)
	}
}

// pkg is a package as go list describes it.
type pkg struct {
	ImportPath, Dir           string
	GoFiles                   []string
	TestGoFiles, XTestGoFiles []string
	Module                    struct{ Path string }
}

// name is the package's path within the module.
func (p pkg) name() string { return strings.TrimPrefix(p.ImportPath, p.Module.Path+"/") }

// list returns the packages that patterns stand for and that have tests.
func list(tags string, patterns []string) (packages []pkg, err error) {
	out, err := command(append([]string{"list", "-tags", tags, "-json"}, patterns...)...).Output()
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
			fmt.Printf("%s: no tests of its own\n", p.name())
		}
	}
	return packages, nil
}

// sample tries n mutants of a package and prints what became of them.
func sample(p pkg, t tests, n int, seed uint64) error {
	sites, err := sitesOf(p)
	if err != nil {
		return err
	}
	if err := t.measure(p); err != nil {
		return err
	}
	var tried, survived int
	for _, s := range shuffled(sites, seed) {
		if tried == n && n > 0 {
			break
		}
		outcome, err := t.on(p, s)
		if err != nil {
			return err
		}
		if outcome == unbuilt {
			continue // the compiler is no test: draw another one
		}
		tried++
		if outcome == survivor {
			survived++
			fmt.Printf("survived %s/%s\n", p.name(), s)
		}
	}
	fmt.Printf("%s: %d mutants of %d, %d killed, %d survived\n", p.name(), tried, len(sites), tried-survived, survived)
	return nil
}

// outcome is what became of a mutant.
type outcome int

const (
	killed outcome = iota
	survivor
	unbuilt
)

// tests runs the tests of a package.
type tests struct {
	tags    string
	timeout time.Duration
}

// measure runs the tests of the unchanged package, which have to pass, and from the time
// they take derives the time that those of a mutant get.
func (t *tests) measure(p pkg) error {
	start := time.Now()
	if out, err := t.run(p, 10*time.Minute); err != nil {
		return fmt.Errorf("the tests of %s fail as it is:\n%s", p.name(), out)
	}
	if t.timeout == 0 {
		t.timeout = 10*time.Since(start) + 5*time.Second
	}
	return nil
}

// on runs them on a mutant. One that they cannot finish on is killed: it was noticed.
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
	out, err := t.run(p, t.timeout, "-overlay", overlay)
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

func (t *tests) run(p pkg, limit time.Duration, flags ...string) (output string, err error) {
	args := append([]string{"test", "-tags", t.tags, "-vet=off", "-count=1", "-failfast", "-timeout", limit.String()}, flags...)
	out, err := command(append(args, p.ImportPath)...).CombinedOutput()
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
