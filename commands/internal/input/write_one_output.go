package input

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"

	"github.com/urfave/cli/v2"

	"github.com/cupel-dev/cupel/commands/internal/app"
	"github.com/cupel-dev/cupel/commands/internal/cmdline"
	"github.com/cupel-dev/cupel/internal/door"
	"github.com/cupel-dev/cupel/internal/report"
	"github.com/cupel-dev/cupel/internal/say"
	"github.com/cupel-dev/cupel/internal/source"
	"github.com/cupel-dev/cupel/internal/walk"
)

// WriteRun is a run of a command that creates one file from one input and reports on both. Without --output, the
// file is next to the input under a derived name and must not exist. With it, an existing file is replaced; "-" is
// stdout, and the report goes to stderr. The file appears only when it is complete and the result is good.
type WriteRun struct {
	Env     cmdline.Env // with the process's own standard output
	C       *cli.Context
	Out     *app.Output
	Name    string // of the file; "-": standard output
	implied bool   // the name follows from the input's
	notes   []report.Fact
}

// Note adds a fact about the created file to the answer.
func (m *WriteRun) Note(name, value string) {
	m.notes = append(m.notes, report.Fact{Name: name, Value: value})
}

// WriteFlags returns the flags of a command that creates a file. defaultName describes the default name.
func WriteFlags(category, defaultName string) []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "output", Aliases: []string{"o"}, Category: category, Usage: "write to `FILE`, \"-\" for standard output (default: " + defaultName + ", where nothing is)"},
		&cli.StringFlag{Name: "stdin-name", Category: "Input", Usage: "`PATH` that reports show for standard input"},
	}
}

// WriteCommand completes a command that creates a file. defaultName derives the file's name from the input's.
func WriteCommand(env cmdline.Env, run report.Run, describe func() *cli.Command, defaultName func(string) string, do func(*WriteRun, walk.Input) (report.Summary, error)) *cli.Command {
	implied := false
	complete := func(screen cmdline.Env) *cli.Command {
		return app.Reporting(screen, run, describe(), func(c *cli.Context, out *app.Output) (report.Summary, error) {
			m := &WriteRun{Env: env, C: c, Out: out, Name: c.String("output"), implied: implied}
			in, err := m.input()
			if err != nil {
				return report.Summary{}, err
			}
			return do(m, in)
		})
	}
	aside := env
	aside.Stdout = env.Stderr
	cmd, quiet := complete(env), complete(aside)
	shown, quieted := cmd.Action, quiet.Action
	cmd.Action = func(c *cli.Context) error {
		if c.String("output") == "-" {
			return quieted(c)
		}
		if operand := c.Args().First(); !c.IsSet("output") && c.Args().Len() == 1 && operand != "-" {
			implied = true
			if err := c.Set("output", defaultName(operand)); err != nil {
				return err
			}
		}
		return shown(c)
	}
	return cmd
}

func (m *WriteRun) input() (in walk.Input, err error) {
	if n := m.C.Args().Len(); n > 1 {
		return in, &cmdline.UsageError{Message: fmt.Sprintf("one output file takes one input, but there are %d", n), Hint: ""}
	}
	operand := m.C.Args().First()
	if info, err := door.Stat(operand); err == nil && info.IsDir() {
		return in, cmdline.IsFolder(operand)
	}
	list, err := OpenInputs(m.Env, m.C, Reads{Packed: []string{source.Gzip}})
	switch {
	case err != nil:
		return in, err
	case len(list) != 1 || m.implied && list[0].Path != operand:
		return in, &cmdline.UsageError{Message: fmt.Sprintf("%q is a pattern, expected a file", operand), Hint: ""}
	}
	return list[0], nil
}

// named checks the output name.
func (m *WriteRun) named() error {
	switch {
	case m.Name == "":
		return &cmdline.UsageError{Message: "name the output: standard input has no name to derive it from", Hint: "name the output with -o FILE; -o - writes to standard output"}
	case !m.implied:
		return nil
	}
	_, err := door.Lstat(m.Name)
	switch {
	case err == nil:
		return cmdline.IsThere(m.Name, fmt.Sprintf("-o FILE writes into another file; -o %s replaces this one", m.Name))
	case errors.Is(err, fs.ErrNotExist):
		return nil
	}
	return say.Plain(err)
}

// WriteFile creates the file from the output of do, unless good is false.
func (m *WriteRun) WriteFile(do func(io.Writer) (good bool, err error)) (made bool, err error) {
	if err := m.named(); err != nil {
		return false, err
	}
	if m.Name == "-" {
		made, err = staged(m.Env.Stdout, do)
		return made, PlainWrite(err)
	}
	f, err := m.Out.Make(m.Name)
	if err != nil {
		return false, PlainWrite(err)
	}
	if f.Direct() {
		made, err = staged(f, do)
	} else {
		made, err = do(f)
	}
	if !made {
		m.Out.Unmake()
	}
	return made, PlainWrite(err)
}

// staged buffers the output of do and writes it only when complete.
func staged(w io.Writer, do func(io.Writer) (bool, error)) (bool, error) {
	stage, err := NewTempFile()
	if err != nil {
		return false, err
	}
	defer stage.Discard()
	if made, err := do(stage); err != nil || !made {
		return made, err
	}
	_, err = io.Copy(w, io.NewSectionReader(stage, 0, math.MaxInt64))
	return err == nil, err
}

// PlainWrite returns a readable write error.
func PlainWrite(err error) error {
	if _, ok := errors.AsType[*cmdline.Hinted](err); ok {
		return err
	}
	return say.Plain(err)
}

// TempFile is a temporary file. Its errors have hints.
type TempFile struct{ *door.Temp }

func NewTempFile() (TempFile, error) {
	f, err := door.NewTemp()
	return TempFile{f}, tempFailed(err)
}

func (t TempFile) Write(b []byte) (int, error) {
	n, err := t.Temp.Write(b)
	return n, tempFailed(err)
}

func (t TempFile) Discard() { _ = t.Close() } // discard its content

func tempFailed(err error) error {
	if err == nil {
		return nil
	}
	return &cmdline.Hinted{Err: say.Plain(err), Hint: "set TMPDIR to a folder with enough space for all events"}
}
