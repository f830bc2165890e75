// Package schemas holds the JSON Schemas (draft 2020-12) of what cupel writes, and of
// cupel.yaml. They are closed: a member that is not named in a schema is refused, so that
// the tests, which validate what the commands print, find every member without one.
//
// A document's schema is a file in documents. What several have in common is a file in
// parts, to which they refer as "#/$defs/NAME"; a schema that is printed brings along the
// parts and the other documents that it needs.
package schemas

import (
	"embed"
	"encoding/json"
	"io/fs"
	"regexp"
	"slices"
	"strings"
)

// Config is the name of the schema of cupel.yaml. The others are named as the documents that
// they are about name them in "schema": cupel.trace/1.
const Config = "cupel.yaml"

//go:embed documents parts
var files embed.FS

// Names are the names of all schemas, that of cupel.yaml first.
func Names() []string {
	entries, err := fs.ReadDir(files, "documents")
	if err != nil {
		panic("schemas: " + err.Error()) // they are part of the program
	}
	names := []string{Config}
	for _, entry := range entries {
		name := strings.TrimSuffix(entry.Name(), ".json")
		if name == Config {
			continue
		}
		end := strings.LastIndex(name, "-")
		names = append(names, "cupel."+name[:end]+"/"+name[end+1:])
	}
	slices.Sort(names[1:])
	return names
}

// Title says in one line what a schema is about; "" for an unknown name.
func Title(name string) string {
	var schema struct{ Title string }
	if text, ok := read(name); ok {
		if err := json.Unmarshal([]byte(text), &schema); err != nil {
			panic("schemas: " + name + ": " + err.Error())
		}
	}
	return schema.Title
}

// Text is a schema with all that it refers to, and a newline at its end.
func Text(name string) (text string, ok bool) {
	if !slices.Contains(Names(), name) {
		return "", false
	}
	body, _ := read(name)
	var b strings.Builder
	b.WriteString("{\n  \"$schema\": \"https://json-schema.org/draft/2020-12/schema\",\n")
	b.WriteString(strings.TrimSuffix(strings.TrimPrefix(body, "{\n"), "\n}"))
	for i, part := range needed(body) {
		if i == 0 {
			b.WriteString(",\n  \"$defs\": {\n")
		} else {
			b.WriteString(",\n")
		}
		text, _ := read(part)
		b.WriteString(`    "` + part + `": ` + strings.ReplaceAll(text, "\n", "\n    "))
	}
	if len(needed(body)) > 0 {
		b.WriteString("\n  }")
	}
	b.WriteString("\n}\n")
	return b.String(), true
}

// reference is a reference to a part or to another document.
var reference = regexp.MustCompile(`"#/\$defs/([^"]+)"`)

// needed are the names that a schema refers to, and those that they refer to, in alphabetical
// order.
func needed(body string) []string {
	var names []string
	for todo := []string{body}; len(todo) > 0; todo = todo[1:] {
		for _, m := range reference.FindAllStringSubmatch(todo[0], -1) {
			name := strings.ReplaceAll(m[1], "~1", "/")
			if slices.Contains(names, name) {
				continue
			}
			text, ok := read(name)
			if !ok {
				panic("schemas: nothing is named " + name)
			}
			names, todo = append(names, name), append(todo, text)
		}
	}
	slices.Sort(names)
	return names
}

// read is the file of a document or of a part, without the newline at its end.
func read(name string) (text string, ok bool) {
	path := "parts/" + name
	if document, ok := strings.CutPrefix(name, "cupel."); ok {
		path = "documents/" + strings.Replace(document, "/", "-", 1)
		if name == Config {
			path = "documents/" + name
		}
	}
	data, err := files.ReadFile(path + ".json")
	return strings.TrimSuffix(string(data), "\n"), err == nil
}
