package app

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/cupel-dev/cupel/commands/internal/cmdline"
	"github.com/cupel-dev/cupel/internal/buildinfo"
	"github.com/cupel-dev/cupel/internal/report"
	"github.com/cupel-dev/cupel/internal/say"
	"github.com/cupel-dev/cupel/oatf"
	"github.com/cupel-dev/cupel/trace"
)

// Forms are the formats of a command that prints a single result, such as a rule or a graph, instead of a report.
type Forms[T any] []struct {
	Name  string
	Write form[T]
}

func (list Forms[T]) Words() []cmdline.Word {
	all := make([]cmdline.Word, len(list))
	for i, f := range list {
		all[i] = cmdline.Word{Name: f.Name, Means: cmdline.FormatMeans[f.Name]}
	}
	return all
}

func (list Forms[T]) named(format string) (form[T], error) {
	for _, f := range list {
		if f.Name == format {
			return f.Write, nil
		}
	}
	known := cmdline.WordNames(list.Words())
	if name, path, toFile := strings.Cut(format, "="); toFile && slices.Contains(known, name) {
		return nil, &cmdline.UsageError{
			Message: fmt.Sprintf("--format %s names a file, but this command writes to standard output", format),
			Hint:    fmt.Sprintf("redirect the output: --format %s > %s", name, cmp.Or(path, "FILE")),
		}
	}
	return nil, cmdline.BadValue("format", format, known)
}

// form formats an answer. Write errors are kept in the writer; it returns only errors of the answer.
type form[T any] func(*bufio.Writer, T) error

func (write form[T]) show(env cmdline.Env, answer T) error {
	out := bufio.NewWriter(env.Stdout)
	if err := write(out, answer); err != nil {
		return err // Flush would say it again
	}
	return out.Flush()
}

// WriteJSON writes the JSON document of a command with Forms, safe for terminals.
func WriteJSON(w io.Writer, document any) error {
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

// WriteReport writes a report in a format of package report. do writes findings and answers.
func WriteReport(w io.Writer, format string, run report.Run, do func(report.Writer) (report.Summary, error)) error {
	run.Version = buildinfo.Version
	out, err := report.New(format, w, run, report.Options{})
	if err != nil {
		return err
	}
	sum, err := do(out)
	if err != nil {
		return err
	}
	return out.Close(sum)
}

// Shown describes a command with Forms.
type Shown struct {
	Run    report.Run // of its forms that are reports: html and markdown
	Schema string     // the name of its JSON document
	Lists  []string   // lists of the document, empty without an answer
}

// Showing completes a command with Forms: do computes the result, and the form chosen by --format prints it, also
// for ErrNo. If do fails, even with a usage error, JSON output is a document with the reason.
func Showing[T any](env cmdline.Env, what Shown, list Forms[T], cmd *cli.Command, do func(*cli.Context) (T, error)) *cli.Command {
	for i, f := range cmd.Flags {
		if format, ok := f.(*cli.StringFlag); ok && format.Name == "format" {
			cmd.Flags[i] = cmdline.OneOf(format, list.Words()...)
		}
	}
	cmd.Action = func(c *cli.Context) error {
		layout, err := list.named(c.String("format"))
		if err != nil {
			return err
		}
		answer, err := do(c)
		if _, asked := errors.AsType[*ConfiguredInputs](err); asked {
			return err // for showingConfig
		}
		if err != nil && !errors.Is(err, cmdline.ErrNo) {
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

// fail prints a document with the reason if JSON was requested, and returns the reason.
func (s Shown) fail(env cmdline.Env, c *cli.Context, reason error) error {
	said, format := reason.Error(), c.String("format")
	if errors.Is(reason, context.Canceled) {
		said = "interrupted"
	}
	switch format {
	case "json":
	case "html", "markdown":
		err := WriteReport(env.Stdout, format, s.Run, func(out report.Writer) (report.Summary, error) {
			return report.Summary{Failed: true}, out.Fail(said)
		})
		return cmp.Or(err, reason)
	default:
		return reason
	}
	var text bytes.Buffer
	err := WriteJSON(&text, struct {
		Schema string   `json:"schema"`
		Status string   `json:"status"`
		Errors []string `json:"errors"`
	}{s.Schema, "error", []string{said}})
	if err != nil {
		return err
	}
	const end = "\n}\n"
	text.Truncate(text.Len() - len(end))
	for _, list := range s.Lists {
		fmt.Fprintf(&text, ",\n  %q: []", list)
	}
	text.WriteString(end)
	if _, err := env.Stdout.Write(text.Bytes()); err != nil {
		return err
	}
	return reason
}

// NotAllowed is the message for an input whose data the privacy classes forbid.
const NotAllowed = "the data is not allowed by its classes"

// FaultIn returns an error for the first fault of a document, with its position and a hint.
func FaultIn(file string, fault error) error {
	var at oatf.Position
	help := "`cupel oatf lint` shows every fault in its place"
	if parse, ok := errors.AsType[*oatf.ParseError](fault); ok {
		at = parse.Position
		if parse.Help != "" {
			help = parse.Help + "; " + help
		}
	} else if invalid, ok := errors.AsType[*oatf.ValidationError](fault); ok {
		at = invalid.Position
	}
	return &cmdline.Hinted{Err: errors.New(Placed(file, at, fault.Error())), Hint: help}
}

// Placed formats an error or warning with its position as FILE:LINE:COLUMN.
func Placed(file string, at oatf.Position, said string) string {
	if at.Line == 0 {
		return file + ": " + said
	}
	_, said, _ = strings.Cut(said, ": ")
	return fmt.Sprintf("%s:%d:%d: %s", file, at.Line, at.Column, said)
}

// Endings describe how a followed log ended.
var Endings = map[trace.EndReason]string{
	trace.Rotated:   "the path now belongs to another file",
	trace.Removed:   "the path no longer exists",
	trace.Rewritten: "the file is shorter than what was read",
	trace.Finished:  "the log has its SESSION_END or CHAIN_SEAL",
}

// ConfiguredInputs is returned to end a run with --show-config once its inputs are known.
type ConfiguredInputs []ConfiguredName

// ConfiguredName is an input and which cupel.yaml applies to it.
type ConfiguredName struct {
	Name  string
	Files Origin
	err   error // why it leads to no input
}
