package commands

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"syscall"

	"github.com/urfave/cli/v2"

	"github.com/cupel-dev/cupel/evidence"
	"github.com/cupel-dev/cupel/finding"
	"github.com/cupel-dev/cupel/internal/buildinfo"
	"github.com/cupel-dev/cupel/internal/door"
	"github.com/cupel-dev/cupel/internal/page"
	"github.com/cupel-dev/cupel/internal/report"
	"github.com/cupel-dev/cupel/internal/say"
	"github.com/cupel-dev/cupel/internal/term"
)

// reporting completes a command whose answer is a report: it adds the output flags,
// opens the output, runs do and closes the output with the summary that do returns.
// An error of do that has not been said becomes the report's failure (exit 2), and
// so does a mistake on the command line: every machine format stays valid.
//
//	reporting(env, run, &cli.Command{Name: "hash", …}, func(c *cli.Context, out *output) (report.Summary, error) { … })
//
// do writes findings and answers through out, calls out.Fail for what could not be
// read and goes on, and returns errNo when the answer is no for a reason other than a
// finding.
func reporting(env Env, run report.Run, cmd *cli.Command, do func(*cli.Context, *output) (report.Summary, error)) *cli.Command {
	cmd.Flags = append(cmd.Flags, outputFlags(run)...)
	configurable := slices.ContainsFunc(cmd.Flags, isForceExclude)
	if configurable {
		cmd.Flags = append(cmd.Flags, showConfigFlag())
	}
	cmd.Action = func(c *cli.Context) error {
		shown := run
		if configurable && c.Bool("show-config") {
			shown = configRun(run)
		}
		out, err := openOutput(env, c, shown)
		if err != nil {
			return err
		}
		if shown.Schema != run.Schema && run.Formats == nil {
			if out.filter, err = newFilter(c, run); err != nil {
				return out.end(report.Summary{}, err)
			}
		}
		sum, err := do(c, out)
		if found, ok := errors.AsType[*configuredInputs](err); ok {
			sum, err = showConfig(c, out, run, found)
		}
		return out.end(sum, err)
	}
	cmd.OnUsageError = func(c *cli.Context, mistake error, _ bool) error {
		out, err := openReport(env, c, run) // what else is wrong with the flags may follow from the mistake
		if err != nil {
			return err
		}
		return out.end(report.Summary{}, mistake)
	}
	return cmd
}

// outputFlags are the flags of every command that reports; those with formats of their own
// show what there is, and have no flags that choose and weigh findings.
func outputFlags(run report.Run) []cli.Flag {
	const category = "Output"
	shown := []cli.Flag{
		ofFormats(&cli.StringSliceFlag{Name: "format", KeepSpace: true, Category: category, Usage: "`FORMAT[=PATH]`: " + strings.Join(run.KnownFormats(), ", ") + "; repeatable, with =PATH into a file (default: text)"}, run.KnownFormats()),
		amongst(&cli.StringFlag{Name: "color", Category: category, Value: "auto", Usage: "`WHEN`: auto, always or never"}, colorWords...),
		&cli.BoolFlag{Name: "quiet", Aliases: []string{"q"}, Category: category, Usage: "leave out what is good, the closing line and progress"},
		&cli.BoolFlag{Name: "no-progress", Category: category, Usage: "show no progress on a terminal"},
	}
	if run.Formats != nil {
		return shown
	}
	return append(shown,
		amongst(&cli.StringFlag{Name: "fail-on", Category: category, Value: "error", Usage: "`SEVERITY` of findings that make the answer no: error, warning or info"}, severityWords...),
		ofRules(&cli.StringSliceFlag{Name: "select", Category: category, Usage: "report only these `RULES` (ids or prefixes, comma-separated); repeatable"}, run.KnownRules),
		ofRules(&cli.StringSliceFlag{Name: "ignore", Category: category, Usage: "leave out these `RULES` (ids or prefixes, comma-separated); repeatable"}, run.KnownRules),
		&cli.BoolFlag{Name: "statistics", Category: category, Usage: "count the reported findings of each rule, the most frequent first"},
		&cli.BoolFlag{Name: "exit-zero", Category: category, Usage: "exit with 0 when the answer is no; what could not be answered stays 2"},
		&cli.StringFlag{Name: "baseline", Category: category, Usage: "leave out the findings that `FILE` accepts; " + baselineEffects[run.Command]},
		&cli.StringFlag{Name: "write-baseline", Category: category, Usage: "write the findings of this run into `FILE` as accepted; " + baselineEffects[run.Command]},
	)
}

// output is where one run of a command reports to: every requested format at once,
// behind the flags that choose findings. It knows what the answers mean for the exit
// code. It is not safe for concurrent use.
type output struct {
	screen *screen
	to     *destinations
	filter filter
	quiet  bool
	counts *statistics // of --statistics; nil: nobody asks
	mild   bool        // --exit-zero: a no is not told by the exit code

	whole  *output        // of which this is a part; nil: of none
	made   []*door.Output // that are there only when the run can answer
	began  bool           // what the run reads is known
	no     bool           // the answer is no
	failed bool           // a part of the answer could not be given
	broken error          // the first error of writing the report

	interrupted bool // the report says so
}

// openOutput opens every destination that the flags ask for, behind the flags that choose
// findings. Its error is ready to be returned from a command; when the mistake is not in
// --format, the report that says so is already written.
func openOutput(env Env, c *cli.Context, run report.Run) (*output, error) {
	o, err := openReport(env, c, run)
	if err != nil {
		return nil, err
	}
	if err := o.readFlags(c, run); err != nil {
		return nil, o.end(report.Summary{}, err)
	}
	return o, nil
}

// openReport opens every destination; no flag chooses findings. Its error is that of
// openOutput.
func openReport(env Env, c *cli.Context, run report.Run) (*output, error) {
	run.Shards = append(run.Shards, shardRead(c)...)
	run.Version, run.NotProved = buildinfo.Version, slices.Concat(run.NotProved, notProved[run.Command])
	quiet := c.Bool("quiet")
	counts := newStatistics(c, &run)
	o := &output{screen: &screen{env: env, still: quiet || c.Bool("no-progress")}, quiet: quiet, counts: counts, mild: c.Bool("exit-zero"), filter: filter{base: &baseline{}}}
	o.to = &destinations{run: run, screen: o.screen, color: colorOf(c), quiet: quiet}
	if err := o.to.open(c); err != nil {
		if len(o.to.writers) > 0 { // the formats before the mistake can say it
			return nil, o.end(report.Summary{}, err)
		}
		return nil, err
	}
	return o, nil
}

// colorOf is --color, and its default of a command without the flag.
func colorOf(c *cli.Context) string {
	if !slices.Contains(flagNames(c.Command), "color") {
		return "auto"
	}
	return c.String("color")
}

// readFlags reads the flags that choose and weigh findings.
func (o *output) readFlags(c *cli.Context, run report.Run) (err error) {
	if !slices.Contains(term.Modes, o.to.color) {
		return badValue("color", o.to.color, term.Modes)
	}
	if run.Formats == nil {
		o.filter, err = newFilter(c, run)
	}
	return err
}

// Progress begins a line about reading total bytes (-1: unknown); see [progress].
func (o *output) Progress(label string, total int64) *progress {
	return o.screen.begin(label, total)
}

// ListingOnly reports whether nothing is shown of a good answer with a Listing but
// that, so that a command with millions of answers may put many into one.
func (o *output) ListingOnly() bool { return report.ListingOnly(o.to.formats) }

// ValuesOnly reports whether nothing is shown of an answer but its Value.
func (o *output) ValuesOnly() bool {
	return !slices.ContainsFunc(o.to.formats, func(name string) bool { return name != "json" && name != "jsonl" })
}

// Shows reports whether a format is one of those that the run writes.
func (o *output) Shows(format string) bool { return slices.Contains(o.to.formats, format) }

// Warn says on standard error what a reader of the answer should know.
func (o *output) Warn(message string) {
	o.screen.end()
	warn(o.screen.env, message)
}

// Keep reports whether the flags let a finding through. A command that puts findings
// into its answers filters them with it.
func (o *output) Keep(f finding.Finding) bool {
	keep, err := o.filter.keeps(f)
	if err != nil {
		_ = o.Fail(err)
	}
	return keep
}

// Wanted returns whether --select and --ignore let findings of a rule in a file through. What
// it returns is safe for concurrent use.
func (o *output) Wanted(file string) func(rule string) bool {
	w, err := o.filter.weigh.of(file)
	if err != nil {
		_ = o.Fail(err)
	}
	return w.choose.keeps
}

// Finding reports one finding, unless the flags leave it out.
func (o *output) Finding(f finding.Finding) error {
	if !o.Keep(f) {
		return nil
	}
	o.no = o.filter.refuses(f) || o.no
	o.counts.add(f)
	return o.note(o.to.writers.Finding(f))
}

// Fault reports a finding that no flag leaves out: it says why the run cannot answer, or why
// the answer is no.
func (o *output) Fault(f finding.Finding) error {
	o.counts.add(f)
	return o.note(o.to.writers.Finding(f))
}

// Accepted reports whether a baseline accepts a finding, which is then no reason for a no:
// the one that was read, or the one to be written, which gets all that the flags let
// through.
func (o *output) Accepted(f finding.Finding) bool { return o.filter.accepted(f) }

// Annotate gives an answer the finding that formats of findings alone show of it, unless the
// flags leave it out.
func (o *output) Annotate(a *report.Answer, f finding.Finding) {
	if o.Keep(f) {
		o.no = o.filter.refuses(f) || o.no
		o.counts.add(f)
		a.Annotation = &f
	}
}

// Rest reports a finding that stands for others, so many, which the flags have let through.
func (o *output) Rest(f finding.Finding, number int) error {
	o.no = o.filter.fails(f) || o.no
	o.counts.omit(number)
	return o.note(o.to.writers.Finding(f))
}

// Accept puts a rule that a reported finding breaks besides its own into the baseline to
// be written.
func (o *output) Accept(f finding.Finding) { o.filter.base.writes(f) }

// Answer reports one element of the answer. An input that cannot be read any more while its view
// is made is a failure of the run; any other lack of a view is told by the page alone.
func (o *output) Answer(a report.Answer) error {
	o.began = true
	if a.View != nil {
		return o.viewed(a)
	}
	return o.note(o.to.writers.Answer(a))
}

// viewed writes an answer that has a view, whose input may be gone by now.
func (o *output) viewed(a report.Answer) error {
	var unread error
	view := a.View
	a.View = func() (page.View, error) {
		v, err := view()
		var system syscall.Errno
		if errors.As(err, &system) {
			unread = say.Plain(err)
		}
		return v, err
	}
	if err := o.note(o.to.writers.Answer(a)); err != nil || unread == nil {
		return err
	}
	return o.Fail(unread)
}

// note remembers the first error of writing the report and passes err on. It ends the
// run, and Close says it, once.
func (o *output) note(err error) error {
	if o.broken == nil {
		o.broken = err
	}
	return err
}

// No makes the answer no, whatever the findings say: a hash differs, a verdict is bad.
func (o *output) No() { o.no = true }

// Fail says on standard error and in every document why something could not be
// answered. The run goes on; its exit code will be 2. Ctrl-C is no such reason: it ends
// the run, as the error that Fail returns.
func (o *output) Fail(err error) error {
	if errors.Is(err, context.Canceled) {
		return err
	}
	o.failed = true
	if o.broken != nil && errors.Is(err, o.broken) {
		return err
	}
	var clash *clashError
	if errors.As(err, &clash) {
		o.to.discard()
	}
	o.screen.sayError(err)
	return o.note(o.to.writers.Fail(err.Error()))
}

// Unread reports why an input of evidence was not read to its end. Only a fault of its
// reader lets the run go on with the next: every other error is returned.
func (o *output) Unread(ctx context.Context, name string, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	var read *evidence.ReadError
	if errors.As(err, &read) {
		return o.Fail(readFailed(name, read.Err))
	}
	return fmt.Errorf("%s: %w", name, err)
}

// readFailed words an error of reading an input, which may name it already.
func readFailed(name string, err error) error {
	if plain := say.Plain(err); plain != err {
		return plain
	}
	return fmt.Errorf("%s: %w", name, err)
}

// Flush sends what is written so far, for answers that grow while a reader waits.
func (o *output) Flush() error { return o.note(o.to.flush()) }

// Close completes every format and returns what the command returns: nil, errNo, or
// errSaid after a Fail.
func (o *output) Close(sum report.Summary) error {
	o.screen.end()
	if o.whole != nil {
		_ = o.note(o.to.complete(sum))
		o.whole.take(o)
		return o.result()
	}
	o.keepBaseline()
	if o.failed {
		o.to.withhold()
	}
	sum.No = o.no
	for _, a := range o.counts.answers() {
		_ = o.note(o.to.writers.Answer(a))
	}
	_ = o.note(o.to.complete(sum))
	if n := o.filter.base.stale(); n > 0 && !o.failed && !o.quiet {
		warn(o.screen.env, fmt.Sprintf("entries of the baseline that met no finding: %d; --write-baseline writes it anew", n))
	}
	if o.broken != nil {
		o.to.discard()
	}
	if o.failed {
		o.unmake()
	}
	_ = o.note(o.to.commit())
	return o.result()
}

// result is what a command returns whose report is closed.
func (o *output) result() error {
	switch {
	case o.broken != nil:
		return unwritten(o.broken)
	case o.failed:
		return errSaid
	case o.no && !o.mild:
		return errNo
	}
	return nil
}

// Replace writes a file of the user that takes its place when the run ends, after the
// reports: not when one of them cannot be written.
func (o *output) Replace(path string, content []byte, fresh fs.FileMode) error {
	return say.Plain(o.to.keep(path, content, fresh))
}

// Make begins to write a file that takes its place when the run ends, after the reports: not
// when the run cannot answer.
func (o *output) Make(path string) (*door.Output, error) {
	f, err := o.to.create(path, 0o666)
	if err == nil {
		o.made = append(o.made, f)
	}
	return f, err
}

// MakeNew is Make for a file that must not be there yet, with its permissions.
func (o *output) MakeNew(path string, mode fs.FileMode) (*door.Output, error) {
	f, err := door.CreateNew(path, mode)
	if err == nil {
		o.to.files, o.made = append(o.to.files, f), append(o.made, f)
	}
	return f, err
}

// unmake gives the files up that Make has begun.
func (o *output) unmake() {
	for _, f := range o.made {
		o.to.drop(f)
	}
	o.made = nil
}

// giveUp gives up one of the files that Make has begun; nil is none.
func (o *output) giveUp(f *door.Output) {
	if f != nil {
		o.to.drop(f)
		o.made = slices.DeleteFunc(o.made, func(other *door.Output) bool { return other == f })
	}
}

// unwritten says what could not be written: a file, or what went to standard output.
func unwritten(err error) error {
	if file := say.Plain(err); file != err {
		return file
	}
	return fmt.Errorf("cannot write the report: %w", err)
}

// keepBaseline writes the new baseline, when there is to be one. It takes its place with the
// reports; that it cannot be written stands in them.
func (o *output) keepBaseline() {
	if o.failed {
		return
	}
	text, err := o.filter.base.text()
	if err == nil && text != nil {
		err = o.to.keep(o.filter.base.file, text, 0o666)
	}
	if err != nil {
		_ = o.Fail(say.Plain(err))
	}
}

// end closes the output after a command's work ended with err.
func (o *output) end(sum report.Summary, err error) error {
	if err != nil && !o.began {
		for _, name := range o.to.leaveOld() {
			warn(o.screen.env, fmt.Sprintf("%q was left as it is: the run ended before it knew all that it reads", name))
		}
	}
	switch {
	case err == nil:
	case errors.Is(err, context.Canceled):
		o.failed = true
		if !o.interrupted {
			o.interrupted = true
			_ = o.note(o.to.writers.Fail("interrupted"))
		}
		return errors.Join(err, o.Close(sum))
	case errors.Is(err, errSaid):
		if !o.failed {
			o.failed = true
			_ = o.note(o.to.writers.Fail("could not answer; standard error says why"))
		}
	case errors.Is(err, errNo):
		o.No()
	case o.broken != nil && unwritten(err).Error() == unwritten(o.broken).Error():
	default:
		_ = o.Fail(err)
	}
	return o.Close(sum)
}
