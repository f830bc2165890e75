// Package docs holds the documents of this folder, for `cupel help TOPIC`.
package docs

import (
	"embed"
	"io/fs"
	"strings"
)

// All except rules.md, which is generated from the rules (`cupel explain --all --format markdown`).
//
//go:embed [^r]*.md r[^u]*.md
var files embed.FS

// Section is a group of documents by task.
type Section struct {
	Title string
	Names []string
}

// Sections lists the documents by task.
var Sections = []Section{
	{"Get started", []string{"install", "check", "cli", "troubleshooting", "comparison"}},
	{"Record logs", []string{"auditor", "record", "record-agents"}},
	{"Verify logs", []string{"session-logs", "checkpoints", "reasoning-traces", "transcripts"}},
	{"Verify evidence", []string{"evidence-verify", "evidence-hash", "evidence-seal", "evidence-pack", "evidence-attest", "evidence-digest", "evidence-show"}},
	{"Share safely", []string{"evidence-redact", "evidence-lint", "evidence-payloads"}},
	{"Lint and test attacks", []string{"oatf", "oatf-tests", "oatf-revisions"}},
	{"Test agents", []string{"attest-suite", "attest-import", "attest-cassettes", "attest-serve"}},
	{"CI and editors", []string{"pull-requests", "editors", "mcp", "pages"}},
	{"Scale", []string{"scale", "beam"}},
	{"Reference", []string{"json", "formats", "evidence-classes", "engines"}},
	{"Library and project", []string{"library", "architecture", "dependencies"}},
}

// ending is the documents' file extension.
const ending = ".md"

// Names returns the names of the documents, without the ending, in alphabetical order.
func Names() []string {
	entries, err := fs.ReadDir(files, ".")
	if err != nil {
		panic("docs: " + err.Error()) // they are part of the program
	}
	names := make([]string, len(entries))
	for i, entry := range entries {
		names[i] = strings.TrimSuffix(entry.Name(), ending)
	}
	return names
}

// Title returns the heading of a document; "" for an unknown name.
func Title(name string) string {
	text, _ := Text(name)
	heading, _, _ := strings.Cut(text, "\n")
	return strings.TrimPrefix(heading, "# ")
}

// Text returns a document in Markdown.
func Text(name string) (text string, ok bool) {
	b, err := files.ReadFile(name + ending)
	return string(b), err == nil
}
