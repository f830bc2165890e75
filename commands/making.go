package commands

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"

	"github.com/urfave/cli/v2"

	"github.com/cupel-dev/cupel/internal/door"
	"github.com/cupel-dev/cupel/internal/report"
	"github.com/cupel-dev/cupel/internal/say"
	"github.com/cupel-dev/cupel/internal/source"
	"github.com/cupel-dev/cupel/internal/walk"
)

// making is a run of a command that makes one file of one input and reports on both.
//
// Without --output the file lies beside the input under a name that follows from the
// input's, and must not be there yet. With it, a file that is there is replaced. "-" is
// standard output; the report then goes to standard error. The file is there when all of it
// is, and nothing is where the answer is no.
type making struct {
	env     Env // with the process's own standard output
	c       *cli.Context
	out     *output
	name    string // of the file; "-": standard output
	implied bool   // the name follows from the input's
}

// makingFlags are the flags of a command that makes a file. Beside says under which name.
func makingFlags(category, beside string) []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "output", Aliases: []string{"o"}, Category: category, Usage: "write into `FILE`, \"-\" for standard output (default: " + beside + ", where nothing is)"},
		&cli.StringFlag{Name: "stdin-name", Category: "Input", Usage: "`PATH` that reports show for standard input"},
	}
}

// makingFile completes a command that makes a file. Beside is the name of the file for that
// of an input.
func makingFile(env Env, run report.Run, describe func() *cli.Command, beside func(string) string, do func(*making, walk.Input) (report.Summary, error)) *cli.Command {
	implied := false
	complete := func(screen Env) *cli.Command {
		return reporting(screen, run, describe(), func(c *cli.Context, out *output) (report.Summary, error) {
			m := &making{env: env, c: c, out: out, name: c.String("output"), implied: implied}
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
			if err := c.Set("output", beside(operand)); err != nil {
				return err
			}
		}
		return shown(c)
	}
	return cmd
}

// input is the one input.
func (m *making) input() (in walk.Input, err error) {
	if n := m.c.Args().Len(); n > 1 {
		return in, &usageError{fmt.Sprintf("one file is made of one input, but there are %d", n), ""}
	}
	operand := m.c.Args().First()
	if info, err := door.Stat(operand); err == nil && info.IsDir() {
		return in, isFolder(operand)
	}
	list, err := openInputs(m.env, m.c, reads{Packed: []string{source.Gzip}})
	switch {
	case err != nil:
		return in, err
	case len(list) != 1 || m.implied && list[0].Path != operand:
		return in, &usageError{fmt.Sprintf("%q is a pattern, expected a file", operand), ""}
	}
	return list[0], nil
}

// named refuses a name that cannot be written to.
func (m *making) named() error {
	switch {
	case m.name == "":
		return &usageError{"the output has no name: standard input has none", "-o FILE names it, and -o - writes to standard output"}
	case !m.implied:
		return nil
	}
	_, err := door.Lstat(m.name)
	switch {
	case err == nil:
		return isThere(m.name, fmt.Sprintf("-o FILE writes into another file; -o %s replaces this one", m.name))
	case errors.Is(err, fs.ErrNotExist):
		return nil
	}
	return say.Plain(err)
}

// write makes the file of what do writes. When do says that it is no good, there is none.
func (m *making) write(do func(io.Writer) (good bool, err error)) (made bool, err error) {
	if err := m.named(); err != nil {
		return false, err
	}
	if m.name == "-" {
		made, err = staged(m.env.Stdout, do)
		return made, plainWrite(err)
	}
	f, err := m.out.Make(m.name)
	if err != nil {
		return false, plainWrite(err)
	}
	if f.Direct() {
		made, err = staged(f, do)
	} else {
		made, err = do(f)
	}
	if !made {
		m.out.unmake()
	}
	return made, plainWrite(err)
}

// staged writes to what shows at once only when all is there.
func staged(w io.Writer, do func(io.Writer) (bool, error)) (bool, error) {
	stage, err := newTempFile()
	if err != nil {
		return false, err
	}
	defer stage.discard()
	if made, err := do(stage); err != nil || !made {
		return made, err
	}
	_, err = io.Copy(w, io.NewSectionReader(stage, 0, math.MaxInt64))
	return err == nil, err
}

// plainWrite words an error of writing.
func plainWrite(err error) error {
	if _, ok := errors.AsType[*hinted](err); ok {
		return err
	}
	return say.Plain(err)
}

// tempFile is a temporary file whose errors say what to do about them.
type tempFile struct{ *door.Temp }

func newTempFile() (tempFile, error) {
	f, err := door.NewTemp()
	return tempFile{f}, tempFailed(err)
}

func (t tempFile) Write(b []byte) (int, error) {
	n, err := t.Temp.Write(b)
	return n, tempFailed(err)
}

// discard gives the file up.
func (t tempFile) discard() { _ = t.Close() } // what it holds is not wanted any more

func tempFailed(err error) error {
	if err == nil {
		return nil
	}
	return &hinted{say.Plain(err), "TMPDIR names the folder of temporary files, which takes all events"}
}
