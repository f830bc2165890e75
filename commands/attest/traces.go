package attestcmd

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/cupel-dev/cupel/attest"
	"github.com/cupel-dev/cupel/attest/importer"
	"github.com/cupel-dev/cupel/commands/internal/app"
	"github.com/cupel-dev/cupel/commands/internal/cmdline"
	"github.com/cupel-dev/cupel/commands/internal/input"
	"github.com/cupel-dev/cupel/commands/internal/recognize"
	"github.com/cupel-dev/cupel/finding"
	"github.com/cupel-dev/cupel/internal/ordered"
	"github.com/cupel-dev/cupel/internal/source"
	"github.com/cupel-dev/cupel/internal/walk"
)

// dialogReads returns the inputs of commands on attest traces.
func dialogReads(c *cli.Context, passed *input.PassedOver) input.Reads {
	what := input.Reads{Patterns: input.TraceFiles, Unpacks: true, PassedOver: passed.Add}
	if c.String("from") == string(importer.Attest) {
		what.As = input.KindDialog
	}
	return what
}

// namedTrace is a trace of an input, or the error of reading it.
type namedTrace struct {
	importer.Trace
	file string // the input's display name
	name string // the same, with the trace's label
	err  error

	first bool // of the input
}

// refusal returns the protocol's error in err, or nil.
func refusal(err error) *attest.Error {
	refused, _ := errors.AsType[*attest.Error](err)
	return refused
}

// refusal returns why there is no trace, or the error of the engine in of.
func (t namedTrace) refusal(of func(attest.TraceText) error) *attest.Error {
	if t.Refused != nil {
		return t.Refused
	}
	return refusal(of(t.TraceText))
}

// finding returns the finding about a rejected trace, with a hint if it resembles another format.
func (t namedTrace) finding(refused *attest.Error) finding.Finding {
	f := t.Finding(t.file, refused)
	if t.From != importer.Attest {
		return f
	}
	if looks := importer.Looks(t.Raw); looks != "" {
		f.Help = fmt.Sprintf("the input looks like the format %s: read it with --from %[1]s", looks)
	}
	return f
}

// unreadTraces returns the error for an unreadable input.
func unreadTraces(name string, err error) error {
	if unknown, ok := errors.AsType[*importer.UnknownError](err); ok {
		if unknown.Line > 0 { // the input is text
			err = source.AtLine(unknown.Line, err)
		}
		return &cmdline.Hinted{
			Err:  cmdline.Unread(strconv.Quote(name), err),
			Hint: "--from names the format; " + importHint,
		}
	}
	return &cmdline.Hinted{Err: cmdline.Unread(strconv.Quote(name), err), Hint: cmp.Or(cmdline.HintOf(err), importHint)}
}

// notBinary refuses a file whose first bytes show a binary format, such as Parquet. It returns the text to read.
func notBinary(name string, file io.Reader) (*bufio.Reader, error) {
	text := bufio.NewReader(file)
	if first, _ := text.Peek(1); len(first) == 0 || first[0] == '{' || first[0] == '[' {
		return text, nil // do not wait for more of a stream
	}
	head, _ := text.Peek(recognize.MagicBytes)
	if format := recognize.Binary(head); format != "" {
		return nil, &cmdline.Hinted{Err: fmt.Errorf("%q is %s, expected JSON or OTLP in Protocol Buffers", name, format), Hint: "export the runs as JSON; " + importHint}
	}
	return text, nil
}

// importHint says where the formats are described.
const importHint = "`cupel help attest-import` shows what each format looks like"

func importFlag(category string) cli.Flag {
	return cmdline.OneOf(&cli.StringFlag{
		Name: "from", Category: category, Value: string(importer.Attest),
		Usage: "`FORMAT` of the inputs, converted to traces unless it is attest: " + strings.Join(input.ImportFormats(), ", "),
	}, input.ImportWords()...)
}

func importFormat(c *cli.Context) (importer.Format, error) {
	known, name := input.ImportFormats(), c.String("from")
	if !slices.Contains(known, name) {
		return "", cmdline.BadValue("from", name, known)
	}
	return importer.Format(name), nil
}

// readAs returns a remark on the detected format of an input, with its first trace. Native traces do not have one.
func (t namedTrace) readAs() []string {
	said := t.readFrom()
	if c := t.Coverage; c != nil && !c.Complete {
		said = append(said, fmt.Sprintf("%s: incomplete: %s", t.name, c.Text()))
	}
	return said
}

// readFrom returns a remark on the format of an input.
func (t namedTrace) readFrom() []string {
	switch {
	case !t.first || t.origin() == "" && len(t.Also) == 0:
		return nil
	case len(t.Also) > 0:
		return []string{fmt.Sprintf("%s: read as %s, but it could also be %s; choose with --from", t.file, t.From, t.Also[0])}
	case t.Left > 0:
		return []string{fmt.Sprintf("%s: read as %s; skipped because no agent is involved: %s", t.file, t.From, cmdline.Counted(t.Left, "trace"))}
	}
	return []string{fmt.Sprintf("%s: read as %s", t.file, t.From)}
}

// origin returns the member "from", empty for a native trace.
func (t namedTrace) origin() importer.Format {
	if t.From == importer.Attest {
		return ""
	}
	return t.From
}

// traceWork processes traces: work concurrently, then deliver in order. Read errors are passed to fail, and the run
// continues.
type traceWork[Out any] struct {
	out     *app.Output
	engine  *attest.Engine
	from    importer.Format
	memory  int // bytes that the traces which are alive may take together, by estimate; 0: the default
	work    func(namedTrace) Out
	deliver func(namedTrace, Out) error
	fail    func(name string, err error) error
}

func (w traceWork[Out]) run(env cmdline.Env, c *cli.Context, inputs []walk.Input) error {
	workers, err := app.Jobs(c)
	if err != nil {
		return err
	}
	ctx, stop := context.WithCancel(env.Context)
	defer stop()
	w.out.Plan(inputs)
	bar := w.out.ProgressOfMany("reading traces", -1)
	defer bar.End()
	traces := make(chan namedTrace)
	go func() {
		defer close(traces)
		w.read(ctx, inputs, bar, traces)
	}()
	return ordered.Pipeline[namedTrace, Out]{
		Jobs:   workers,
		Weight: func(t namedTrace) int { return len(t.Raw) + int(w.engine.Weight(t.Raw)) + t.Weight },
		Budget: w.budget(),
		Read: func(namedTrace) (namedTrace, error) {
			t, ok := <-traces
			if !ok {
				return t, io.EOF
			}
			return t, nil
		},
		NewWorker: func() func(namedTrace) Out {
			return func(t namedTrace) (out Out) {
				if t.err == nil {
					out = w.work(t)
				}
				return out
			}
		},
		Deliver: func(t namedTrace, out Out) error {
			if t.err != nil {
				return w.fail(t.name, t.err)
			}
			return w.deliver(t, out)
		},
	}.Run(ctx)
}

// budget returns the memory limit for traces in progress. An import also needs memory for the source.
func (w traceWork[Out]) budget() int {
	if w.from == importer.Attest {
		return w.memory
	}
	return cmp.Or(w.memory, ordered.Budget) / 2
}

func (w traceWork[Out]) read(ctx context.Context, inputs []walk.Input, bar *app.Progress, traces chan<- namedTrace) {
	send := func(t namedTrace) bool {
		select {
		case traces <- t:
			return true
		case <-ctx.Done():
			return false
		}
	}
	for _, in := range inputs {
		more := w.readInput(in, send)
		bar.FileDone(in.Size)
		if !more {
			return
		}
	}
}

// readInput sends the traces of an input until send returns false.
func (w traceWork[Out]) readInput(in walk.Input, send func(namedTrace) bool) bool {
	failed := func(err error) bool { return send(namedTrace{name: in.Name, err: err}) }
	file, err := in.Open()
	if err != nil {
		return failed(err)
	}
	defer func() { _ = file.Close() }()
	text, err := notBinary(in.Name, file)
	if err != nil {
		return failed(err)
	}
	traces := 0
	for read, err := range importer.Traces(w.engine, text, importer.Options{From: w.from, Lines: isLines(in.Name), Held: w.memory / 8 * 5}) {
		if err != nil {
			return failed(unreadTraces(in.Name, err))
		}
		if read.Origin == nil {
			kept := make([]byte, len(read.Raw)) // it outlives the next read
			source.Copy(kept, read.Raw)
			read.Raw = kept
		}
		t := namedTrace{Trace: read, file: in.Name, name: in.Name + read.Label, first: traces == 0}
		traces++
		if !send(t) {
			return false
		}
	}
	if traces == 0 {
		return failed(noTrace(in.Name))
	}
	return true
}
