package oatfcmd

import (
	"fmt"
	"slices"

	"github.com/urfave/cli/v2"

	"github.com/cupel-dev/cupel/commands/internal/app"
	"github.com/cupel-dev/cupel/commands/internal/cmdline"
	"github.com/cupel-dev/cupel/commands/internal/input"
	"github.com/cupel-dev/cupel/finding"
	"github.com/cupel-dev/cupel/internal/say"
	"github.com/cupel-dev/cupel/internal/walk"
	"github.com/cupel-dev/cupel/oatf"
	"github.com/cupel-dev/cupel/oatf/format"
)

// FmtCommand is `cupel oatf fmt`.
func FmtCommand(env cmdline.Env) *cli.Command {
	const category = "Format"
	return app.ShowingConfig(env, &cli.Command{
		Name:      "fmt",
		Usage:     "format OATF documents: indentation, spaces, quotes",
		ArgsUsage: "[PATH…]",
		UsageText: "cupel oatf fmt attack.yaml\ncupel oatf fmt -l -d attacks/\ncupel oatf fmt -w 'attacks/**/*.yaml'",
		Flags: slices.Concat([]cli.Flag{
			&cli.BoolFlag{Name: "list", Aliases: []string{"l", "check"}, Category: category, Usage: "list the files to format, and fail if there are any; or --check"},
			&cli.BoolFlag{Name: "diff", Aliases: []string{"d"}, Category: category, Usage: "show the changes, and fail if there are any"},
			&cli.BoolFlag{Name: "write", Aliases: []string{"w"}, Category: category, Usage: "replace the files"},
			app.RevisionFlag(category, app.ByMarks+", and the layout is the same in all"),
		}, documentLimitFlags(category), input.PickFlags(), input.SharedFlags()),
		Action: func(c *cli.Context) error {
			if _, err := app.GivenRevision(c); err != nil {
				return err
			}
			limits, err := documentLimits(c)
			if err != nil {
				return err
			}
			f := &fmtRun{env: env, limits: limits, list: c.Bool("list"), diff: c.Bool("diff"), write: c.Bool("write")}
			if !f.list && !f.diff && !f.write {
				in, err := oneDocument(env, c)
				if err != nil {
					return err
				}
				return f.print(in)
			}
			inputs, err := input.OpenInputs(env, c, oatfReads())
			if err != nil {
				return err
			}
			return f.run(inputs)
		},
	})
}

// fmtRun is one run of `cupel oatf fmt`.
type fmtRun struct {
	env               cmdline.Env
	limits            oatf.Limits
	list, diff, write bool
}

func (f *fmtRun) print(in walk.Input) error {
	text, edits, err := f.edits(in)
	if err != nil {
		return err
	}
	formatted, err := finding.Apply(text, edits)
	if err == nil {
		_, err = f.env.Stdout.Write(formatted)
	}
	return err
}

// run processes each input and continues after unreadable ones. Without --write, unformatted inputs cause exit code
// 1.
func (f *fmtRun) run(inputs []walk.Input) error {
	failed, differs := false, false
	for _, in := range inputs {
		if err := f.env.Context.Err(); err != nil {
			return err
		}
		text, edits, err := f.edits(in)
		if err == nil && len(edits) > 0 {
			differs = true
			if err = f.show(in, text, edits); err == nil && f.write {
				err = f.replace(in, text, edits)
			}
		}
		switch {
		case endsRewriting(err):
			return err
		case err != nil:
			failed = true
			cmdline.SayError(f.env, err)
		}
	}
	switch {
	case failed:
		return cmdline.ErrSaid
	case differs && !f.write:
		return cmdline.ErrNo
	}
	return nil
}

func (f *fmtRun) show(in walk.Input, text []byte, edits []finding.Edit) error {
	if f.list {
		if _, err := fmt.Fprintln(f.env.Stdout, say.Visible(in.Name)); err != nil {
			return unshown(err)
		}
	}
	if f.diff {
		return unshown(showDiff(f.env.Stdout, in.Name, "formatted", text, edits))
	}
	return nil
}

func (f *fmtRun) edits(in walk.Input) (text []byte, edits []finding.Edit, err error) {
	if text, err = readDocument(in, f.limits.Bytes); err != nil {
		return nil, nil, err
	}
	opt := format.Options{Limits: f.limits}
	if edits, err = opt.Edits(text); err != nil {
		return nil, nil, app.FaultIn(in.Name, err)
	}
	return text, edits, nil
}

func (f *fmtRun) replace(in walk.Input, text []byte, edits []finding.Edit) error {
	return replaceDocument(f.env, in, text, edits, f.limits)
}
