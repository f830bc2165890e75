package commands

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/cupel-dev/cupel/finding"
	"github.com/cupel-dev/cupel/internal/suggest"
	"github.com/cupel-dev/cupel/internal/walk"
	"github.com/cupel-dev/cupel/oatf"
	"github.com/cupel-dev/cupel/oatf/migrate"
)

func oatfMigrateCommand(env Env) *cli.Command {
	const category = "Migration"
	return showingConfig(env, &cli.Command{
		Name:      "migrate",
		Usage:     "carry OATF documents from one revision of the format to another, with their comments and layout",
		ArgsUsage: "[FILE…]",
		UsageText: "cupel oatf migrate --to 2026-03 attack.yaml\ncupel oatf migrate --to sdk-0.1 -d attacks/\ncupel oatf migrate --to 2026-03 -w 'attacks/**/*.yaml'",
		Flags: slices.Concat([]cli.Flag{
			amongst(&cli.StringFlag{Name: "to", Category: category, Usage: "`REVISION` that the documents shall follow: " + strings.Join(revisionNames()[1:], ", ")}, revisionWords()...),
			&cli.BoolFlag{Name: "diff", Aliases: []string{"d"}, Category: category, Usage: "show what would change"},
			&cli.BoolFlag{Name: "write", Aliases: []string{"w"}, Category: category, Usage: "replace the files"},
			revisionFlag(category, byMarks),
		}, documentLimitFlags(category), sharedFlags()),
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
			inputs, err := openInputs(env, c, oatfReads())
			if err != nil {
				return err
			}
			return m.run(inputs)
		},
	})
}

// migrating is one run of `cupel oatf migrate`.
type migrating struct {
	env         Env
	options     migrate.Options
	diff, write bool
}

func readMigration(env Env, c *cli.Context) (*migrating, error) {
	to, ok := revisionNamed(c.String("to"))
	switch {
	case !c.IsSet("to"):
		return nil, &usageError{"--to is missing", suggest.KnownHint(revisionNames()[1:])}
	case !ok || to == "":
		return nil, &usageError{fmt.Sprintf("unknown revision %q for --to", c.String("to")), strings.Replace(revisionHint(c.String("to")), autoRevision+", ", "", 1)}
	}
	from, err := givenRevision(c)
	if err != nil {
		return nil, err
	}
	limits, err := documentLimits(c)
	if err != nil {
		return nil, err
	}
	return &migrating{env: env, options: migrate.Options{To: to, From: from, Limits: limits}, diff: c.Bool("diff"), write: c.Bool("write")}, nil
}

// run migrates each input, and goes on after one that cannot be. What the other revision has
// no counterpart of makes the answer no.
func (m *migrating) run(inputs []walk.Input) error {
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
			sayError(m.env, err)
		}
	}
	switch {
	case failed:
		return errSaid
	case lossy:
		return errNo
	}
	return nil
}

// document migrates one input. Lost says that something has no counterpart.
func (m *migrating) document(in walk.Input) (lost bool, err error) {
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
		hint(m.env, fmt.Sprintf("%s: the document is of revision %s already", in.Name, result.To))
	}
	if result.Untold {
		hint(m.env, fmt.Sprintf("%s: nothing in the document tells that it is of revision %[2]s: read it with --revision %[2]s", in.Name, result.To))
	}
	for _, n := range result.Notes {
		warn(m.env, fmt.Sprintf("%s:%d:%d: %s: %s", in.Name, n.Line, n.Column, n.Path, n.Message))
	}
	return result.Lossy(), nil
}

// fault words why a document cannot be migrated.
func (m *migrating) fault(name string, err error) error {
	if _, ok := errors.AsType[oatf.ParseErrors](err); ok {
		return faultIn(name, err)
	}
	return &hinted{fmt.Errorf("%s: %w", name, err), "`cupel oatf fmt` gives it a layout that can be changed"}
}

// put shows, writes or prints what becomes of a document.
func (m *migrating) put(in walk.Input, text []byte, result *migrate.Result) error {
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
