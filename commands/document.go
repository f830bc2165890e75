package commands

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
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

// find returns the form that --format names.
func (list forms[T]) find(c *cli.Context) (form[T], error) {
	var known []string
	for _, f := range list {
		if f.name == c.String("format") {
			return f.write, nil
		}
		known = append(known, f.name)
	}
	return nil, badValue("format", c.String("format"), known)
}

// form lays out one answer. The writer remembers its first error, so that only a failure
// of the answer itself is returned.
type form[T any] func(*bufio.Writer, T) error

// show writes the answer to standard output.
func (write form[T]) show(env Env, answer T) error {
	out := bufio.NewWriter(env.Stdout)
	return errors.Join(write(out, answer), out.Flush())
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

// mistakeAsJSON puts a mistake on the command line of such a command into its
// document, when JSON was asked for.
func mistakeAsJSON(env Env, schema string) cli.OnUsageErrorFunc {
	return func(c *cli.Context, mistake error, _ bool) error {
		if c.String("format") != "json" {
			return mistake
		}
		err := writeJSON(env.Stdout, struct {
			Schema string   `json:"schema"`
			Status string   `json:"status"`
			Errors []string `json:"errors"`
		}{schema, "error", []string{mistake.Error()}})
		if err != nil {
			return err
		}
		return mistake
	}
}
