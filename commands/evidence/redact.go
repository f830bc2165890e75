package evidencecmd

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/cupel-dev/cupel/commands/internal/app"
	"github.com/cupel-dev/cupel/commands/internal/cmdline"
	"github.com/cupel-dev/cupel/commands/internal/input"
	"github.com/cupel-dev/cupel/commands/internal/rulelist"
	"github.com/cupel-dev/cupel/evidence"
	"github.com/cupel-dev/cupel/evidence/privacy"
	"github.com/cupel-dev/cupel/evidence/redact"
	"github.com/cupel-dev/cupel/internal/door"
	"github.com/cupel-dev/cupel/internal/report"
	"github.com/cupel-dev/cupel/internal/say"
	"github.com/cupel-dev/cupel/internal/walk"
)

// RedactRun describes the reports of evidence redact.
var RedactRun = report.Run{
	Command: "evidence redact", Schema: "cupel.redact/1", Lists: []string{"changes", "inputs", input.PassedOverList},
	Formats: []string{"text", "json", "jsonl", "html", "markdown"}, Rules: rulelist.VerifyRules, Hide: hidden,
	NotProved: []string{"whether the copy has no private data: redaction removes what its policy and known forms of secrets cover"},
}

// RedactCommand is `cupel evidence redact`. If redacted evidence goes to stdout, the report goes to stderr.
func RedactCommand(env cmdline.Env) *cli.Command {
	aside := env
	aside.Stdout = env.Stderr
	cmd, beside := redactCommand(env, env), redactCommand(env, aside)
	shown, quieted, prove := cmd.Action, beside.Action, proving(env)
	cmd.Action = func(c *cli.Context) error {
		out := c.String("output")
		switch {
		case c.Bool("classes"):
			return showClasses(env, c)
		case proves(c):
			return prove(c)
		case (out == "" || out == "-") && !previews(c) && !c.Bool("show-config"):
			return quieted(c)
		}
		return shown(c)
	}
	return cmd
}

// previews reports whether a run only shows what would be changed.
func previews(c *cli.Context) bool { return c.Bool("check") || c.Bool("diff") }

// redactCommand returns the command, with the report on screen.
func redactCommand(env, screen cmdline.Env) *cli.Command {
	return app.Reporting(screen, RedactRun, &cli.Command{
		Name:      "redact",
		Usage:     "copy evidence without secrets and home folders",
		ArgsUsage: "[PATH…]",
		UsageText: strings.Join([]string{
			"cupel evidence redact run.ndjson > clean.ndjson",
			"cupel evidence redact --report run.redaction.json -o clean.tar.gz run.tar.gz",
			"cupel evidence redact --diff evidence/",
			"cupel evidence redact --classes",
		}, "\n"),
		Description: "In a stream only the values that the classes select change; all other bytes stay. A bundle\nbecomes a new bundle with its own id. cupel writes nothing for an input that\n`cupel evidence verify` rejects, and never overwrites an input.",
		Flags:       append(redactFlags(), input.SharedFlags()...),
	}, func(c *cli.Context, out *app.Output) (report.Summary, error) {
		m := &redactRun{env: env, c: c, out: out, passed: input.PassedOver{None: "no evidence"}}
		if err := m.readFlags(); err != nil {
			return report.Summary{}, err
		}
		what := evidenceReads(&m.passed)
		what.Unpacks = false // output keeps the input's compression
		what.Others = func(in walk.Input) { m.others = append(m.others, in) }
		inputs, err := input.OpenInputs(env, c, what)
		if err == nil {
			err = m.passed.List(c, out)
		}
		if err == nil {
			err = app.OneOf(c, len(inputs), "report")
		}
		if err != nil {
			return report.Summary{}, err
		}
		return m.all(inputs)
	})
}

func redactFlags() []cli.Flag {
	const category, limits = "Redact", "Limits"
	return append(slices.Concat(policyFlags("Classes"), tagFlags(category), redactProofFlags()),
		&cli.BoolFlag{Name: "classes", Category: "Classes", Usage: "print the classes, forbidden names and text rules, then exit; with --format json as a " + privacy.Schema + " document"},
		&cli.StringFlag{Name: "output", Aliases: []string{"o"}, Category: category, Usage: "write to `FILE`, or to an existing folder under each input's name; \"-\": standard output (default: standard output)"},
		&cli.BoolFlag{Name: "check", Category: category, Usage: "write nothing; list the changes, and fail if there are any"},
		&cli.BoolFlag{Name: "diff", Category: category, Usage: "like --check, with the values before and after"},
		&cli.BoolFlag{Name: "accept-unverified", Category: category, Usage: "also redact readable input that fails verification; the report says so"},
		&cli.StringFlag{Name: "report", Category: category, Usage: "write the changes and their rules, without values, to `FILE`: a " + redact.Schema + " document"},
		input.ShowFilesFlag("Input"),
		limitsFlag(limits),
		&cli.IntFlag{Name: "max-findings", Category: limits, Value: evidence.DefaultMaxFindings, Usage: "keep at most `N` errors and N notes of an input and count the rest; -1: all"},
		app.JobsFlag(limits),
	)
}

type redactRun struct {
	env    cmdline.Env // with the process's own standard output
	c      *cli.Context
	out    *app.Output
	opt    redact.Options
	others []walk.Input // of other shards, which become files of the same folder
	passed input.PassedOver
	totals redactTotals
}

func (m *redactRun) readFlags() (err error) {
	c := m.c
	if m.opt, err = redactOptions(m.env, c); err != nil {
		return err
	}
	m.opt.Check = previews(c)
	switch {
	case m.opt.Check && c.IsSet("output"):
		return &cmdline.UsageError{Message: "--check and --diff write nothing: --output is not possible", Hint: cmdline.LeaveOneHint}
	case m.opt.Check && c.IsSet("report"):
		return &cmdline.UsageError{Message: "--check and --diff write nothing: --report is not possible", Hint: "--format json lists the changes"}
	case c.String("report") == "-":
		return &cmdline.UsageError{Message: "--report writes a file, but is \"-\"", Hint: "name a file: standard output is for the redacted evidence"}
	}
	return m.commits()
}

func redactOptions(env cmdline.Env, c *cli.Context) (opt redact.Options, err error) {
	opt = redact.Options{AcceptUnverified: c.Bool("accept-unverified"), MaxFindings: c.Int("max-findings")}
	if opt.MaxFindings == 0 {
		return opt, cmdline.NoFindingsAsked()
	}
	by, err := readPolicy(env, c)
	if err != nil {
		return opt, err
	}
	opt.Policy, opt.PolicyFile = by.Policy, by.file
	if opt.Jobs, err = app.Jobs(c); err == nil && c.IsSet("limits") {
		opt.Limits, err = limitsOf(c.Context, c.String("limits"))
	}
	return opt, err
}

func (m *redactRun) all(inputs []walk.Input) (report.Summary, error) {
	paths, err := m.destinations(inputs)
	if err != nil {
		return report.Summary{}, err
	}
	m.out.Plan(inputs)
	for i, in := range inputs {
		if err := m.input(in, paths[i]); err != nil {
			return m.summary(), err
		}
	}
	return m.summary(), nil
}

// input redacts one input into a file. It reports unreadable input and continues; errors end the run.
func (m *redactRun) input(in walk.Input, path string) (err error) {
	line := m.out.Progress("redacting "+in.Name, in.Size)
	defer line.End()
	r, err := in.Open()
	if err != nil {
		return m.out.Fail(err)
	}
	defer func() { _ = r.Close() }() // opened for reading: nothing can be lost
	scratch, err := input.NewTempFile()
	if err != nil {
		return err
	}
	defer scratch.Discard()
	to, err := m.open(path)
	if err != nil {
		return err
	}
	answer, err := redact.Redact(m.env.Context, line.Reader(r), in.Size, in.Name, scratch, to, m.options(in, to))
	line.End()
	if err != nil {
		return RedactFailed(m.env, m.out, in, err)
	}
	if err := to.end(answer); err != nil {
		return input.PlainWrite(err)
	}
	return m.answer(in, path, answer)
}

func (m *redactRun) options(in walk.Input, to *redactTarget) redact.Options {
	opt := m.opt
	opt.Staged = to.file != nil && !to.file.Direct()
	opt.OnEvent = func(*redact.Event) error { return nil }
	if to.document != nil {
		opt.OnEvent = to.document.Event
	}
	if opt.Check {
		opt.OnChange = func(e *redact.Event, c *redact.Change, before, after []byte) error {
			return m.change(in, e, c, before, after)
		}
	}
	to.commit(&opt)
	return opt
}

// RedactFailed returns the error for an input that could not be redacted.
func RedactFailed(env cmdline.Env, out *app.Output, in walk.Input, err error) error {
	var event *redact.EventError
	var secret *privacy.SweepError
	if !errors.As(err, &event) {
		if _, ok := errors.AsType[*evidence.ReadError](err); ok || env.Context.Err() != nil {
			return out.Unread(env.Context, in.Name, err)
		}
		return input.PlainWrite(err)
	}
	err = fmt.Errorf("cannot redact %s:%d: %w", in.Name, event.Line, event.Err)
	if _, ok := errors.AsType[*redact.GrownError](err); ok {
		return &cmdline.Hinted{Err: err, Hint: say.LimitsHint("max_line_bytes")}
	}
	if errors.As(event.Err, &secret) {
		return &cmdline.Hinted{Err: err, Hint: "forbid the value in a policy file, which removes it; cupel writes no output with a secret in it"}
	}
	return err
}

// redactTarget is the output for one input.
type redactTarget struct {
	io.Writer
	out      *app.Output
	file     *door.Output // nil: standard output, or nowhere
	report   *door.Output // or nil
	document *redact.Writer
	buffer   *bufio.Writer // of the document

	secrets   *door.Output // or nil
	committer *redact.Committer
	opened    *bufio.Writer // of the secrets
}

// open starts the output files for an input.
func (m *redactRun) open(path string) (to *redactTarget, err error) {
	to = &redactTarget{Writer: m.env.Stdout, out: m.out}
	if err := m.keepSecrets(to); err != nil { // before the report: what commits is worth nothing without them
		return nil, err
	}
	if path != "-" && !m.opt.Check {
		if to.file, err = m.out.Make(path); err != nil {
			return nil, input.PlainWrite(err)
		}
		to.Writer = to.file
	}
	if name := m.c.String("report"); name != "" {
		if to.report, err = m.out.Make(name); err != nil {
			return nil, input.PlainWrite(err)
		}
		to.buffer = bufio.NewWriter(to.report)
		to.document = redact.NewWriter(to.buffer)
	}
	return to, nil
}

// end completes the files, or discards them.
func (t *redactTarget) end(answer *redact.Report) error {
	if !answer.Redacted {
		t.out.GiveUp(t.file)
		t.out.GiveUp(t.report)
		t.out.GiveUp(t.secrets)
		return nil
	}
	if t.file != nil && !t.file.Direct() {
		if err := t.file.Sync(); err != nil { // of many inputs not all stay open
			return err
		}
	}
	if t.document == nil {
		return nil
	}
	return errors.Join(t.closeSecrets(answer), t.document.Close(answer), t.buffer.Flush())
}
