package config

import (
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/cupel-dev/cupel/internal/keyfile"
)

func TestParse(t *testing.T) {
	c, err := Parse("cupel.yaml", []byte("# ours\nselect: [V-, W-001]\nignore:\n  - W-004\nfail-on: warning\n"+
		"evidence:\n  classes:\n    - type: t\n      pointer: /data/a\n      class: public\noatf: {revision: 2026-03}\n"+
		"exclude: [legacy/**]\nper-file-ignores:\n  drafts/: [W-, W-004]\nstrict: true\nattest:\n  pairs:\n    - {suite: a.yaml, traces: [t/*.json]}\n"))
	if err != nil {
		t.Fatal(err)
	}
	want := Config{
		Path: "cupel.yaml", Bytes: 300,
		Select: []Entry{*at("V-", 2, 10), *at("W-001", 2, 14)}, Ignore: []Entry{*at("W-004", 4, 5)}, FailOn: at("warning", 5, 10),
		Classes:  []keyfile.Class{{At: *at("", 8, 7), Type: at("t", 8, 13), Pointer: at("/data/a", 9, 16), Class: at("public", 10, 14)}},
		Revision: at("2026-03", 11, 18),
		Exclude:  []Pattern{{Entry: *at("legacy/**", 12, 11)}},
		PerFileIgnores: []FileIgnores{{
			Pattern: Pattern{Entry: *at("drafts/", 14, 3)}, Rules: []Entry{*at("W-", 14, 13), *at("W-004", 14, 17)},
		}},
		Strict: &Flag{On: true, Line: 15, Column: 9},
		Pairs:  []Pair{{At: *at("", 18, 7), Suite: *at("a.yaml", 18, 15), Traces: []Entry{*at("t/*.json", 18, 32)}}},
	}
	if diff := cmp.Diff(want, c, cmpopts.IgnoreUnexported(Pattern{}), cmpopts.IgnoreFields(Config{}, "SHA256")); diff != "" {
		t.Error(diff)
	}
	for _, text := range []string{"", "# nothing\n", "---\n"} {
		if c, err := Parse("c", []byte(text)); err != nil || c.Select != nil || c.FailOn != nil {
			t.Errorf("%q: %+v, %v", text, c, err)
		}
	}
}

func at(text string, line, column int) *Entry { return &Entry{Text: text, Line: line, Column: column} }

func TestParseErrors(t *testing.T) {
	for _, c := range []struct{ text, message, hint string }{
		{"ignroe: [x]\n", `c:1:1: unknown key "ignroe"`, `did you mean "ignore"?`},
		{"select: [V-]\nhash: sha1\n", `c:2:1: unknown key "hash"`, ""},
		{"select: []\n", "c:1:9: expected a list of words", ""},
		{"select: x\n", "c:1:9: expected a list of words", ""},
		{"select: [[x]]\n", "c:1:10: expected a single word", ""},
		{"fail-on: [error]\n", "c:1:10: expected a single word", ""},
		{"fail-on:\n", "c:1:9: expected a single word", ""},
		{"ignore: [a]\nignore: [b]\n", `c:2:1: key "ignore" occurs twice`, ""},
		{"- a\n", "c:1:1: expected a mapping of keys", ""},
		{"a: [\n", "c:2:1: invalid YAML: did not find expected node content while parsing a flow node", ""},
		{"evidence: [x]\n", "c:1:11: expected a mapping of keys", ""},
		{"evidence:\n  clases: []\n", `c:2:3: unknown key "clases"`, `did you mean "classes"?`},
		{"evidence:\n  classes: []\n", "c:2:12: expected a list of privacy classes", ""},
		{"evidence:\n  classes: [x]\n", "c:2:13: expected a mapping of keys", ""},
		{"evidence:\n  classes: [{pointr: /data}]\n", `c:2:14: unknown key "pointr"`, `did you mean "pointer"?`},
		{"evidence:\n  classes: [{class: a, class: b}]\n", `c:2:24: key "class" occurs twice`, ""},
		{"oatf: 2026-03\n", "c:1:7: expected a mapping of keys", ""},
		{"oatf: {revison: 2026-03}\n", `c:1:8: unknown key "revison"`, `did you mean "revision"?`},
		{"oatf: {revision: [2026-03]}\n", "c:1:18: expected a single word", ""},
		{"oatf: {revision: }\n", "c:1:18: expected a single word", ""},
		{"exclude: legacy\n", "c:1:10: expected a list of patterns", ""},
		{"exclude: []\n", "c:1:10: expected a list of patterns", ""},
		{"excludes: [a]\n", `c:1:1: unknown key "excludes"`, `did you mean "exclude"?`},
		{"exclude: [a, '!b']\n", `c:1:14: pattern "!b" begins with "!", but patterns cannot be negated`, ""},
		{"exclude: [./a]\n", `c:1:11: pattern "./a" has the segment ".", which cannot occur in a path`, ""},
		{"exclude: [../a]\n", `c:1:11: pattern "../a" has the segment "..", which cannot occur in a path`, ""},
		{"exclude: [a//b]\n", `c:1:11: pattern "a//b" has the segment "", which cannot occur in a path`, ""},
		{"exclude: [/]\n", `c:1:11: pattern "/" has the segment "", which cannot occur in a path`, ""},
		{"exclude: ['a/[b']\n", `c:1:11: pattern "a/[b" has the malformed part "[b"`, ""},
		{"exclude: [[a]]\n", "c:1:11: expected a single word", ""},
		{"exclude: [" + strings.Repeat("a", MaxPatternBytes+1) + "]\n", "c:1:11: pattern of 4097 bytes, expected at most 4096", ""},
		{"exclude: [" + strings.Repeat("a,", MaxPatterns) + "a]\n", "c:1:10: 1001 patterns, expected at most 1000", ""},
		{"per-file-ignores: [W-]\n", "c:1:19: expected a mapping of patterns to rules", ""},
		{"per-file-ignores: {}\n", "c:1:19: expected a mapping of patterns to rules", ""},
		{"per-file-ignores: {a: W-}\n", "c:1:23: expected a list of words", ""},
		{"per-file-ignores:\n  a: [W-]\n  a: [V-]\n", `c:3:3: pattern "a" occurs twice`, ""},
		{"per-file-ignores: {'[': [W-]}\n", `c:1:20: pattern "[" has the malformed part "["`, ""},
		{"strict: yes\n", "c:1:9: expected true or false", ""},
		{"strict: 'true'\n", "c:1:9: expected true or false", ""},
		{"strict: [true]\n", "c:1:9: expected true or false", ""},
		{"attest: [x]\n", "c:1:9: expected a mapping of keys", ""},
		{"attest: {pair: []}\n", `c:1:10: unknown key "pair"`, `did you mean "pairs"?`},
		{"attest: {pairs: []}\n", "c:1:17: expected a list of pairs", ""},
		{"attest: {pairs: [a]}\n", "c:1:18: expected a mapping of keys", ""},
		{"attest: {pairs: [{suite: a}]}\n", `c:1:18: the pair has no key "traces"`, ""},
		{"attest: {pairs: [{traces: [a]}]}\n", `c:1:18: the pair has no key "suite"`, ""},
		{"attest: {pairs: [{suit: a}]}\n", `c:1:19: unknown key "suit"`, `did you mean "suite"?`},
		{"attest: {pairs: [{suite: ../a}]}\n", `c:1:26: path "../a" leads out of the configuration file's folder`, ""},
		{"attest: {pairs: [{suite: a, traces: [/b]}]}\n", `c:1:38: path "/b" leads out of the configuration file's folder`, ""},
		{"a: &x [*x]\n", `c:1:1: unknown key "a"`, ""},
	} {
		_, err := Parse("c", []byte(c.text))
		var e *Error
		if !errors.As(err, &e) || !strings.HasPrefix(e.Error(), c.message) || e.Hint != c.hint {
			t.Errorf("%q: %v (%+v), want %s", c.text, err, e, c.message)
		}
	}
}

// TestFind: the nearest file up to the repository's root, and none from above it.
func TestFind(t *testing.T) {
	root := t.TempDir()
	write := func(path string) {
		path = filepath.Join(root, path)
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, nil, 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	for _, path := range []string{"cupel.yaml", "repo/.git/HEAD", "repo/cupel.yaml", "repo/a/b/x", "repo/c/cupel.yaml", "repo/c/d/x", "other/.git/HEAD", "other/e/x", "free/f/x"} {
		write(path)
	}
	for dir, want := range map[string]string{
		"repo/a/b": "repo/cupel.yaml",
		"repo/c/d": "repo/c/cupel.yaml",
		"repo":     "repo/cupel.yaml",
		"other/e":  "",
		"free/f":   "",
		".":        "cupel.yaml",
	} {
		got, err := Find(filepath.Join(root, dir))
		if want != "" {
			want = filepath.Join(root, want)
		}
		if err != nil || got.Path != want {
			t.Errorf("%s: %q, %v; want %q", dir, got.Path, err, want)
		}
	}
}

// TestFindHere checks that outside a repository the file of the current folder also counts below it, and that a
// nearer one comes first.
func TestFindHere(t *testing.T) {
	top := t.TempDir()
	for _, path := range []string{"cupel.yaml", "here/cupel.yaml", "here/a/b/x", "here/c/cupel.yaml", "beside/x"} {
		path = filepath.Join(top, path)
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, nil, 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	t.Chdir(filepath.Join(top, "here"))
	for dir, want := range map[string]string{"a/b": "here/cupel.yaml", "c": "here/c/cupel.yaml", "../beside": "", "..": "cupel.yaml"} {
		got, err := Find(dir)
		if want != "" {
			want = filepath.Join(top, want)
		}
		if err != nil || got.Path != want {
			t.Errorf("%s: %q, %v; want %q", dir, got.Path, err, want)
		}
	}
}

// TestCovers tries patterns on paths around the folder of the configuration.
func TestCovers(t *testing.T) {
	for _, c := range []struct {
		pattern, path string
		dir, want     bool
	}{
		{"legacy/**", "legacy/a.yaml", false, true},
		{"legacy/**", "legacy/a/b.yaml", false, true},
		{"legacy/**", "legacy", true, false},
		{"legacy", "legacy/a.yaml", false, true},
		{"legacy/", "legacy/a.yaml", false, true},
		{"legacy/", "legacy", false, false},
		{"/legacy", "x/legacy/a.yaml", false, false},
		{"legacy", "x/legacy/a.yaml", false, true},
		{"*.bak.yaml", "x/y/a.bak.yaml", false, true},
		{"x/*.yaml", "x/a.yaml", false, true},
		{"x/*.yaml", "x/y/a.yaml", false, false},
		{"**/y/*", "x/y/a.yaml", false, true},
		{"**", "a.yaml", false, true},
		{"*", "../a.yaml", false, false},
		{"*", ".", true, false},
	} {
		text := "exclude: [" + strconv.Quote(c.pattern) + "]\nper-file-ignores: {" + strconv.Quote(c.pattern) + ": [W-]}\n"
		file, err := Parse("in/cupel.yaml", []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		path := filepath.Join("in", c.path)
		if got := file.Excluder(path, c.dir) != nil; got != c.want {
			t.Errorf("%q excludes %s: %v", c.pattern, path, got)
		}
		if got := file.Covers(file.PerFileIgnores[0].Pattern, path, c.dir); got != c.want {
			t.Errorf("%q covers %s: %v", c.pattern, path, got)
		}
	}
}

func TestLoad(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, Name)
	if err := os.WriteFile(path, []byte(strings.Repeat("#", MaxBytes+1)), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Load(t.Context(), path); err == nil || !strings.Contains(err.Error(), "larger than") {
		t.Error(err)
	}
	if _, err := (Place{dir, path}).Load(); err == nil || !strings.Contains(err.Error(), "larger than") {
		t.Error(err)
	}
	if _, err := Load(t.Context(), path+"x"); !errors.Is(err, os.ErrNotExist) {
		t.Error(err)
	}
}

// TestLinkOut follows a link of the file's name inside the repository, and not out of it.
func TestLinkOut(t *testing.T) {
	root := t.TempDir()
	for _, path := range []string{"repo/.git/HEAD", "repo/shared.yaml", "repo/in/x", "repo/out/x", "repo/gone/x", "secret.yaml"} {
		path = filepath.Join(root, path)
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte("fail-on: info\n"), 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	for dir, c := range map[string]struct{ to, says string }{
		"repo/in":   {"../shared.yaml", ""},
		"repo/out":  {"../../secret.yaml", "through a symbolic link"},
		"repo/gone": {"nothing", "the symbolic link points to a file that does not exist"},
	} {
		path := filepath.Join(root, dir, Name)
		if err := os.Symlink(c.to, path); err != nil {
			t.Fatal(err)
		}
		at, err := Find(filepath.Join(root, dir))
		if err != nil || at.Path != path {
			t.Fatalf("%s: %q, %v", dir, at.Path, err)
		}
		switch file, err := at.Load(); {
		case c.says == "" && (err != nil || file.FailOn == nil):
			t.Errorf("%s: %+v, %v", dir, file, err)
		case c.says != "" && (err == nil || !strings.Contains(err.Error(), c.says)):
			t.Errorf("%s: %v, expected %q", dir, err, c.says)
		}
	}
}
