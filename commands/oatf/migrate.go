package oatfcmd

import (
	"errors"
	"fmt"
	"slices"

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
		Usage:     "convert OATF documents of an earlier revision to 2026-03, keeping comments and layout",
		ArgsUsage: "[FILE…]",
		UsageText: "cupel oatf migrate attack.yaml\ncupel oatf migrate -d attacks/\ncupel oatf migrate --to 2026-03 -w 'attacks/**/*.yaml'",
		Flags: slices.Concat([]cli.Flag{
			cmdline.OneOf(&cli.StringFlag{Name: "to", Category: category, Value: string(oatf.V202603), Usage: "target `REVISION`"},
				cmdline.Word{Name: string(oatf.V202603), Means: "the latest revision of OATF"}),
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
	case !ok || to == "":
		return nil, &cmdline.UsageError{
			Message: fmt.Sprintf("unknown revision %q for --to", c.String("to")),
			Hint:    suggest.HintOrKnown(c.String("to"), []string{string(oatf.V202603)}),
		}
	case to == oatf.SDK01:
		return nil, &cmdline.UsageError{
			Message: fmt.Sprintf("cannot migrate to %s: it cannot express constructs of %s, such as tier, actor, "+
				"and indicators without a surface", to, oatf.V202603),
			Hint: fmt.Sprintf("documents migrate to %s only; the table of `cupel help oatf-revisions` helps to write "+
				"a document of %s by hand", oatf.V202603, to),
		}
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
	text, err := readDocument(in, m.options.Limits.Bytes)
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
	if result.Unmarked {
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
