package app

import (
	"context"
	"errors"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/cupel-dev/cupel/commands/internal/cmdline"
	"github.com/cupel-dev/cupel/internal/report"
)

// Spec is a command with options of type O: its help, report and action. Flags binds flags to options; Run only
// sees their values.
type Spec[O any] struct {
	Name        string // in full: "evidence hash"
	Usage       string // one sentence
	Operands    string // "PATH…"
	Examples    []string
	Description string
	cmdline.About

	Report report.Run // its report, if it has a schema
	Shows  Shown      // what it shows instead of a report, if it has a schema

	Flags func(*O) []cli.Flag // nil: no specific flags
	Run   func(context.Context, *Run, O) error
}

type Run struct {
	cmdline.Env
	Operands []string
	Out      *Output        // nil: the command reports nothing
	Summary  report.Summary // summary of the report

	shows Shown
	c     *cli.Context
}

// Line returns the run's command line, from which inputs are opened.
func (r *Run) Line() *cli.Context { return r.c }

// DistinctFiles is the function of that name for the run's command line.
func (r *Run) DistinctFiles(toStdout bool) error { return DistinctFiles(r.Env, r.c, toStdout) }

// Command returns the command, independent of the type of its options.
func (s Spec[O]) Command() Command { return Command{Name: s.Name, About: s.About, Make: s.make} }

func (s Spec[O]) make(env cmdline.Env) *cli.Command {
	words, o := strings.Fields(s.Name), new(O)
	cmd := &cli.Command{
		Name: words[len(words)-1], Usage: s.Usage, ArgsUsage: s.Operands,
		UsageText: strings.Join(s.Examples, "\n"), Description: s.Description,
	}
	if s.Flags != nil {
		cmd.Flags = s.Flags(o)
	}
	run := func(c *cli.Context, out *Output) (report.Summary, error) {
		r := &Run{Env: env, Operands: c.Args().Slice(), Out: out, shows: s.Shows, c: c}
		err := s.Run(c.Context, r, *o)
		return r.Summary, err
	}
	if s.Report.Schema != "" {
		return Reporting(env, s.Report, cmd, run)
	}
	cmd.Action = func(c *cli.Context) error {
		_, err := run(c, nil)
		return err
	}
	if s.Shows.Schema != "" {
		cmd.OnUsageError = func(c *cli.Context, mistake error, _ bool) error { return s.Shows.fail(env, c, mistake) }
	}
	return cmd
}

// FormatOption is --format of a command that shows one thing.
type FormatOption struct{ Format string }

func (o FormatOption) format() string { return o.Format }

func (o *FormatOption) Flag(usage string, words []cmdline.Word) cli.Flag {
	return cmdline.OneOf(&cli.StringFlag{Name: "format", Category: "Output", Value: "text", Destination: &o.Format, Usage: usage}, words...)
}

// Answer returns the Run function of a command that prints one thing. do computes it, and the form chosen by
// --format prints it, also for [cmdline.ErrNo]. If do fails, JSON output is a document with the reason.
func Answer[T any, O interface{ format() string }](list Forms[T], do func(context.Context, *Run, O) (T, error)) func(context.Context, *Run, O) error {
	return func(ctx context.Context, r *Run, o O) error {
		layout, err := list.named(o.format())
		if err != nil {
			return err
		}
		answer, err := do(ctx, r, o)
		if err != nil && !errors.Is(err, cmdline.ErrNo) {
			return r.shows.fail(r.Env, r.c, err)
		}
		if failure := layout.show(r.Env, answer); failure != nil {
			return failure
		}
		return err
	}
}
