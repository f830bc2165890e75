package commands

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/rogpeppe/go-internal/diff"
	"github.com/urfave/cli/v2"

	"github.com/cupel-dev/cupel/internal/door"
	"github.com/cupel-dev/cupel/internal/say"
	"github.com/cupel-dev/cupel/internal/walk"
	"github.com/cupel-dev/cupel/oatf"
	"github.com/cupel-dev/cupel/oatf/format"
)

func oatfFmtCommand(env Env) *cli.Command {
	const category = "Format"
	return &cli.Command{
		Name:      "fmt",
		Usage:     "lay out OATF documents: indentation, blanks, quotes where a reader would retype a string",
		ArgsUsage: "[PATH…]",
		UsageText: "cupel oatf fmt attack.yaml\ncupel oatf fmt -l -d attacks/\ncupel oatf fmt -w 'attacks/**/*.yaml'",
		Flags: append([]cli.Flag{
			&cli.BoolFlag{Name: "list", Aliases: []string{"l"}, Category: category, Usage: "list the files whose layout differs, and answer no when there are any"},
			&cli.BoolFlag{Name: "diff", Aliases: []string{"d"}, Category: category, Usage: "show what would change, and answer no when anything would"},
			&cli.BoolFlag{Name: "write", Aliases: []string{"w"}, Category: category, Usage: "replace the files"},
			changedFlag(category),
		}, inputFlags()...),
		Action: func(c *cli.Context) error {
			f := &formatting{env: env, list: c.Bool("list"), diff: c.Bool("diff"), write: c.Bool("write")}
			if !f.list && !f.diff && !f.write {
				in, err := oneDocument(env, c)
				if err != nil {
					return err
				}
				return f.print(in)
			}
			inputs, err := openInputs(env, c, oatfReads())
			if err != nil {
				return err
			}
			return f.run(inputs)
		},
	}
}

// formatting is one run of `cupel oatf fmt`.
type formatting struct {
	env               Env
	list, diff, write bool
}

// print writes the formatted document to standard output.
func (f *formatting) print(in walk.Input) error {
	_, formatted, err := formatInput(in)
	if err == nil {
		_, err = f.env.Stdout.Write(formatted)
	}
	return err
}

// run does what the flags ask for with each input, and goes on after one that cannot
// be read. Without --write, a layout that differs makes the answer no.
func (f *formatting) run(inputs []walk.Input) error {
	failed, differs := false, false
	for _, in := range inputs {
		if err := f.env.Context.Err(); err != nil {
			return err
		}
		text, formatted, err := formatInput(in)
		if err == nil && !bytes.Equal(text, formatted) {
			differs = true
			if err = f.show(in, text, formatted); err == nil && f.write {
				err = f.replace(in, formatted)
			}
		}
		switch {
		case errors.Is(err, context.Canceled):
			return err
		case err != nil:
			failed = true
			sayError(f.env, err)
		}
	}
	switch {
	case failed:
		return errSaid
	case differs && !f.write:
		return errNo
	}
	return nil
}

func (f *formatting) show(in walk.Input, text, formatted []byte) error {
	if f.list {
		if _, err := fmt.Fprintln(f.env.Stdout, say.Visible(in.Name)); err != nil {
			return err
		}
	}
	if f.diff {
		_, err := io.WriteString(f.env.Stdout, shownDiff(in.Name, text, formatted))
		return err
	}
	return nil
}

// shownDiff is what formatting changes of a file, for the eye: what cannot be seen is
// escaped, in the lines of the file, too.
func shownDiff(name string, text, formatted []byte) string {
	const headLines = 3 // they repeat the names
	lines := strings.SplitAfterN(string(diff.Diff("", text, "", formatted)), "\n", headLines+1)
	name = say.Visible(name)
	head := fmt.Sprintf("diff %[1]s %[1]s (formatted)\n--- %[1]s\n+++ %[1]s (formatted)\n", name)
	return head + say.Lines(lines[headLines])
}

// formatInput reads an input and formats it.
func formatInput(in walk.Input) (text, formatted []byte, err error) {
	if text, err = readDocument(in, nil, oatf.DefaultMaxBytes); err != nil {
		return nil, nil, err
	}
	if formatted, err = format.Format(text); err != nil {
		return nil, nil, faultIn(in.Name, err)
	}
	return text, formatted, nil
}

// replace puts the new text in a document's place. The file keeps its
// permissions, and a symbolic link stays one.
func (f *formatting) replace(in walk.Input, text []byte) error {
	if in.Path == "" {
		return errors.New("standard input cannot be replaced")
	}
	info, err := door.Stat(in.Path)
	if err != nil {
		return walk.Plain(err)
	}
	if !info.Mode().IsRegular() {
		return fmt.Errorf("cannot replace %q: not a regular file", in.Name)
	}
	return walk.Plain(door.ReplaceFile(f.env.Context, in.Path, text, info.Mode().Perm()))
}
