package commands

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/urfave/cli/v2"

	"github.com/cupel-dev/cupel/internal/say"
)

// forms are the formats of a command whose answer is one thing to look at, such as a
// rule or a graph, instead of a report: the command hands it over, and each form lays it
// out.
type forms[T any] []struct {
	name  string
	write form[T]
}

// words are the names of the forms.
func (list forms[T]) words() []word {
	all := make([]word, len(list))
	for i, f := range list {
		all[i] = word{f.name, formatMeans[f.name]}
	}
	return all
}

// find returns the form that --format names.
func (list forms[T]) find(c *cli.Context) (form[T], error) {
	for _, f := range list {
		if f.name == c.String("format") {
			return f.write, nil
		}
	}
	return nil, badValue("format", c.String("format"), wordNames(list.words()))
}

// form lays out one answer. The writer remembers its first error, so that only a failure
// of the answer itself is returned.
type form[T any] func(*bufio.Writer, T) error

// show writes the answer to standard output.
func (write form[T]) show(env Env, answer T) error {
	out := bufio.NewWriter(env.Stdout)
	if err := write(out, answer); err != nil {
		return err // Flush would say it again
	}
	return out.Flush()
}

// writeJSON writes a document of such a command, in which nothing acts on a terminal.
func writeJSON(w io.Writer, document any) error {
	var text bytes.Buffer
	enc := json.NewEncoder(&text)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(document); err != nil {
		return err
	}
	_, err := w.Write(say.JSON(text.Bytes()))
	return err
}

// shown is what a command has in common with others whose answer is such a thing.
type shown struct {
	schema string   // the name of its JSON document
	lists  []string // the document's lists, which are empty when there is no answer
}

// showing completes a command whose answer is such a thing: do makes it, and the form that
// --format names lays it out, also when errNo comes with it. When there is none, be it for a
// mistake on the command line, the JSON form is a document that says why.
func showing[T any](env Env, what shown, list forms[T], cmd *cli.Command, do func(*cli.Context) (T, error)) *cli.Command {
	for i, f := range cmd.Flags {
		if format, ok := f.(*cli.StringFlag); ok && format.Name == "format" {
			cmd.Flags[i] = amongst(format, list.words()...)
		}
	}
	cmd.Action = func(c *cli.Context) error {
		layout, err := list.find(c)
		if err != nil {
			return err
		}
		answer, err := do(c)
		if _, asked := errors.AsType[*configuredInputs](err); asked {
			return err // for showingConfig
		}
		if err != nil && !errors.Is(err, errNo) {
			return what.fail(env, c, err)
		}
		if failure := layout.show(env, answer); failure != nil {
			return failure
		}
		return err
	}
	cmd.OnUsageError = func(c *cli.Context, mistake error, _ bool) error {
		return what.fail(env, c, mistake)
	}
	return cmd
}

// fail writes a document without an answer, when JSON was asked for, and passes the reason
// on.
func (s shown) fail(env Env, c *cli.Context, reason error) error {
	if c.String("format") != "json" {
		return reason
	}
	said := reason.Error()
	if errors.Is(reason, context.Canceled) {
		said = "interrupted"
	}
	var text bytes.Buffer
	err := writeJSON(&text, struct {
		Schema string   `json:"schema"`
		Status string   `json:"status"`
		Errors []string `json:"errors"`
	}{s.schema, "error", []string{said}})
	if err != nil {
		return err
	}
	const end = "\n}\n"
	text.Truncate(text.Len() - len(end))
	for _, list := range s.lists {
		fmt.Fprintf(&text, ",\n  %q: []", list)
	}
	text.WriteString(end)
	if _, err := env.Stdout.Write(text.Bytes()); err != nil {
		return err
	}
	return reason
}
