package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// small returns a project of one rule, one command and the documents that every site has.
func small(t *testing.T, documents map[string]string) *site {
	t.Helper()
	root := t.TempDir()
	files := map[string]string{"README.md": "# cupel\n", "CHANGELOG.md": "# Changelog\n", "CONTRIBUTING.md": "# Contributing\n", "SECURITY.md": "# Security\n", "docs/cli.md": "# The command line\n\n## Operands\n"}
	for name, text := range documents {
		files[name] = text
	}
	for name, text := range files {
		path := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return newSite(root, tables{
		Site: "https://example.com/",
		Rules: []rule{
			{ID: "hash.evidence", Title: "a file has another `sha256`", Severity: "error", Bad: "<script>alert(1)</script>"},
			{ID: "hash.evidence", Title: "another package's", Severity: "warning"},
			{ID: "V-001", Title: "<b>", Severity: "error", Rationale: "see `hash.evidence` & more"},
		},
		Commands:  []command{{Name: "trace verify", Title: "verify", Usage: "cupel trace verify PATH…", Examples: []string{"cupel trace verify run/"}, More: []string{"cli"}}},
		Topics:    []topic{{"cli", "The command line"}},
		ExitCodes: []exitCode{{0, "good"}},
		Schemas:   []schema{{"cupel.trace/1", "traces", []byte("{}")}},
	})
}

// TestSite: every rule and command has its page at its address, links lead to pages, and what is text stays text.
func TestSite(t *testing.T) {
	s := small(t, map[string]string{"README.md": "# cupel\n\n`cupel trace verify` finds `hash.evidence` ([more](docs/cli.md#operands), [rules](docs/rules.md), [licence](SECURITY.md)), [docs/cli.md](docs/cli.md).\n"})
	if err := s.make(); err != nil {
		t.Fatal(err)
	}
	if count, faults := checkLinks(s.files); len(faults) > 0 || count.links == 0 || count.anchors == 0 {
		t.Errorf("%v, %v", count, faults)
	}
	for name, want := range map[string]string{
		"index.html":                       `<a href="commands/trace-verify/index.html"><code>cupel trace verify</code></a> finds <a href="rules/hash.evidence/index.html"><code>hash.evidence</code></a> (<a href="cli/index.html#operands">more</a>, <a href="rules/index.html">rules</a>, <a href="security/index.html">licence</a>), <a href="cli/index.html">The command line</a>.`,
		"rules/hash.evidence/index.html":   "&lt;script&gt;alert(1)&lt;/script&gt;",
		"rules/V-001/index.html":           `see <a href="../../rules/hash.evidence/index.html"><code>hash.evidence</code></a> &amp; more`,
		"commands/trace-verify/index.html": "PATH…",
		"exit-codes/index.html":            "good",
		"schemas/index.html":               `<a href="../schemas/cupel.trace-1.json">`,
		"schemas/cupel.trace-1.json":       "{}",
		mark:                               "https://example.com/rules/hash.evidence\n",
		"search.js":                        `["hash.evidence",`,
	} {
		if text := string(s.files[name]); !strings.Contains(text, want) {
			t.Errorf("%s lacks %s:\n%s", name, want, text)
		}
	}
	for name, text := range s.files {
		if strings.HasSuffix(name, ".html") && (strings.Contains(string(text), "<script>") || strings.Contains(string(text), " style=")) {
			t.Errorf("%s has a script or a style that its policy forbids", name)
		}
	}
}

// TestLinks: what leads nowhere is found, each with its place.
func TestLinks(t *testing.T) {
	for link, fault := range map[string]string{
		"b.html":               "",
		"b.html#there":         "",
		"#here":                "",
		"https://example.com/": "",
		"c.html":               "no such file",
		"../b.html":            "no such file",
		"b.html#here":          "no such anchor",
		"#there":               "no such anchor",
		"https://":             "no address of a site",
		"ftp://example.com/":   "no address of a site",
		"mailto:a@example.com": "no address of a site",
		"%zz":                  "invalid URL escape",
	} {
		_, faults := checkLinks(map[string][]byte{
			"a.html": []byte(`<p id="here"><a href="` + link + `">x</a> id=&#34;there&#34;</p>`),
			"b.html": []byte(`<p id="there"></p>`),
		})
		if fault == "" && len(faults) > 0 || fault != "" && (len(faults) != 1 || !strings.Contains(faults[0], fault)) {
			t.Errorf("%s: %q, expected %q", link, faults, fault)
		}
	}
	if _, faults := checkLinks(map[string][]byte{"a.html": []byte(`<p id="x"></p><p id="x"></p>`)}); len(faults) != 1 {
		t.Errorf("an id that stands twice: %q", faults)
	}
}

// TestBadDocuments: what cannot become a page is an error that names the document.
func TestBadDocuments(t *testing.T) {
	for text, want := range map[string]string{
		"[x](gone.md)":         "docs/new.md: stat",
		"[x](../../outside)":   "docs/new.md: stat",
		"![x](gone.png)":       "docs/new.md: open",
		"a <b>bold</b> word":   "docs/new.md: HTML",
		"<div>\nx\n</div>":     "docs/new.md: HTML",
		"[x](http://[::1]:a/)": "docs/new.md: parse",
	} {
		err := small(t, map[string]string{"docs/new.md": "# New\n\n" + text + "\n"}).make()
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, expected %q", text, err, want)
		}
	}
}

// TestSlug: anchors are those that links to headings name elsewhere.
func TestSlug(t *testing.T) {
	for heading, want := range map[string]string{
		"Exit codes":                        "exit-codes",
		"cupel.yaml":                        "cupelyaml",
		"Traces from other formats: --from": "traces-from-other-formats---from",
		"What is read, and what is not":     "what-is-read-and-what-is-not",
		"Größe":                             "größe",
		"snake_case":                        "snake_case",
	} {
		if got := slug(heading); got != want {
			t.Errorf("%q: %q, expected %q", heading, got, want)
		}
	}
	a := anchors{}
	for _, want := range []string{"same", "same-1", "same-2"} {
		if got := string(a.Generate([]byte("Same"), 0)); got != want {
			t.Errorf("%q, expected %q", got, want)
		}
	}
}

// TestReplaceFolder: a folder that holds something else is not touched, one that holds a site is replaced.
func TestReplaceFolder(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "out")
	for _, name := range []string{"a/index.html", "b/index.html"} {
		if err := replaceFolder(folder, map[string][]byte{name: []byte("x"), mark: nil}); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := os.Stat(filepath.Join(folder, "a")); err == nil {
		t.Error("a page of the earlier site is left")
	}
	if err := os.Remove(filepath.Join(folder, mark)); err != nil {
		t.Fatal(err)
	}
	if err := replaceFolder(folder, map[string][]byte{mark: nil}); err == nil || !strings.Contains(err.Error(), "something else") {
		t.Errorf("another folder: %v", err)
	}
	if _, err := os.Stat(filepath.Join(folder, "b", "index.html")); err != nil {
		t.Error(err)
	}
}
