package commands_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
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

// heard is the standard output of a command, and what leaves in a folder what was printed. A
// file or a terminal is passed on as it is, and a pipe that an operand names as a file: the
// program tells them from others.
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
			t.Errorf("%s: %v\n%.2000s", filepath.Base(filepath.Dir(path)), err, text)
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

// validateDocument holds a document of cupel against its schema, whose name it returns; "" for a
// text that is none, be it JSON in lines or the document of another format.
func validateDocument(text []byte) (name string, err error) {
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		return "", nil // lines, or cut off by a signal
	}
	document, _ := value.(map[string]any)
	name, _ = document["schema"].(string)
	if !strings.HasPrefix(name, "cupel.") || bytes.HasPrefix(text, []byte(`{"schema":`)) && document["status"] != nil {
		return "", nil // the last of lines
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
	mutant("another member", func(d map[string]any) { d["another"] = 1 })
	mutant("the name of another schema", func(d map[string]any) { d["schema"] = "cupel.another/1" })
	for _, member := range schema.Required {
		mutant("no "+member, func(d map[string]any) { delete(d, member) })
	}
	for member := range schema.Properties {
		mutant("another type of "+member, func(d map[string]any) { d[member] = map[string]any{"another": 1} })
	}
}
