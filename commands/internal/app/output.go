// Package app contains what commands share: output, baseline, selection of findings, protection against
// overwriting, progress.
package app

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"syscall"

	"github.com/urfave/cli/v2"

	"github.com/cupel-dev/cupel/commands/internal/cmdline"
	"github.com/cupel-dev/cupel/evidence"
	"github.com/cupel-dev/cupel/finding"
	"github.com/cupel-dev/cupel/internal/buildinfo"
	"github.com/cupel-dev/cupel/internal/decided"
	"github.com/cupel-dev/cupel/internal/door"
	"github.com/cupel-dev/cupel/internal/page"
	"github.com/cupel-dev/cupel/internal/report"
	"github.com/cupel-dev/cupel/internal/say"
	"github.com/cupel-dev/cupel/internal/term"
	"github.com/cupel-dev/cupel/internal/walk"
)

// Reporting completes a command that prints a report. It adds output flags, opens the output, runs do and closes
// the output with the summary of do. Unreported errors of do, and usage errors, become part of the report (exit
// code 2), so that machine formats stay valid.
//
//	Reporting(env, run, &cli.Command{Name: "hash", …}, func(c *cli.Context, out *Output) (report.Summary, error) { … })
//
// do writes findings and answers to out. It calls out.Fail for unreadable inputs and continues. It returns ErrNo
// for exit code 1 without a finding.
func Reporting(env cmdline.Env, run report.Run, cmd *cli.Command, do func(*cli.Context, *Output) (report.Summary, error)) *cli.Command {
	cmd.Flags = append(cmd.Flags, OutputFlags(run)...)
	if !slices.ContainsFunc(cmd.Flags, isOutput) {
		cmd.Flags = append(cmd.Flags, reportFileFlag())
	}
	configurable := slices.ContainsFunc(cmd.Flags, isForceExclude)
	if configurable {
		cmd.Flags = append(cmd.Flags, showConfigFlag())
	}
	cmd.Action = func(c *cli.Context) error {
		shown := run
		if configurable && c.Bool("show-config") {
			shown = configRun(run)
		}
		out, err := OpenOutput(env, c, shown)
		if err != nil {
			return err
		}
		if shown.Schema != run.Schema && run.Formats == nil {
			if out.Filter, err = newFilter(c, run); err != nil {
				return out.End(report.Summary{}, err)
			}
		}
		sum, err := do(c, out)
		if found, ok := errors.AsType[*ConfiguredInputs](err); ok {
			sum, err = showConfig(c, out, run, found)
		} else if configurable {
			noteSettings(c, run.Command)
		}
		return out.End(sum, err)
	}
	cmd.OnUsageError = func(c *cli.Context, mistake error, _ bool) error {
		out, err := OpenReport(env, c, run) // what else is wrong with the flags may follow from the mistake
		if err != nil {
			return err
		}
		return out.End(report.Summary{}, mistake)
	}
	return cmd
}

// OutputFlags returns the flags of all commands with reports. Commands with other formats do not get the flags that
// select findings.
func OutputFlags(run report.Run) []cli.Flag {
	const category = "Output"
	shown := []cli.Flag{
		cmdline.OfFormats(&cli.StringSliceFlag{Name: "format", KeepSpace: true, Category: category, Usage: "`FORMAT[=PATH]`: " + strings.Join(run.KnownFormats(), ", ") + "; repeatable, with =PATH into a file (default: text)"}, run.KnownFormats()),
		cmdline.OneOf(&cli.StringFlag{Name: "color", Category: category, Value: "auto", Usage: "`WHEN`: auto, always or never"}, cmdline.ColorWords...),
		&cli.BoolFlag{Name: "quiet", Aliases: []string{"q"}, Category: category, Usage: "print only problems, and no progress"},
		&cli.BoolFlag{Name: "no-progress", Category: category, Usage: "show no progress on a terminal"},
	}
	if run.Formats != nil {
		return shown
	}
	return append(shown,
		cmdline.OneOf(&cli.StringFlag{Name: "fail-on", Category: category, Value: "error", Usage: "fail from this `SEVERITY` on: error, warning or info"}, cmdline.SeverityWords...),
		cmdline.OfRules(&cli.StringSliceFlag{Name: "select", Category: category, Usage: "report only these `RULES` (ids or prefixes, comma-separated); repeatable"}, run.KnownRules),
		cmdline.OfRules(&cli.StringSliceFlag{Name: "ignore", Category: category, Usage: "do not report these `RULES` (ids or prefixes, comma-separated); repeatable"}, run.KnownRules),
		&cli.BoolFlag{Name: "not-verified", Category: category, Usage: "list the limits of the verdict, and details of inputs that passed"},
		&cli.BoolFlag{Name: "statistics", Category: category, Usage: "count the reported findings of each rule, the most frequent first"},
		&cli.BoolFlag{Name: "exit-zero", Category: category, Usage: "exit 0 even if problems are found (errors still exit 2)"},
		&cli.StringFlag{Name: "baseline", Category: category, Usage: "ignore the findings listed in `FILE`; " + run.Baseline},
		&cli.StringFlag{Name: "write-baseline", Category: category, Usage: "write the findings of this run to `FILE`, for --baseline; " + run.Baseline},
	)
}

// Output is a run's output in all requested formats, after filtering findings. It tracks the exit code. It is not
// safe for concurrent use.
type Output struct {
	screen *screen
	to     *destinations
	Filter filter
	quiet  bool
	counts *statistics // for --statistics, or nil
	mild   bool        // --exit-zero: exit code 0 instead of 1

	whole      *Output        // the output of which this is a part, or nil
	shardList  *ShardList     // nil: all inputs are read
	digests    *Digests       // of the inputs; nil: no format shows them
	attesting  *verdictSigner // what is signed; nil: nothing is
	made       []*door.Output // kept only if the run succeeds
	began      bool           // the run's inputs are known
	AnsweredNo bool           // exit code 1
	Failed     bool           // a part of the answer could not be given
	fails      int            // of such parts
	empty      int            // paths without any input
	inputs     int            // that the run reads
	parts      report.Tally   // of the commands whose reports are parts of this one
	Broken     error          // the first error of writing the report

	interrupted bool // the report says so
}

// OpenOutput opens every requested destination. The command can return its error; errors other than in --format are
// already in the report.
func OpenOutput(env cmdline.Env, c *cli.Context, run report.Run) (*Output, error) {
	o, err := OpenReport(env, c, run)
	if err != nil {
		return nil, err
	}
	if err = o.readFlags(c, run); err == nil {
		o.attesting, err = newAttesting(env, c, o.to.run)
	}
	if err != nil {
		return nil, o.End(report.Summary{}, err)
	}
	if o.attesting != nil || run.Binds && (o.Shows("json") || o.Shows("jsonl")) {
		o.digests = NewDigests(env.Context)
	}
	return o, nil
}

// OpenReport is OpenOutput for a command without flags that select findings.
func OpenReport(env cmdline.Env, c *cli.Context, run report.Run) (*Output, error) {
	run.Shards = append(run.Shards, shardRead(c)...)
	run.Version = buildinfo.Version
	if run.Binds {
		run.Bound = BoundTo(c)
	}
	quiet := c.Bool("quiet")
	counts := newStatistics(c, &run)
	o := &Output{screen: &screen{env: env, still: quiet || c.Bool("no-progress")}, quiet: quiet, counts: counts, mild: c.Bool("exit-zero"), Filter: filter{base: &baseline{}}}
	o.shardList = ShardListOf(c)
	o.to = &destinations{run: run, screen: o.screen, color: colorOf(c), quiet: quiet, limits: c.Bool("not-verified")}
	if err := o.to.open(c); err != nil {
		if len(o.to.writers) > 0 { // the formats before the mistake can say it
			return nil, o.End(report.Summary{}, err)
		}
		return nil, err
	}
	return o, nil
}

// signed returns the signer of the run's verdict, or nil.
func (o *Output) signed() *verdictSigner {
	if o.whole != nil {
		return o.whole.signed()
	}
	return o.attesting
}

// Digests returns the digests of the inputs, or nil if no format shows them.
func (o *Output) Digests() *Digests {
	if o.whole != nil {
		return o.whole.Digests()
	}
	return o.digests
}

func colorOf(c *cli.Context) string {
	if !slices.Contains(cmdline.FlagNames(c.Command), "color") {
		return "auto"
	}
	return c.String("color")
}

func (o *Output) readFlags(c *cli.Context, run report.Run) (err error) {
	if !slices.Contains(term.Modes, o.to.color) {
		return cmdline.BadValue("color", o.to.color, term.Modes)
	}
	if run.Formats == nil {
		o.Filter, err = newFilter(c, run)
	}
	return err
}

// Progress starts to read a file of total bytes (-1: unknown).
func (o *Output) Progress(label string, total int64) *Progress {
	return o.screen.begin(label, 1, total)
}

// ProgressOfMany starts to read files with total bytes (-1: unknown). The caller calls FileDone for each.
func (o *Output) ProgressOfMany(label string, total int64) *Progress {
	p := o.screen.begin(label, 0, total)
	if p != nil && p.line.files > 0 {
		p.left = 0 // FileDone counts the bytes
	}
	return p
}

// Plan starts the progress of a run over several inputs, unless it has begun as a part of another run.
func (o *Output) Plan(inputs []walk.Input) {
	if len(inputs) < 2 || o.whole != nil {
		return
	}
	total := int64(0)
	for _, in := range inputs {
		if in.Size < 0 {
			total = -1
			break
		}
		total += in.Size
	}
	if total == 0 {
		total = -1 // the files alone say how far the run is
	}
	o.screen.plan(len(inputs), total)
}

// ListingOnly reports whether only the Listing of good answers is printed. A command can then combine millions of
// answers.
func (o *Output) ListingOnly() bool { return report.ListingOnly(o.to.formats) }

// ValuesOnly reports whether only the Value of answers is printed.
func (o *Output) ValuesOnly() bool {
	return !slices.ContainsFunc(o.to.formats, func(name string) bool { return name != "json" && name != "jsonl" })
}

func (o *Output) Shows(format string) bool { return slices.Contains(o.to.formats, format) }

// Warn prints a warning on stderr.
func (o *Output) Warn(message string) {
	o.screen.line.erase()
	cmdline.Warn(o.screen.env, message)
}

// Keep reports whether the filters keep a finding. A command that puts findings into its answers filters them with
// Keep and also passes them to Finding. A command that passes only the kept findings calls Pass instead.
func (o *Output) Keep(f finding.Finding) bool {
	keep, err := o.Filter.keeps(f)
	if err != nil {
		_ = o.Fail(err)
	}
	return keep
}

// Pass is Keep and also records why a finding is dropped. Call it once per finding.
func (o *Output) Pass(f finding.Finding) bool {
	keep := o.Keep(f)
	if !keep {
		o.leaveOut(f)
	}
	return keep
}

// leaveOut records that a configuration file ignores a finding, which formats show as suppressed.
func (o *Output) leaveOut(f finding.Finding) {
	w, err := o.Filter.Weigh.Of(f.File)
	if err != nil {
		return // the caller reports it
	}
	to, keeps := decided.Of(o.screen.env.Context), w.Choose.Keeps(f.Rule)
	if file, line := w.ignoredBy(f); !keeps && file != "" {
		to.Did(decided.Configuration, file, decided.FindingsIgnored, line, 1)
		_ = o.note(o.to.writers.Suppressed(f, "ignored by "+line))
	} else if name := o.Filter.base.name; keeps && o.Filter.base.accepts(f) {
		to.Did(decided.Baseline, name, decided.FindingsAccepted, "", 1)
		_ = o.note(o.to.writers.Suppressed(f, "accepted by the baseline "+name))
	}
}

// Wanted returns two functions for the rules of findings in a file, safe for concurrent use: which rules the flags
// select, and which of those a configuration ignores.
func (o *Output) Wanted(file string) (wanted, ignored func(rule string) bool) {
	w, err := o.Filter.Weigh.Of(file)
	if err != nil {
		_ = o.Fail(err)
	}
	wanted = o.Filter.Weigh.flags.Choose.Keeps
	return wanted, func(rule string) bool { return wanted(rule) && !w.Choose.Keeps(rule) }
}

// Finding reports a finding, unless the filters drop it.
func (o *Output) Finding(f finding.Finding) error {
	if !o.Pass(f) {
		return nil
	}
	o.AnsweredNo = o.Filter.refuses(f) || o.AnsweredNo
	o.counts.add(f)
	o.signed().finding(f.Rule)
	return o.note(o.to.writers.Finding(f))
}

// Refuses reports whether a finding would cause exit code 1.
func (o *Output) Refuses(f finding.Finding) bool { return o.Keep(f) && o.Filter.refuses(f) }

// Fault reports a finding that filters cannot drop: the reason for a failure or exit code 1.
func (o *Output) Fault(f finding.Finding) error {
	o.counts.add(f)
	o.signed().finding(f.Rule)
	return o.note(o.to.writers.Finding(f))
}

// Accepted reports whether a baseline accepts a finding, which then does not cause exit code 1. A baseline being
// written accepts all.
func (o *Output) Accepted(f finding.Finding) bool { return o.Filter.accepted(f) }

// Annotate attaches a finding to an answer, for formats that only show findings, unless the filters drop it.
func (o *Output) Annotate(a *report.Answer, f finding.Finding) {
	if o.Pass(f) {
		o.AnsweredNo = o.Filter.refuses(f) || o.AnsweredNo
		o.counts.add(f)
		a.Annotation = &f
	}
}

// Rest reports a finding that represents several others, all kept by the filters.
func (o *Output) Rest(f finding.Finding, number int) error {
	o.AnsweredNo = o.Filter.fails(f) || o.AnsweredNo
	o.counts.omit(number)
	return o.note(o.to.writers.Finding(f))
}

// Accept adds another rule that a reported finding violates to the baseline being written.
func (o *Output) Accept(f finding.Finding) { o.Filter.base.writes(f) }

// Reads sets the number of inputs. If there are many, text output lists only those that did not pass.
func (o *Output) Reads(inputs int) { o.inputs = inputs }

// Answer prints an answer. If its view cannot be created because the input changed, the run fails; for other
// errors, only the page mentions the missing view.
func (o *Output) Answer(a report.Answer) error {
	o.began = true
	o.signed().answer(a)
	a.OneOfMany = o.inputs > report.ListedInputs && a.Brief
	if a.View != nil {
		return o.viewed(a)
	}
	return o.note(o.to.writers.Answer(a))
}

// viewed prints an answer with a view, whose input can be gone.
func (o *Output) viewed(a report.Answer) error {
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

// note stores the first error of writing the report. It ends the run and is reported once, by Close.
func (o *Output) note(err error) error {
	if o.Broken == nil {
		o.Broken = err
	}
	return err
}

// No sets exit code 1, for example because a hash differs.
func (o *Output) No() { o.AnsweredNo = true }

// Fail reports why something could not be checked, on stderr and in every document. The run continues, with exit
// code 2. An interruption by Ctrl-C is returned instead.
func (o *Output) Fail(err error) error {
	if errors.Is(err, context.Canceled) {
		return err
	}
	o.Failed = true
	if cmdline.IsEmpty(err) {
		o.empty++
	} else {
		o.fails++
	}
	if o.Broken != nil && errors.Is(err, o.Broken) {
		return err
	}
	var clash *ClashError
	if errors.As(err, &clash) {
		o.to.discard()
	}
	o.screen.sayError(err)
	return o.note(o.to.writers.Fail(err.Error()))
}

// FailCounted is Fail for an input that the summary counts as read.
func (o *Output) FailCounted(err error) error {
	fails := o.fails
	err = o.Fail(err)
	o.fails = fails
	return err
}

// Unread reports why an evidence input was not read completely. The run continues after read errors; other errors
// are returned.
func (o *Output) Unread(ctx context.Context, name string, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	var read *evidence.ReadError
	if errors.As(err, &read) {
		return o.Fail(ReadFailed(name, read.Err))
	}
	return fmt.Errorf("%s: %w", name, err)
}

// ReadFailed adds the name of an input to a read error, unless it has it.
func ReadFailed(name string, err error) error {
	if plain := say.Plain(err); plain != err {
		return plain
	}
	return fmt.Errorf("%s: %w", name, err)
}

// Flush writes buffered output.
func (o *Output) Flush() error { return o.note(o.to.flush()) }

// Parts returns the totals of the commands that contributed a Part.
func (o *Output) Parts() report.Tally { return o.parts }

// Close completes all formats and returns the command's result: nil, errNo, or errSaid after Fail.
func (o *Output) Close(sum report.Summary) error {
	if o.whole == nil {
		o.screen.end()
	}
	sum.ShardList = cmp.Or(sum.ShardList, o.shardList.digest())
	if sum.Tally != nil {
		sum.Tally.Unread, sum.Tally.Total, sum.Tally.Empty = o.fails, sum.Tally.Total+o.fails, o.empty
	}
	if o.whole == nil {
		o.keepBaseline() // before the closing line, which says whether the run failed
		o.attest(o.AnsweredNo)
	}
	if o.whole == nil && o.to.run.Schema != configSchema {
		sum.DecidedWith = decided.Of(o.screen.env.Context).All()
	}
	sum.Close(report.RunResult{No: o.AnsweredNo, Failed: o.Failed, Interrupted: o.interrupted})
	if o.whole != nil {
		o.whole.parts.Add(sum)
		_ = o.note(o.to.complete(sum))
		o.whole.take(o)
		return o.result()
	}
	if o.Failed {
		o.to.withhold()
	}
	for _, a := range o.counts.answers() {
		_ = o.note(o.to.writers.Answer(a))
	}
	_ = o.note(o.to.complete(sum))
	if n := o.Filter.base.stale(); n > 0 && !o.Failed && !o.quiet {
		cmdline.Warn(o.screen.env, fmt.Sprintf("baseline entries that match no finding: %d; --write-baseline renews the file", n))
	}
	if o.Broken != nil {
		o.to.discard()
	}
	if o.Failed {
		o.Unmake()
	}
	_ = o.note(o.to.commit())
	return o.result()
}

func (o *Output) result() error {
	switch {
	case o.Broken != nil:
		return Unwritten(o.Broken)
	case o.Failed:
		return cmdline.ErrSaid
	case o.AnsweredNo && !o.mild:
		return cmdline.ErrNo
	}
	return nil
}

// Replace writes a file of the user that replaces the old one at the end of the run, after the reports, unless one
// of them fails.
func (o *Output) Replace(path string, content []byte, fresh fs.FileMode) error {
	return say.Plain(o.to.keep(path, content, fresh))
}

// Make starts a file that appears under its name at the end of the run, after the reports, unless the run fails.
func (o *Output) Make(path string) (*door.Output, error) {
	f, err := o.to.create(path, 0o666)
	if err == nil {
		o.made = append(o.made, f)
	}
	return f, err
}

// MakeNew is Make for a file that must not exist, with its permissions.
func (o *Output) MakeNew(path string, mode fs.FileMode) (*door.Output, error) {
	f, err := door.CreateNew(path, mode)
	if err == nil {
		o.to.files, o.made = append(o.to.files, f), append(o.made, f)
	}
	return f, err
}

// Unmake discards all files of Make.
func (o *Output) Unmake() {
	for _, f := range o.made {
		o.to.drop(f)
	}
	o.made = nil
}

// GiveUp discards a file of Make. f can be nil.
func (o *Output) GiveUp(f *door.Output) {
	if f != nil {
		o.to.drop(f)
		o.made = slices.DeleteFunc(o.made, func(other *door.Output) bool { return other == f })
	}
}

// Unwritten returns the error for a file or standard output that could not be written.
func Unwritten(err error) error {
	if file, worded := errors.AsType[*say.FileError](say.Plain(err)); worded {
		return file
	}
	return fmt.Errorf("cannot write the report: %w", err)
}

// keepBaseline writes the new baseline, if requested. Errors become part of the reports.
func (o *Output) keepBaseline() {
	if o.Failed {
		return
	}
	text, err := o.Filter.base.text()
	if err == nil && text != nil {
		err = o.to.keep(o.Filter.base.file, text, 0o666)
	}
	if err != nil {
		_ = o.Fail(say.Plain(err))
	}
}

// End is Close after a command's work returned err.
func (o *Output) End(sum report.Summary, err error) error {
	if err != nil && !o.began {
		for _, name := range o.to.leaveOld() {
			cmdline.Warn(o.screen.env, fmt.Sprintf("%q was not changed: the run ended before it knew all its inputs", name))
		}
	}
	if (err == nil || errors.Is(err, cmdline.ErrNo)) && !o.Failed {
		if unread := o.digests.Unread(); unread != nil {
			_ = o.Fail(unread)
		}
	}
	switch {
	case err == nil:
	case errors.Is(err, context.Canceled):
		o.Failed = true
		if !o.interrupted {
			o.interrupted = true
			_ = o.note(o.to.writers.Fail("interrupted"))
		}
		return errors.Join(err, o.Close(sum))
	case errors.Is(err, cmdline.ErrSaid):
		if !o.Failed {
			o.Failed = true
			_ = o.note(o.to.writers.Fail("could not answer; see standard error for the reason"))
		}
	case errors.Is(err, cmdline.ErrNo):
		o.No()
	case o.Broken != nil && Unwritten(err).Error() == Unwritten(o.Broken).Error():
	default:
		_ = o.Fail(err)
	}
	return o.Close(sum)
}
