package commands

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/cupel-dev/cupel/internal/buildinfo"
	"github.com/cupel-dev/cupel/internal/finding"
	"github.com/cupel-dev/cupel/internal/report"
	"github.com/cupel-dev/cupel/internal/term"
)

// reporting completes a command whose answer is a report: it adds the output flags,
// opens the output, runs do and closes the output with the summary that do returns.
// An error of do that has not been said becomes the report's failure (exit 2), and
// so does a mistake on the command line: every machine format stays valid.
//
//	reporting(env, run, &cli.Command{Name: "hash", …}, func(c *cli.Context, out *output) (report.Summary, error) { … })
//
// do writes findings and records through out, calls out.Fail for what could not be
// read and goes on, and returns errNo when the answer is no for another reason than
// a finding.
func reporting(env Env, run report.Run, cmd *cli.Command, do func(*cli.Context, *output) (report.Summary, error)) *cli.Command {
	cmd.Flags = append(cmd.Flags, outputFlags()...)
	cmd.Action = func(c *cli.Context) error {
		out, err := openOutput(env, c, run)
		if err != nil {
			return err
		}
		sum, err := do(c, out)
		return out.end(sum, err)
	}
	cmd.OnUsageError = func(c *cli.Context, mistake error, _ bool) error {
		out, err := openOutput(env, c, run)
		if err != nil {
			return err
		}
		return out.end(report.Summary{}, mistake)
	}
	return cmd
}

// outputFlags are the flags of every command that reports.
func outputFlags() []cli.Flag {
	const category = "Output"
	return []cli.Flag{
		&cli.StringSliceFlag{Name: "format", Category: category, Usage: "`FORMAT[=PATH]`: " + strings.Join(report.Formats, ", ") + "; repeatable, with =PATH into a file (default: text)"},
		&cli.StringFlag{Name: "color", Category: category, Value: "auto", Usage: "`WHEN`: auto, always or never"},
		&cli.BoolFlag{Name: "quiet", Aliases: []string{"q"}, Category: category, Usage: "leave out what is good, the closing line and progress"},
		&cli.BoolFlag{Name: "no-progress", Category: category, Usage: "show no progress on a terminal"},
		&cli.StringFlag{Name: "fail-on", Category: category, Value: "error", Usage: "`SEVERITY` of findings that make the answer no: error, warning or info"},
		&cli.StringSliceFlag{Name: "select", Category: category, Usage: "report only these `RULES` (ids or prefixes, comma-separated)"},
		&cli.StringSliceFlag{Name: "ignore", Category: category, Usage: "leave out these `RULES` (ids or prefixes, comma-separated)"},
		&cli.StringFlag{Name: "baseline", Category: category, Usage: "leave out the findings that `FILE` accepts"},
		&cli.StringFlag{Name: "write-baseline", Category: category, Usage: "write the findings of this run into `FILE` as accepted; they make no answer no"},
	}
}

// output is where one run of a command reports to: every requested format at once,
// behind the flags that choose findings. It counts findings and knows what they mean
// for the exit code. It is not safe for concurrent use.
type output struct {
	env     Env
	to      report.Several
	streams []stream
	weigh   weighing
	base    baseline
	quiet   bool
	still   bool      // no progress
	line    *progress // what is shown of it; nil for none
	formats []string
	counts  [finding.Error + 1]int
	no      bool
	failed  bool
	broken  error // of writing the report
}

// stream is one destination of the output.
type stream struct {
	*bufio.Writer
	file *os.File // nil for standard output
}

// openOutput opens every destination that the flags ask for. Its error is ready to
// be returned from a command; when the mistake is not in --format, the report that
// says so is already written.
func openOutput(env Env, c *cli.Context, run report.Run) (*output, error) {
	run.Version = buildinfo.Version
	o := &output{env: env, quiet: c.Bool("quiet"), still: c.Bool("quiet") || c.Bool("no-progress")}
	color := c.String("color")
	if err := o.openFormats(c.StringSlice("format"), color, run); err != nil {
		if len(o.to) > 0 { // the formats before the mistake can say it
			return nil, o.end(report.Summary{}, err)
		}
		return nil, err
	}
	if err := o.readFlags(c, color, run); err != nil {
		return nil, o.end(report.Summary{}, err)
	}
	return o, nil
}

// readFlags reads the flags that choose and weigh findings.
func (o *output) readFlags(c *cli.Context, color string, run report.Run) (err error) {
	if !slices.Contains(term.Modes, color) {
		return badValue("color", color, term.Modes)
	}
	if o.weigh, err = newWeighing(c, run.KnownRules); err != nil {
		return err
	}
	o.base, err = newBaseline(c.String("baseline"), c.String("write-baseline"))
	return err
}

// openFormats makes a writer for each --format; none means text on standard output.
func (o *output) openFormats(formats []string, color string, run report.Run) error {
	if len(formats) == 0 {
		formats = []string{"text"}
	}
	stdout := ""
	for _, spec := range formats {
		format, path, toFile := strings.Cut(spec, "=")
		if !slices.Contains(report.Formats, format) {
			return badValue("format", format, report.Formats)
		}
		if !toFile && stdout != "" {
			return &usageError{fmt.Sprintf("both %s and %s would go to standard output", stdout, format),
				fmt.Sprintf("send one of them into a file: --format %s=PATH", format)}
		}
		if !toFile {
			stdout = format
		}
		if err := o.open(format, path, toFile, color, run); err != nil {
			return err
		}
	}
	return nil
}

func (o *output) open(format, path string, toFile bool, color string, run report.Run) error {
	opt := report.Options{Quiet: o.quiet}
	s := stream{}
	if toFile {
		f, err := os.Create(path)
		if err != nil {
			return &hinted{fmt.Errorf("cannot write the %s report: %w", format, err), ""}
		}
		s.file, s.Writer = f, bufio.NewWriter(f)
		opt.Color = color == "always"
	} else {
		s.Writer = bufio.NewWriterSize(erasing{o}, 64<<10)
		opt.Color = term.Color(color, o.env.Stdout, o.env.Getenv)
		opt.Width = term.Width(o.env.Stdout)
	}
	o.streams, o.formats = append(o.streams, s), append(o.formats, format)
	w, err := report.New(format, s.Writer, run, opt)
	o.to = append(o.to, w)
	return err
}

// Only reports whether a format is all that was asked for, so that a command with
// millions of records need not make what nothing shows.
func (o *output) Only(format string) bool { return slices.Equal(o.formats, []string{format}) }

// Keep reports whether the flags let a finding through. A command that puts findings
// into its records filters them with it.
func (o *output) Keep(f finding.Finding) bool {
	w, err := o.weigh.of(f.File)
	if err != nil {
		o.note(o.Fail(err))
	}
	return w.choose.keeps(f.Rule) && !o.base.accepts(f)
}

// Finding reports one finding, unless the flags leave it out, and counts it.
func (o *output) Finding(f finding.Finding) error {
	if !o.Keep(f) {
		return nil
	}
	o.counts[f.Severity]++
	w, _ := o.weigh.of(f.File) // Keep has said the error
	o.no = o.no || !o.base.writes(f) && f.Severity >= w.failOn
	return o.wrote(o.to.Finding(f))
}

// Record reports one element of the answer.
func (o *output) Record(r report.Record) error { return o.wrote(o.to.Record(r)) }

// wrote notes an error of writing the report and passes it on.
func (o *output) wrote(err error) error {
	o.note(err)
	return err
}

// note remembers the first error of writing the report. It ends the run, and Close
// says it, once.
func (o *output) note(err error) {
	if o.broken == nil {
		o.broken = err
	}
}

// No makes the answer no, whatever the findings say: a hash differs, a verdict is bad.
func (o *output) No() { o.no = true }

// Count is how many findings of a severity were reported.
func (o *output) Count(s finding.Severity) int { return o.counts[s] }

// Fail says on standard error and in every document why something could not be
// answered. The run goes on; its exit code will be 2.
func (o *output) Fail(err error) error {
	o.failed = true
	if o.broken != nil && errors.Is(err, o.broken) {
		return err
	}
	o.line.erase()
	sayError(o.env, err)
	return o.to.Fail(printable(err.Error()))
}

// Flush sends what is written so far, for answers that grow while a reader waits.
func (o *output) Flush() error {
	var errs []error
	for _, s := range o.streams {
		errs = append(errs, s.Flush())
	}
	return errors.Join(errs...)
}

// Close completes every format and returns what the command returns: nil, errNo, or
// errSaid after a Fail.
func (o *output) Close(sum report.Summary) error {
	o.line.End()
	o.note(o.to.Close(sum))
	o.note(o.Flush())
	o.note(o.closeFiles())
	if n := o.base.stale(); n > 0 && !o.failed && !o.quiet {
		warn(o.env, fmt.Sprintf("%d entries of the baseline met no finding; --write-baseline writes it anew", n))
	}
	if !o.failed {
		o.note(o.base.close())
	}
	switch {
	case o.broken != nil:
		return fmt.Errorf("cannot write the report: %w", o.broken)
	case o.failed:
		return errSaid
	case o.no:
		return errNo
	}
	return nil
}

// end closes the output after a command's work ended with err.
func (o *output) end(sum report.Summary, err error) error {
	switch {
	case err == nil:
	case errors.Is(err, errSaid):
		if !o.failed {
			o.failed = true
			o.note(o.to.Fail("could not answer; standard error says why"))
		}
	case errors.Is(err, errNo):
		o.No()
	case errors.Is(err, context.Canceled):
		o.failed = true
		o.note(o.to.Fail("interrupted"))
		return errors.Join(err, o.Close(sum))
	case o.broken != nil && errors.Is(err, o.broken):
	default:
		o.note(o.Fail(err))
	}
	return o.Close(sum)
}

func (o *output) closeFiles() error {
	var errs []error
	for _, s := range o.streams {
		if s.file != nil {
			errs = append(errs, s.file.Close())
		}
	}
	return errors.Join(errs...)
}
