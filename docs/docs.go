// Package docs holds the documents of this folder, for `cupel help TOPIC`.
package docs

import (
	"embed"
	"io/fs"
	"strings"
)

// All but rules.md, which is what the tables of rules print (`cupel explain --all --format markdown`), and
// messages.md, which says what the program says by itself.
//
//go:embed [^mr]*.md r[^u]*.md
var files embed.FS

// ending is what a document's file name has beside its name.
const ending = ".md"

// Names are the names of the documents, without the ending, in alphabetical order.
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

// Title is the heading of a document; "" for an unknown name.
func Title(name string) string {
	text, _ := Text(name)
	heading, _, _ := strings.Cut(text, "\n")
	return strings.TrimPrefix(heading, "# ")
}

// Text is a document as it is written, in Markdown.
func Text(name string) (text string, ok bool) {
	b, err := files.ReadFile(name + ending)
	return string(b), err == nil
}
