package metacmd

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/cupel-dev/cupel/attest/suite"
	"github.com/cupel-dev/cupel/commands/internal/app"
	"github.com/cupel-dev/cupel/commands/internal/cmdline"
	"github.com/cupel-dev/cupel/internal/schemas"
	"github.com/cupel-dev/cupel/oatf"
	"github.com/cupel-dev/cupel/oatf/keys"
)

// inputSchema is a schema of files that users write.
type inputSchema struct {
	name string
	text func() string
}

// inputSchemas are the schemas of input formats.
var inputSchemas = func() []inputSchema {
	list := []inputSchema{
		{"attest-suite", suite.Schema},
		{"oatf", func() string { return keys.Schema(oatf.Revisions()...) }},
	}
	for _, r := range oatf.Revisions() {
		list = append(list, inputSchema{"oatf-" + string(r), func() string { return keys.Schema(r) }})
	}
	return list
}()

// schemaAnswer is one schema, the list of all schemas, or all schemas.
type schemaAnswer struct {
	text string // schemas; "": the list alone is asked for
	list []namedSchema
}

type namedSchema struct {
	Name       string          `json:"name"`
	Title      string          `json:"title"`
	Definition json.RawMessage `json:"definition,omitempty"` // the schema, with --all
}

// schemaForms are the formats of the command. A schema is JSON in each of them.
var schemaForms = app.Forms[schemaAnswer]{{Name: "text", Write: schemaText}, {Name: "json", Write: schemaJSON}}

type schemaOptions struct {
	app.FormatOption
	all bool
}

// Schema is `cupel schema`.
var Schema = app.Spec[schemaOptions]{
	Name:     "schema",
	Usage:    "print a JSON Schema: of cupel.yaml, OATF documents, suites or a command's JSON output",
	Operands: "[NAME]",
	Examples: []string{"cupel schema", "cupel schema cupel.yaml > cupel.schema.json", "cupel schema oatf > oatf.schema.json", "cupel schema cupel.trace/1", "cupel schema --all --format json"},
	Description: "The schemas are of draft 2020-12; those of OATF documents are of draft 7, in the form of\nSchemaStore. Those of what cupel writes are closed: a later cupel may add members.\n" +
		"An editor that knows schemas takes that of cupel.yaml from a first line in the file:\n# yaml-language-server: $schema=cupel.schema.json",
	About: cmdline.About{Docs: []string{"json"}, Words: schemaWords},
	Shows: app.Shown{Schema: "cupel.schemas/1", Lists: []string{"schemas"}},
	Flags: func(o *schemaOptions) []cli.Flag {
		return []cli.Flag{
			o.Flag("`FORMAT` of the list: text or json", schemaForms.Words()),
			&cli.BoolFlag{Name: "all", Destination: &o.all, Usage: "print every schema in sequence; with --format json, as a list"},
		}
	},
	Run: app.Answer(schemaForms, schemasAsked),
}

// schemasAsked finds the schema that the operand names, or all.
func schemasAsked(_ context.Context, r *app.Run, o schemaOptions) (schemaAnswer, error) {
	switch n := len(r.Operands); {
	case o.all && n > 0:
		return schemaAnswer{}, &cmdline.UsageError{Message: "--all prints every schema; name none"}
	case o.all:
		return everySchema()
	case n > 1:
		return schemaAnswer{}, &cmdline.UsageError{Message: fmt.Sprintf("%d schemas, expected one", n), Hint: "`cupel schema` lists the schemas"}
	case n == 0:
		return schemaNamed("")
	}
	return schemaNamed(r.Operands[0])
}

// everySchema returns the list of all schemas with their definitions.
func everySchema() (all schemaAnswer, err error) {
	for _, name := range schemaNames() {
		one, err := schemaNamed(name)
		if err != nil {
			return all, err
		}
		all.text += one.text
		all.list = append(all.list, namedSchema{name, schemaTitle(name), json.RawMessage(one.text)})
	}
	return all, nil
}

func schemaNames() []string {
	var names []string
	for _, s := range inputSchemas {
		names = append(names, s.name)
	}
	return slices.Insert(schemas.Names(), 1, names...)
}

// schemaNamed returns a schema, or the list of all when the name is empty.
func schemaNamed(name string) (a schemaAnswer, err error) {
	if name == "" {
		for _, name := range schemaNames() {
			a.list = append(a.list, namedSchema{Name: name, Title: schemaTitle(name)})
		}
		return a, nil
	}
	if text := inputSchemaNamed(name); text != "" {
		return schemaAnswer{text: text}, nil
	}
	text, ok := schemas.Text(name)
	if !ok {
		return a, cmdline.BadOperand("schema", name, schemaNames())
	}
	return schemaAnswer{text: text}, nil
}

func inputSchemaNamed(name string) string {
	for _, s := range inputSchemas {
		if s.name == name {
			return s.text()
		}
	}
	return ""
}

func schemaTitle(name string) string {
	text := inputSchemaNamed(name)
	if text == "" {
		return schemas.Title(name)
	}
	var schema struct{ Title string }
	if err := json.Unmarshal([]byte(text), &schema); err != nil {
		panic("schemaTitle: " + err.Error()) // a bug
	}
	return schema.Title
}

func schemaText(w *bufio.Writer, a schemaAnswer) error {
	if a.text != "" {
		_, err := io.WriteString(w, a.text)
		return err
	}
	width := 0
	for _, s := range a.list {
		width = max(width, len(s.Name))
	}
	for _, s := range a.list {
		fmt.Fprintf(w, "%s%s  %s\n", s.Name, strings.Repeat(" ", width-len(s.Name)), s.Title)
	}
	return nil // a bufio.Writer keeps its error
}

func schemaJSON(w *bufio.Writer, a schemaAnswer) error {
	if len(a.list) == 0 {
		return schemaText(w, a)
	}
	return app.WriteJSON(w, struct {
		Schema  string        `json:"schema"`
		Status  string        `json:"status"`
		Schemas []namedSchema `json:"schemas"`
	}{"cupel.schemas/1", "ok", a.list})
}

// schemaWords returns the names of the schemas with their subjects.
func schemaWords(*cli.App) (words []cmdline.Word) {
	for _, name := range schemaNames() {
		words = append(words, cmdline.Word{Name: name, Means: schemaTitle(name)})
	}
	return words
}
