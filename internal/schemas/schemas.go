// Package schemas contains the JSON Schemas (draft 2020-12) of cupel's output and of cupel.yaml. They reject
// unknown members, so that tests find output without a schema. A document's schema is in documents; common parts
// are in parts and referenced as "#/$defs/NAME". A printed schema includes its references.
package schemas

import (
	"embed"
	"encoding/json"
	"io/fs"
	"regexp"
	"slices"
	"strings"
)

// Config is the name of the schema of cupel.yaml. Others are named by their member "schema", such as cupel.trace/1.
const Config = "cupel.yaml"

//go:embed documents parts
var files embed.FS

// Names returns the names of all schemas, cupel.yaml first.
func Names() []string {
	entries, err := fs.ReadDir(files, "documents")
	if err != nil {
		panic("schemas: " + err.Error()) // embedded
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

// Title returns a schema's one-line title, "" for an unknown name.
func Title(name string) string {
	var schema struct{ Title string }
	if text, ok := read(name); ok {
		if err := json.Unmarshal([]byte(text), &schema); err != nil {
			panic("schemas: " + name + ": " + err.Error())
		}
	}
	return schema.Title
}

// Text returns a schema with its references and a final newline.
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

// reference matches a reference to a part or document.
var reference = regexp.MustCompile(`"#/\$defs/([^"]+)"`)

// needed returns the names that a schema references, directly or not, sorted.
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

// read returns the file of a document or part without the final newline.
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
