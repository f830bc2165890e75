package commands_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/cupel-dev/cupel/internal/schemas"
)

// heardFolder is the variable that names the folder in which a script's commands leave what
// they print into a pipe, when it is a JSON document.
const heardFolder = "CUPEL_HEARD"

// maxHeard bounds what is kept of one command.
const maxHeard = 4 << 20

// heardError is standard error as it is, with a copy in a folder of what goes into a pipe.
func heardError(folder string) io.Writer {
	info, err := os.Stderr.Stat()
	if folder == "" || err != nil || info.Mode()&os.ModeNamedPipe == 0 {
		return os.Stderr
	}
	f, err := os.CreateTemp(folder, "*.txt")
	if err != nil {
		panic(err)
	}
	return &hearingError{File: os.Stderr, copy: f}
}

type hearingError struct {
	*os.File
	copy *os.File // is left open: the process ends
}

func (h *hearingError) Write(p []byte) (int, error) {
	_, err := h.copy.Write(p)
	n, err2 := h.File.Write(p)
	return n, errors.Join(err2, err)
}

// heard returns a standard output for a command, and a function that keeps the printed text in a folder. A file or a
// terminal is passed on as it is, and a pipe as a file if an operand names it, because the program treats them
// differently.
func heard(folder string) (stdout io.Writer, keep func()) {
	info, err := os.Stdout.Stat()
	named := func(arg string) bool { return strings.Contains(arg, "/dev/stdout") }
	if folder == "" || err != nil || info.Mode()&os.ModeNamedPipe == 0 || slices.ContainsFunc(os.Args, named) {
		return os.Stdout, func() {}
	}
	h := &hearing{File: os.Stdout}
	return h, func() {
		if !bytes.HasPrefix(h.text.Bytes(), []byte("{")) || h.text.Len() > maxHeard {
			return
		}
		f, err := os.CreateTemp(folder, "*.json")
		if err == nil {
			_, err = f.Write(h.text.Bytes())
			err = errors.Join(err, f.Close())
		}
		if err != nil {
			panic(err)
		}
	}
}

type hearing struct {
	*os.File
	text bytes.Buffer
}

func (h *hearing) Write(p []byte) (int, error) {
	if h.text.Len() <= maxHeard {
		h.text.Write(p)
	}
	return h.File.Write(p)
}

// ownDocument is how a document begins that cupel writes into a file.
var ownDocument = regexp.MustCompile(`^\{\s*"schema":\s*"cupel\.`)

// documentsBelow returns the files below a folder that hold such documents, by their names.
func documentsBelow(dir string) (texts map[string]string, err error) {
	texts = map[string]string{}
	err = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		if info, err := d.Info(); err != nil || info.Size() > maxHeard || info.Mode().Perm()&0o400 == 0 {
			return err
		}
		text, err := os.ReadFile(path)
		if err == nil && ownDocument.Match(text) {
			texts[path] = string(text)
		}
		return err
	})
	return texts, err
}

// keepWritten leaves in a folder the documents that a script has written into files. What it brought
// with it, and what it made of that, may be wrong on purpose.
func keepWritten(dir, folder string, brought map[string]string) error {
	written, err := documentsBelow(dir)
	for _, path := range slices.Sorted(maps.Keys(written)) {
		if _, old := brought[path]; old {
			continue
		}
		name := fmt.Sprintf("file-%s.json", strings.ReplaceAll(strings.TrimPrefix(path, dir+string(filepath.Separator)), string(filepath.Separator), "_"))
		err = errors.Join(err, os.WriteFile(filepath.Join(folder, name), []byte(written[path]), 0o600))
	}
	return err
}

// ourSchemas are the schemas of all documents, ready for use.
var ourSchemas = sync.OnceValues(func() (map[string]*jsonschema.Schema, error) {
	compiler, all := jsonschema.NewCompiler(), map[string]*jsonschema.Schema{}
	for _, name := range schemas.Names() {
		text, _ := schemas.Text(name)
		value, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		if err := compiler.AddResource("mem:///"+name, value); err != nil {
			return nil, err
		}
		if all[name], err = compiler.Compile("mem:///" + name); err != nil {
			return nil, err
		}
	}
	return all, nil
})

// validateHeard validates every JSON document that the commands of scripts have printed.
func validateHeard(t *testing.T, documents string) {
	files, err := filepath.Glob(filepath.Join(documents, "*", "*.json"))
	if err != nil {
		t.Error(err)
	}
	validated, mutated := 0, map[string]bool{}
	for _, path := range files {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Error(err)
			continue
		}
		name, err := validateDocument(text)
		if err != nil {
			t.Errorf("%s, %s: %v\n%.2000s", filepath.Base(filepath.Dir(path)), filepath.Base(path), err, text)
		} else if name != "" && !mutated[name] {
			mutated[name] = true
			refuseMutants(t, name, text)
		}
		if name != "" {
			validated++
		}
	}
	t.Logf("%d documents with %d schemas", validated, len(mutated))
}

// validateDocument checks a document of cupel against its schema and returns the schema's name; "" for another text,
// such as JSON lines or the document of another format.
func validateDocument(text []byte) (name string, err error) {
	if first, rest, lines := bytes.Cut(text, []byte("}\n")); lines && slices.Contains(journals, string(first)+"}") {
		name, err = validateDocument([]byte(string(first) + "}"))
		return name, errors.Join(err, validateJournal(name, rest))
	}
	if !bytes.HasPrefix(text, []byte("{\n")) {
		if err := validateLines(text); err != nil {
			return "", err
		}
	}
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		return "", nil // lines, or cut off by a signal
	}
	document, _ := value.(map[string]any)
	name, _ = document["schema"].(string)
	if !strings.HasPrefix(name, "cupel.") || endsLines(document) && !bytes.HasPrefix(text, []byte("{\n")) {
		return "", nil
	}
	all, err := ourSchemas()
	if err != nil {
		return name, err
	}
	if all[name] == nil {
		return name, fmt.Errorf("%s has no schema", name)
	}
	return name, all[name].Validate(value)
}

// journals are how files begin that grow by lines.
var journals = []string{`{"schema":"cupel.history/1"}`, `{"schema":"cupel.vectors/1"}`}

// validateJournal holds the other lines of such a file against its schema.
func validateJournal(name string, text []byte) error {
	all, err := ourSchemas()
	for line := range bytes.Lines(text) {
		value, invalid := jsonschema.UnmarshalJSON(bytes.NewReader(line))
		if invalid == nil {
			invalid = all[name].Validate(value)
		}
		err = errors.Join(err, invalid)
	}
	return err
}

// endsLines: it is the last of the lines of a report.
func endsLines(line map[string]any) bool { return line["schema"] != nil && line["summary"] != nil }

// validateLines holds the lines of a report against the schemas of the elements of its lists.
func validateLines(text []byte) error {
	all, err := ourSchemas()
	if err != nil {
		return err
	}
	var elements []*jsonschema.Schema
	var lines []map[string]any
	untyped := false
	for line := range bytes.Lines(text) {
		value, err := jsonschema.UnmarshalJSON(bytes.NewReader(line))
		object, ok := value.(map[string]any)
		if err != nil || !ok {
			return nil // another format, or cut off by a signal
		}
		name, _ := object["schema"].(string)
		kind, _ := object["type"].(string)
		if untyped = untyped || kind == "" || (kind == "summary") != endsLines(object); kind != "" {
			delete(object, "type") // only lines have it
		}
		if !endsLines(object) || all[name] == nil {
			lines = append(lines, object)
			continue
		}
		for list, schema := range all[name].Properties {
			if schema.Items2020 == nil || list == "errors" {
				continue
			}
			elements = append(elements, schema.Items2020)
			if slices.Contains(all[name].Required, list) {
				object[list] = []any{}
			}
		}
		if err := all[name].Validate(object); err != nil {
			return err
		}
	}
	if len(elements) == 0 {
		return nil // of another format
	}
	if untyped && len(lines) > 0 { // else it is a document on one line
		return errors.New("a line of a report has no type, or a wrong one")
	}
	elements = append(elements, all["cupel.lint/1"].Properties["findings"].Items2020)
	for _, line := range lines {
		fits := func(schema *jsonschema.Schema) bool { return fitsLine(schema, line) }
		if !slices.ContainsFunc(elements, fits) {
			return fmt.Errorf("no list has the element %v", line)
		}
	}
	return nil
}

// fitsLine: a line is an element, or one without what lines of their own have said: findings, the
// sessions of a log, the results on a trace.
func fitsLine(schema *jsonschema.Schema, line map[string]any) bool {
	if schema.Validate(line) == nil {
		return true
	}
	part := maps.Clone(line)
	switch {
	case line["session_id"] != nil || line["first_line"] != nil:
		delete(part, "input")
		sessions := schemaOf(schema).Properties["sessions"]
		return sessions != nil && sessions.Items2020.Validate(part) == nil
	case line["result"] != nil && line["trace"] != nil:
		part = map[string]any{"trace": line["trace"], "results": []any{line["result"]}, "total_cost": 0, "total_duration_ms": 0}
	case line["trace"] != nil && line["pass"] != nil:
		for _, count := range []string{"pass", "soft_fail", "hard_fail", "error", "skipped", "accepted"} {
			delete(part, count)
		}
		part["results"] = []any{}
	default:
		part["findings"] = []any{}
	}
	return schema.Validate(part) == nil
}

// schemaOf returns the schema that another one refers to, or itself.
func schemaOf(schema *jsonschema.Schema) *jsonschema.Schema {
	if schema.Ref != nil {
		return schema.Ref
	}
	return schema
}

// refuseMutants: a schema refuses a document with one member more, or without one that it
// requires.
func refuseMutants(t *testing.T, name string, text []byte) {
	all, err := ourSchemas()
	if err != nil {
		t.Fatal(err)
	}
	schema := all[name]
	mutant := func(what string, change func(map[string]any)) {
		value, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		change(value.(map[string]any))
		if schema.Validate(value) == nil {
			t.Errorf("%s: accepted %s", name, what)
		}
	}
	if bytes.HasPrefix(text, []byte(`{"schema":"`)) && slices.Contains(journals, string(bytes.SplitAfter(text, []byte("}"))[0])) {
		text = bytes.SplitAfter(text, []byte("}"))[0]
	}
	mutant("another member", func(d map[string]any) { d["another"] = 1 })
	mutant("the name of another schema", func(d map[string]any) { d["schema"] = "cupel.another/1" })
	for _, member := range schema.Required {
		mutant("no "+member, func(d map[string]any) { delete(d, member) })
	}
	for member := range schema.Properties {
		mutant("another type of "+member, func(d map[string]any) { d[member] = map[string]any{"another": 1} })
	}
}
