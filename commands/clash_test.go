//go:build unix

package commands

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/urfave/cli/v2"

	"github.com/cupel-dev/cupel/commands/internal/app"
	"github.com/cupel-dev/cupel/commands/internal/cmdline"
	"github.com/cupel-dev/cupel/internal/racetest"
)

// namesFile matches the placeholder of a file in a flag's usage.
var namesFile = regexp.MustCompile("`[^`]*\\b(FILE|PATH)\\b[^`]*`")

// writingLeaves returns the commands that write files which flags name: reports and documents.
func writingLeaves() []cmdline.Leaf {
	return slices.DeleteFunc(cmdline.Leaves("", newApp(cmdline.Env{}).Commands), func(l cmdline.Leaf) bool { return len(writers(l)) == 0 })
}

// reports reports whether --format takes a file.
func reports(l cmdline.Leaf) bool {
	return slices.ContainsFunc(l.Flags, func(f cli.Flag) bool { return f.Names()[0] == "format" && cmdline.IsRepeatable(f) })
}

// TestFileFlags: every flag that names a file is one of those that are compared.
func TestFileFlags(t *testing.T) {
	seen := 0
	for _, l := range writingLeaves() {
		for _, f := range l.Flags {
			name := f.Names()[0]
			known := slices.ContainsFunc(app.FileFlags, func(x app.FileFlag) bool { return x.Name == name })
			usage := f.(cli.DocGenerationFlag).GetUsage()
			if name == "checkpoint" && (l.Name == "trace seal" || l.Name == "record") {
				continue // names an origin
			}
			if known = known && !cmdline.IsSwitch(f) && (name != "format" || reports(l)); namesFile.MatchString(usage) != known && name != "stdin-name" {
				t.Errorf("%s --%s: %q; compared: %v", l.Name, name, usage, known)
			}
			if known {
				seen++
			}
		}
	}
	if seen == 0 {
		t.Fatal("no flags")
	}
}

// snapshot returns the content of every file below the current folder.
func snapshot(t *testing.T) map[string]string {
	t.Helper()
	files := map[string]string{}
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		if info, err := os.Stat(path); err != nil || info.IsDir() { // a link
			files[path], err = os.Readlink(path)
			return err
		}
		text, err := os.ReadFile(path)
		files[path] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// alias is another name for the file "x".
type alias struct {
	title string
	make  func() error // next to x
	name  string
}

// aliases returns the ways to name the file "x" of a folder. All but the first two need it to
// be there.
func aliases(dir string) []alias {
	nothing := func() error { return nil }
	return []alias{
		{"the same name", nothing, "x"},
		{"another way", nothing, dir + "/./x"},
		{"a link", func() error { return os.Symlink("x", "other") }, "other"},
		{"a link to a link", func() error { return os.Symlink(dir+"/other", "more") }, "more"},
		{"a hard link", func() error { return os.Link("x", "hard") }, "hard"},
		{"a linked folder", func() error { return os.Symlink(".", "in") }, "in/x"},
	}
}

// writers and readers are the ways in which a command line names a file.
func writers(l cmdline.Leaf) (list []string) {
	if reports(l) {
		list = append(list, "--format=json=", "--format=text=")
	}
	for _, name := range []string{"write-baseline", "state", "output", "report"} {
		if slices.Contains(cmdline.FlagNames(l.Command), name) {
			list = append(list, "--"+name+"=")
		}
	}
	return list
}

func readers(l cmdline.Leaf) (list []string) {
	if l.ArgsUsage != "" {
		list = append(list, "") // an operand
	}
	for _, f := range app.FileFlags {
		named := slices.IndexFunc(l.Flags, func(g cli.Flag) bool { return slices.Contains(g.Names(), f.Name) })
		if !f.Write && named >= 0 && !cmdline.IsSwitch(l.Flags[named]) { // --check names a file for some commands, and is a switch for others
			list = append(list, map[bool]string{true: "--limits=@", false: "--" + f.Name + "="}[f.Name == "limits"])
		}
	}
	return list
}

// TestEveryClash gives every command that writes one file, by two names, for each two
// purposes of which one is to write it: exit code 2, the error names both, and nothing in
// the folder has changed, whether the file was there or not.
func TestEveryClash(t *testing.T) {
	tried, pairs, step := 0, 0, racetest.Step(t)
	for _, l := range writingLeaves() {
		for _, w := range writers(l) {
			for _, r := range append(readers(l), writers(l)...) {
				single := r == w && !strings.HasPrefix(r, "--format")
				if single || w == "--write-baseline=" && r == "--baseline=" {
					continue
				}
				if pairs++; pairs%step != 0 {
					continue
				}
				tried += clashEverywhere(t, l, w, r)
			}
		}
	}
	if tried == 0 {
		t.Fatal("nothing tried")
	}
	t.Logf("%d command lines", tried)
}

func clashEverywhere(t *testing.T, l cmdline.Leaf, w, r string) (tried int) {
	t.Helper()
	for _, there := range []bool{true, false} {
		dir := t.TempDir()
		t.Chdir(dir)
		if there {
			if err := os.WriteFile("x", []byte("{}\n"), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		for i, s := range aliases(dir) {
			if !there && i > 1 {
				break
			}
			if err := s.make(); err != nil {
				t.Fatal(err)
			}
			for _, mistake := range [][]string{nil, {"--no-such-flag"}} {
				if mistake != nil && !reports(l) {
					continue // nothing is written that could say so
				}
				before := snapshot(t)
				args := append(append(strings.Fields(l.Name), mistake...), w+s.name, r+"x")
				code, stdout, stderr := runHere(t, args...)
				if diff := cmp.Diff(before, snapshot(t)); diff != "" || code != 2 {
					t.Fatalf("cupel %q, %s, there: %v: exit code %d, and the folder has changed:\n%s%s%s", args, s.title, there, code, diff, stdout, stderr)
				}
				if !strings.Contains(stderr, "are the same file\n") || strings.Count(stderr, "\n") != 2 {
					t.Fatalf("cupel %q, %s, there: %v: %s", args, s.title, there, stderr)
				}
				tried++
			}
		}
	}
	return tried
}

// TestNoClash: what may be one file is not refused.
func TestNoClash(t *testing.T) {
	t.Chdir(t.TempDir())
	log, err := os.ReadFile("/dev/null")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile("log.jsonl", log, 0o666); err != nil {
		t.Fatal(err)
	}
	for _, args := range []string{
		"trace verify --write-baseline b log.jsonl", "trace verify --baseline b --write-baseline b log.jsonl", "trace verify --baseline b --write-baseline ./b log.jsonl",
		"trace verify --format json=/dev/null --format sarif=/dev/null log.jsonl", "trace verify --format json=/dev/null /dev/null",
		"trace verify --format json=o --format sarif=p log.jsonl", "trace verify --format json=o --format sarif=p .",
	} {
		if _, _, stderr := runHere(t, strings.Fields(args)...); strings.Contains(stderr, "same file") {
			t.Errorf("cupel %s: %s", args, stderr)
		}
	}
}

// TestLateClash checks that files from a walk, a pattern, a list, a run or a search are also protected, and that the
// error names them.
func TestLateClash(t *testing.T) {
	examples, err := filepath.Abs("../testdata")
	if err != nil {
		t.Fatal(err)
	}
	for args, named := range map[string]string{
		"trace verify --format json=run/trace.jsonl .":                       `the input "run/trace.jsonl"`,
		"trace verify --format json=run/trace.jsonl r*n":                     `the input "run/trace.jsonl"`,
		"trace verify --write-baseline run/trace.jsonl run":                  `the input "run/trace.jsonl"`,
		"trace verify --format json=run/plan.json run":                       `the file "plan.json"`,
		"trace verify --manifest --format json=run/manifest.json run":        `the file "manifest.json"`,
		"trace verify --format junit=run/evidence/ev-ticket.txt run":         `the file "evidence/ev-ticket.txt"`,
		"trace verify --format json=link run":                                `the file "evidence/ev-runbook.txt"`,
		"trace verify --format json=run/kept.txt run":                        `the file "evidence/ev-import-log.txt"`,
		"evidence hash --format json=run.ndjson -c SUMS":                     `the input "run.ndjson"`,
		"oatf lint --format json=doc/cupel.yaml doc":                         `the configuration "`,
		"oatf lint --format json=doc/blind.yaml":                             `the input "doc/blind.yaml"`,
		"oatf conformance --format json=suite/parse/valid/phases.yaml suite": `the file "parse/valid/phases.yaml"`,
		"oatf eval --format json=doc/blind.yaml doc --trace captures":        `the input "doc/blind.yaml"`,
		"oatf eval --format json=captures/run.jsonl doc --trace captures":    `the input "captures/run.jsonl"`,
		"attest eval --assertions suite.yaml --format json=a/refund.json a":  `the input "a/refund.json"`,
	} {
		t.Run(args, func(t *testing.T) {
			t.Chdir(t.TempDir())
			for from, to := range map[string]string{
				"examples/trace/incident": "run", "examples/evidence/run.ndjson": "run.ndjson", "examples/evidence/SUMS": "SUMS", "examples/oatf/blind.yaml": "doc/blind.yaml", "examples/oatf/rug-pull-refused.jsonl": "captures/run.jsonl",
				"oatf/conformance": "suite", "examples/attest/refund-suite.yaml": "suite.yaml", "examples/attest/refund.json": "a/refund.json",
			} {
				copyTree(t, filepath.Join(examples, from), to)
			}
			if err := os.WriteFile("doc/cupel.yaml", []byte("ignore: [W-004]\n"), 0o666); err != nil {
				t.Fatal(err)
			}
			if err := os.Link("run/evidence/ev-runbook.txt", "link"); err != nil {
				t.Fatal(err)
			}
			const linked = "run/evidence/ev-import-log.txt"
			if err := errors.Join(os.Rename(linked, "run/kept.txt"), os.Symlink("../kept.txt", linked)); err != nil {
				t.Fatal(err)
			}
			before := snapshot(t)
			code, stdout, stderr := runHere(t, strings.Fields(args)...)
			if diff := cmp.Diff(before, snapshot(t)); diff != "" || code != 2 {
				t.Errorf("exit code %d, and the folder has changed:\n%s%s%s", code, diff, stdout, stderr)
			}
			if code, _, stderr := runHere(t, append(strings.Fields(args), "--color=blue")...); code != 2 || strings.Contains(stderr, "same file") {
				t.Errorf("with another mistake: exit code %d\n%s", code, stderr)
			}
			if diff := cmp.Diff(before, snapshot(t)); diff != "" {
				t.Errorf("with another mistake the folder has changed:\n%s", diff)
			}
			if want := named; !strings.Contains(stderr, want) || !strings.Contains(stderr, "are the same file\n") {
				t.Errorf("the error does not name %s:\n%s", want, stderr)
			}
		})
	}
}

func copyTree(t *testing.T, from, to string) {
	t.Helper()
	err := filepath.WalkDir(from, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		rel, _ := filepath.Rel(from, path)
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		name := filepath.Join(to, rel)
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			return err
		}
		return os.WriteFile(name, text, 0o666)
	})
	if err != nil {
		t.Fatal(fmt.Errorf("copying %s: %w", from, err))
	}
}
