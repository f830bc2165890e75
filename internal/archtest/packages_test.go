package archtest

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.yaml.in/yaml/v4"

	"github.com/cupel-dev/cupel/internal/buildinfo"
)

// release is what .goreleaser.yaml says of the binaries.
type release struct {
	Builds []struct {
		Env, Flags, Tags, Ldflags, Goos, Goarch []string
	}
	Archives []struct {
		Files []struct{ Src string }
	}
}

func readFile(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func readRelease(t *testing.T) (r release) {
	t.Helper()
	if err := yaml.Unmarshal([]byte(readFile(t, ".goreleaser.yaml")), &r); err != nil {
		t.Fatal(err)
	}
	if len(r.Builds) != 1 || len(r.Archives) != 1 {
		t.Fatalf("%d builds, %d archives", len(r.Builds), len(r.Archives))
	}
	return r
}

// TestPlatformsAgree: what is built, packed for pip and npm, and looked for by the action, is one list.
func TestPlatformsAgree(t *testing.T) {
	var built, packed, cased []string
	build := readRelease(t).Builds[0]
	for _, goos := range build.Goos {
		for _, goarch := range build.Goarch {
			built = append(built, goos+"_"+goarch)
		}
	}
	var platforms []struct {
		Goos, Goarch, Wheel, Runner string
		Npm                         []string
	}
	if err := json.Unmarshal([]byte(readFile(t, ".ci/packages/platforms.json")), &platforms); err != nil {
		t.Fatal(err)
	}
	runners := map[string]string{}
	for _, p := range platforms {
		packed = append(packed, p.Goos+"_"+p.Goarch)
		runners[p.Runner] = p.Goos + "_" + p.Goarch
		if p.Wheel == "" || len(p.Npm) != 2 {
			t.Errorf("%s/%s: no wheel or no package of npm", p.Goos, p.Goarch)
		}
	}
	for _, m := range regexp.MustCompile(`(?m)^ +(\w+-\w+)\) platform=(\w+) ;;$`).FindAllStringSubmatch(readFile(t, ".ci/action/install"), -1) {
		cased = append(cased, m[2])
		if runners[m[1]] != m[2] {
			t.Errorf("the action takes %s on %s, expected %q", m[2], m[1], runners[m[1]])
		}
	}
	for _, list := range [][]string{built, packed, cased} {
		slices.Sort(list)
	}
	if diff := cmp.Diff(built, packed) + cmp.Diff(built, cased); diff != "" || len(built) == 0 {
		t.Errorf("of %d platforms (-.goreleaser.yaml +platforms.json or .ci/action/install):\n%s", len(built), diff)
	}
}

// TestReleasesAreBuiltAlike: a release, an image and what is tried by `make packages` are built with the
// same flags, and the Makefile's build with the same tags.
func TestReleasesAreBuiltAlike(t *testing.T) {
	build := readRelease(t).Builds[0]
	setting := "-X " + module + "/internal/buildinfo.Version="
	flags, _, _ := strings.Cut(strings.Join(build.Ldflags, " "), setting)
	for name, words := range map[string][]string{
		"Makefile":           {"TAGS       := " + strings.Join(build.Tags, ","), build.Flags[0], build.Env[0]},
		"Dockerfile":         {"-tags " + strings.Join(build.Tags, ","), build.Flags[0], build.Env[0], flags + setting},
		".ci/packages/build": {"-tags " + strings.Join(build.Tags, ","), build.Flags[0], build.Env[0], flags + setting},
	} {
		text := readFile(t, name)
		for _, word := range words {
			if !strings.Contains(text, word) {
				t.Errorf("%s: no %q, which .goreleaser.yaml has", name, word)
			}
		}
	}
	if !strings.Contains(readFile(t, "internal/buildinfo/buildinfo.go"), fmt.Sprintf("\nvar Version = %q\n", buildinfo.Version)) {
		t.Error("internal/buildinfo: the variable that is set at link time is not there")
	}
	for _, file := range readRelease(t).Archives[0].Files {
		if _, err := os.Stat(file.Src); err != nil {
			t.Error(err)
		}
	}
}

// TestSnippetsNameTheRelease: whatever is copied from the documents gets the release that they are about.
func TestSnippetsNameTheRelease(t *testing.T) {
	named := regexp.MustCompile(`download/v([^/]+)/|cupel-(\d[^-\s]*)-py3|cupel==([0-9][0-9.]*)|cupel@v([\w.-]+)|rev: v(\S+)|cupel_(\d[^_\s]*)_|(?m:^    default: "(\d[^"]*)")|ARG VERSION=(\S+)`)
	n := 0
	for _, name := range []string{"README.md", "docs/install.md", "action.yml", "Dockerfile"} {
		for _, m := range named.FindAllStringSubmatch(readFile(t, name), -1) {
			n++
			if version := strings.Join(m[1:], ""); version != buildinfo.Version {
				t.Errorf("%s: %q, the release is %s", name, m[0], buildinfo.Version)
			}
		}
	}
	if n == 0 {
		t.Fatal("no snippets")
	}
	t.Logf("%d snippets", n)
}

// TestProblemMatcher holds the action's patterns against every finding that a transcript or a golden
// file shows, taken apart by hand.
func TestProblemMatcher(t *testing.T) {
	var matchers struct {
		ProblemMatcher []struct {
			Owner   string
			Pattern []struct {
				Regexp                                      string
				File, Line, Column, Severity, Message, Code int
			}
		}
	}
	if err := json.Unmarshal([]byte(readFile(t, ".ci/action/problem-matcher.json")), &matchers); err != nil {
		t.Fatal(err)
	}
	finding, failure := matchers.ProblemMatcher[0].Pattern[0], matchers.ProblemMatcher[1].Pattern[0]
	pattern := regexp.MustCompile(finding.Regexp)
	if m := regexp.MustCompile(failure.Regexp).FindStringSubmatch(`cupel: error: no such file or directory: "x"`); m == nil || m[failure.Message] != `no such file or directory: "x"` {
		t.Errorf("the pattern of failures takes %q", m)
	}
	if m := pattern.FindStringSubmatch(`C:\a b\c.json:1:2: warning: x: error: y [1] [Z-1]`); m == nil ||
		m[finding.File] != `C:\a b\c.json` || m[finding.Message] != "x: error: y [1]" {
		t.Errorf("the pattern of findings takes %q", m)
	}
	n := 0
	for _, line := range findingLines(t) {
		m := pattern.FindStringSubmatch(line)
		want, annotates := takenApart(line)
		if !annotates {
			if m != nil {
				t.Errorf("%q is no finding, but %q", line, m)
			}
			continue
		}
		n++
		if m == nil {
			t.Errorf("no match: %q", line)
			continue
		}
		got := [6]string{m[finding.File], m[finding.Line], m[finding.Column], m[finding.Severity], m[finding.Message], m[finding.Code]}
		if got != want {
			t.Errorf("%q:\n got %q\nwant %q", line, got, want)
		}
	}
	if n < 50 {
		t.Errorf("%d findings, expected 50 or more", n)
	}
	t.Logf("%d findings", n)
}

// findingLines returns the lines that may be findings in what the tests say cupel prints.
func findingLines(t *testing.T) (lines []string) {
	t.Helper()
	add := func(path string) {
		for line := range strings.Lines(readFile(t, path)) {
			if line = strings.TrimSuffix(line, "\n"); strings.HasSuffix(line, "]") && !strings.HasPrefix(line, "std") && !strings.HasPrefix(line, "!") {
				lines = append(lines, line)
			}
		}
	}
	add("internal/report/testdata/short.golden")
	add("internal/report/testdata/text.golden")
	err := filepath.WalkDir("testdata/script", func(path string, d fs.DirEntry, err error) error {
		if err == nil && strings.HasSuffix(path, ".txtar") {
			add(path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return lines
}

// takenApart returns the file, line, column, severity, message and rule of a line, found from its first severity on;
// false for a line that does not become an annotation.
func takenApart(line string) (parts [6]string, ok bool) {
	at, severity := len(line), ""
	for _, word := range []string{"error", "warning"} {
		if i := strings.Index(line, ": "+word+": "); i > 0 && i < at {
			at, severity = i, word
		}
	}
	open := strings.LastIndex(line, " [")
	if severity == "" || open < at || strings.Contains(line[open+2:len(line)-1], " ") || open+2 == len(line)-1 {
		return parts, false
	}
	place := strings.Split(line[:at], ":")
	var numbers []string
	for len(place) > 1 && len(numbers) < 2 && place[len(place)-1] != "" && strings.Trim(place[len(place)-1], "0123456789") == "" {
		numbers = slices.Insert(numbers, 0, place[len(place)-1])
		place = place[:len(place)-1]
	}
	numbers = append(numbers, "", "")
	return [6]string{strings.Join(place, ":"), numbers[0], numbers[1], severity, line[at+len(severity)+4 : open], line[open+2 : len(line)-1]}, true
}
