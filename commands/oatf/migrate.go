package oatfcmd

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/cupel-dev/cupel/commands/internal/app"
	"github.com/cupel-dev/cupel/commands/internal/cmdline"
	"github.com/cupel-dev/cupel/commands/internal/input"
	"github.com/cupel-dev/cupel/finding"
	"github.com/cupel-dev/cupel/internal/suggest"
	"github.com/cupel-dev/cupel/internal/walk"
	"github.com/cupel-dev/cupel/oatf"
	"github.com/cupel-dev/cupel/oatf/migrate"
)

// MigrateCommand is `cupel oatf migrate`.
func MigrateCommand(env cmdline.Env) *cli.Command {
	const category = "Migration"
	return app.ShowingConfig(env, &cli.Command{
		Name:      "migrate",
		Usage:     "convert OATF documents to another revision of the format, keeping comments and layout",
		ArgsUsage: "[FILE…]",
		UsageText: "cupel oatf migrate --to 2026-03 attack.yaml\ncupel oatf migrate --to sdk-0.1 -d attacks/\ncupel oatf migrate --to 2026-03 -w 'attacks/**/*.yaml'",
		Flags: slices.Concat([]cli.Flag{
			cmdline.OneOf(&cli.StringFlag{Name: "to", Category: category, Usage: "target `REVISION`: " + strings.Join(app.RevisionNames()[1:], ", ")}, app.RevisionWords()...),
			&cli.BoolFlag{Name: "diff", Aliases: []string{"d"}, Category: category, Usage: "show the changes"},
			&cli.BoolFlag{Name: "write", Aliases: []string{"w"}, Category: category, Usage: "replace the files"},
			app.RevisionFlag(category, app.ByMarks),
		}, documentLimitFlags(category), input.SharedFlags()),
		Action: func(c *cli.Context) error {
			m, err := readMigration(env, c)
			if err != nil {
				return err
			}
			if !m.diff && !m.write {
				in, err := oneDocument(env, c)
				if err != nil {
					return err
				}
				return m.run([]walk.Input{in})
			}
			inputs, err := input.OpenInputs(env, c, oatfReads())
			if err != nil {
				return err
			}
			return m.run(inputs)
		},
	})
}

// migrateRun is one run of `cupel oatf migrate`.
type migrateRun struct {
	env         cmdline.Env
	options     migrate.Options
	diff, write bool
}

func readMigration(env cmdline.Env, c *cli.Context) (*migrateRun, error) {
	to, ok := app.RevisionNamed(c.String("to"))
	switch {
	case !c.IsSet("to"):
		return nil, &cmdline.UsageError{Message: "--to is missing", Hint: suggest.KnownHint(app.RevisionNames()[1:])}
	case !ok || to == "":
		return nil, &cmdline.UsageError{Message: fmt.Sprintf("unknown revision %q for --to", c.String("to")), Hint: strings.Replace(app.RevisionHint(c.String("to")), app.AutoRevision+", ", "", 1)}
	}
	from, err := app.GivenRevision(c)
	if err != nil {
		return nil, err
	}
	limits, err := documentLimits(c)
	if err != nil {
		return nil, err
	}
	return &migrateRun{env: env, options: migrate.Options{To: to, From: from, Limits: limits}, diff: c.Bool("diff"), write: c.Bool("write")}, nil
}

// run migrates each input and continues after failures. Content without an equivalent causes exit code 1.
func (m *migrateRun) run(inputs []walk.Input) error {
	failed, lossy := false, false
	for _, in := range inputs {
		if err := m.env.Context.Err(); err != nil {
			return err
		}
		lost, err := m.document(in)
		lossy = lossy || lost
		switch {
		case endsRewriting(err):
			return err
		case err != nil:
			failed = true
			cmdline.SayError(m.env, err)
		}
	}
	switch {
	case failed:
		return cmdline.ErrSaid
	case lossy:
		return cmdline.ErrNo
	}
	return nil
}

// document migrates one input. lost means that something has no equivalent.
func (m *migrateRun) document(in walk.Input) (lost bool, err error) {
	text, err := readDocument(in, nil, m.options.Limits.Bytes)
	if err != nil {
		return false, err
	}
	result, err := m.options.Migrate(text)
	if err != nil {
		return false, m.fault(in.Name, err)
	}
	if err = m.put(in, text, result); err != nil {
		return false, err
	}
	if result.From == result.To {
		cmdline.Hint(m.env, fmt.Sprintf("%s: the document already has revision %s", in.Name, result.To))
	}
	if result.Untold {
		cmdline.Hint(m.env, fmt.Sprintf("%s: the document does not show its revision %[2]s: read it with --revision %[2]s", in.Name, result.To))
	}
	for _, n := range result.Notes {
		cmdline.Warn(m.env, fmt.Sprintf("%s:%d:%d: %s: %s", in.Name, n.Line, n.Column, n.Path, n.Message))
	}
	return result.Lossy(), nil
}

// fault returns the error for a document that cannot be migrated.
func (m *migrateRun) fault(name string, err error) error {
	if _, ok := errors.AsType[oatf.ParseErrors](err); ok {
		return app.FaultIn(name, err)
	}
	return &cmdline.Hinted{Err: fmt.Errorf("%s: %w", name, err), Hint: "run `cupel oatf fmt` first: it gives the document a layout that can be changed"}
}

// put prints the migrated document, its diff, or writes it.
func (m *migrateRun) put(in walk.Input, text []byte, result *migrate.Result) error {
	if m.diff && len(result.Edits) > 0 {
		if err := showDiff(m.env.Stdout, in.Name, "revision "+string(result.To), text, result.Edits); err != nil {
			return unshown(err)
		}
	}
	switch {
	case m.write && len(result.Edits) > 0:
		return replaceDocument(m.env, in, text, result.Edits, m.options.Limits)
	case m.write || m.diff:
		return nil
	}
	changed, err := finding.Apply(text, result.Edits)
	if err == nil {
		_, err = m.env.Stdout.Write(changed)
	}
	return err
}
