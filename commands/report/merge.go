// Package reportcmd has the commands of `cupel report`.
package reportcmd

import (
	"bufio"
	"cmp"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/cupel-dev/cupel/commands/internal/app"
	"github.com/cupel-dev/cupel/commands/internal/cmdline"
	"github.com/cupel-dev/cupel/commands/internal/input"
	"github.com/cupel-dev/cupel/internal/decided"
	"github.com/cupel-dev/cupel/internal/report"
	"github.com/cupel-dev/cupel/internal/walk"
)

// reportFiles are the file names of mergeable reports.
var reportFiles = []string{"*.json", "*.cupelsum"}

// MergeCommand is `cupel report merge`. kinds are the supported reports, by the commands in reports of check. logs
// merges log summaries.
func MergeCommand(env cmdline.Env, kinds Kinds, by *input.Checkers, logs input.LogSummaries) *cli.Command {
	cmd := &cli.Command{
		Name:      "merge",
		Usage:     "merge reports of several runs, or summaries of parts of a log, into one report",
		ArgsUsage: "REPORT…",
		UsageText: strings.Join([]string{
			"cupel report merge shard-1.json shard-2.json shard-3.json",
			"cupel report merge --log /data/log.jsonl sums/",
			"cupel report merge --expect-inputs logs.txt --format json=all.json reports/",
			"cat shard-*.json | cupel report merge --format sarif -",
		}, "\n"),
		Description: "The reports are from one command with --format json, for shards or parts of its inputs. The\nmerged report has all inputs in the order of their names, and the exit code of one run over\nall. A repeated report counts once; two reports that contradict each other about one input\nare rejected. Summaries are from trace verify --range and need their log.",
		Flags:       slices.Concat(mergeFlags(), logs.Flags(), input.OperandFlags(), app.OutputFlags(mergeRun)),
	}
	cmd.Action = func(c *cli.Context) error { return mergeReports(env, c, kinds, by, logs) }
	cmd.OnUsageError = func(c *cli.Context, mistake error, _ bool) error {
		out, err := app.OpenReport(env, c, mergeRun)
		if err != nil {
			return err
		}
		return out.End(report.Summary{}, mistake)
	}
	return cmd
}

func mergeFlags() []cli.Flag {
	const category = "Merge"
	return []cli.Flag{
		&cli.BoolFlag{Name: "allow-missing", Category: category, Usage: "merge shards even if some are missing; the report names those present"},
		&cli.StringFlag{Name: "expect-inputs", Category: category, Usage: "`FILE` with the names of all inputs, one per line (or NUL-terminated), that the reports must cover"},
	}
}

// mergeJob is one run of the command.
type mergeJob struct {
	env      cmdline.Env
	c        *cli.Context
	kinds    Kinds
	checkers *input.Checkers
	logs     input.JoinedLogs
	sources  *reportSources
	expected []string // the inputs of --expect-inputs, sorted; nil: none are named
	faults   []error  // why something cannot be joined

	kind     *reportKind // nil: no report was found
	first    string      // file that determined it
	lists    []string
	reports  int32
	known    map[[sha256.Size]byte]bool // reports by content
	runs     []elementRun
	names    int // bytes of the inputs' names
	totals   Totals
	rules    map[string]bool // the ids that findings may have; nil: they were not looked up yet
	failed   bool
	failures []string // of the reports, each once
	repeated map[string]bool

	shards mergedShards // and the list that they are of
	bound  mergedBound
	summed bool // there are summaries, which do not say it

	decided []decided.File // the files that took part in the verdicts of all reports

	parts   []*mergedPart     // of a report with those of other commands in it
	checked input.CheckTotals // of its summaries
}

func mergeReports(env cmdline.Env, c *cli.Context, kinds Kinds, by *input.Checkers, logs input.LogSummaries) error {
	m := &mergeJob{env: env, c: c, kinds: kinds, checkers: by, logs: logs.Join(env, c), known: map[[sha256.Size]byte]bool{}, repeated: map[string]bool{}, sources: &reportSources{}, shards: mergedShards{have: map[walk.Shard]bool{}}}
	defer m.sources.close()
	err := m.read()
	if errors.Is(err, io.EOF) {
		err = io.ErrUnexpectedEOF
	}
	out, failure := app.OpenOutput(env, c, m.run())
	if failure != nil {
		return failure
	}
	var sum report.Summary
	if err == nil {
		sum, err = m.report(out)
	}
	return out.End(sum, err)
}

// read indexes the operands' reports. An error ends the run.
func (m *mergeJob) read() error {
	if m.c.Args().Len() == 0 {
		return &cmdline.UsageError{Message: "nothing to merge: name the reports", Hint: "`cupel report merge --help` shows the usage"}
	}
	var err error
	if m.expected, err = readExpected(m.c); err != nil {
		return err
	}
	if err := m.logs.Prepare(); err != nil {
		return err
	}
	inputs, err := input.OpenInputs(m.env, m.c, input.Reads{Patterns: reportFiles})
	if err != nil {
		return err
	}
	for _, in := range inputs {
		if err := m.env.Context.Err(); err != nil {
			return err
		}
		if err := m.file(in); err != nil {
			m.faults = append(m.faults, err)
		}
	}
	if err := m.env.Context.Err(); err != nil {
		return err
	}
	return m.logs.Check(len(m.faults) > 0)
}

func (m *mergeJob) file(in walk.Input) error {
	number, r, done, err := m.sources.add(in)
	if err != nil {
		return err
	}
	defer done()
	peeked := bufio.NewReader(r)
	if m.logs.Begins(peeked) {
		m.summed = true
		return input.Unjoinable(in.Name, m.summaryFile(number, in, peeked))
	}
	reports := newReportReader(peeked)
	reports.kinds = m.kinds
	for n := 0; ; n++ {
		x, err := reports.next(int32(number))
		if errors.Is(err, io.EOF) && n > 0 {
			return nil
		}
		if err == nil {
			err = m.take(in.Name, x)
		}
		if err != nil {
			return input.Unjoinable(in.Name, err)
		}
	}
}

func (m *mergeJob) take(name string, x *reportIndex) error {
	kind, err := m.kinds.named(x.schema)
	switch {
	case err != nil:
		return err
	case m.kind == nil:
		m.kind, m.first, m.lists = kind, name, kind.Lists
		if m.lists == nil {
			m.lists = x.lists
		}
	case m.kind != kind:
		return m.anotherKind(kind)
	}
	if m.known[x.sum] {
		return nil
	}
	if err := m.fits(x); err != nil {
		return err
	}
	if err := m.takeDocuments(name, x); err != nil {
		return err
	}
	if err := m.bound.add(name, x.bound); err != nil {
		return err
	}
	if err := m.shards.add(name, x); err != nil {
		return err
	}
	m.known[x.sum] = true
	m.decided = append(m.decided, x.decided...)
	for i := range x.runs {
		x.runs[i].report = m.reports
		m.names += len(x.runs[i].about)
	}
	m.reports++
	m.runs = append(m.runs, x.runs...)
	if len(m.runs) > maxElements || m.names > maxNames {
		return errManyInputs
	}
	m.fail(x)
	return nil
}

// anotherKind returns the error for a report of another kind than the first.
func (m *mergeJob) anotherKind(kind *reportKind) error {
	return &cmdline.Hinted{Err: fmt.Errorf("the report has the schema %s, but %q has %s", kind.Schema, m.first, m.kind.Schema), Hint: "merge the reports of each command separately"}
}

// fits checks that a report fits the others and adds its summary.
func (m *mergeJob) fits(x *reportIndex) error {
	if a, b := slices.Sorted(slices.Values(x.lists)), slices.Sorted(slices.Values(m.lists)); !slices.Equal(a, b) {
		return fmt.Errorf("the report has the lists %s, expected %s as in %q", strings.Join(a, ", "), strings.Join(b, ", "), m.first)
	}
	if m.kind.Parts {
		return nil
	}
	node, err := newReportReader(nil).element(x.summary)
	if err != nil {
		return err
	}
	for _, check := range x.checks {
		if check.kind == m.kind {
			if err := check.summary(x, node); err != nil {
				return err
			}
		}
	}
	return m.totals.add(node, m.kind.All)
}

// fail stores the errors of a run that failed.
func (m *mergeJob) fail(x *reportIndex) {
	m.failed = m.failed || x.failed
	for _, why := range x.failures {
		if !m.repeated[why] && len(m.failures) < maxFailures {
			m.repeated[why] = true
			m.failures = append(m.failures, why)
		}
	}
}

// run returns the joined report's description.
func (m *mergeJob) run() report.Run {
	if m.kind == nil {
		return mergeRun
	}
	run := m.kind.run(m.lists)
	if !m.summed && m.bound.Options != nil {
		run.Bound = &m.bound.Bound
	}
	if m.expected == nil { // otherwise the inputs determine what is missing
		run.Shards = m.shards.incomplete()
	}
	return run
}

func (m *mergeJob) report(out *app.Output) (report.Summary, error) {
	for _, err := range m.faults {
		if err := out.Fail(err); err != nil {
			return report.Summary{}, err
		}
	}
	if m.kind == nil {
		return report.Summary{}, cmdline.ErrSaid
	}
	if m.bound.several() {
		out.Warn("the reports come from several versions of cupel: " + m.bound.Version)
	}
	for _, step := range []func(*app.Output) error{m.joinParts, m.order, m.expect, m.expectShards, m.write, m.say} {
		if err := step(out); err != nil {
			return report.Summary{}, err
		}
	}
	decided.Of(m.env.Context).Add(m.decided)
	return m.summary(out), nil
}

// order sorts the elements by list and input name. It returns an error if two reports are about the same input.
func (m *mergeJob) order(out *app.Output) error {
	slices.SortStableFunc(m.runs, func(a, b elementRun) int {
		return cmp.Or(cmp.Compare(slices.Index(m.lists, a.list), slices.Index(m.lists, b.list)), cmp.Compare(a.rank, b.rank), compareNames(a.list, a.about, b.about))
	})
	kept := m.runs[:0]
	for _, run := range m.runs {
		if last := len(kept) - 1; last < 0 || kept[last].list != run.list || kept[last].about != run.about || kept[last].report == run.report {
			kept = append(kept, run)
			continue
		}
		before := kept[len(kept)-1]
		if m.kind.shares(run.list) && before.sum == run.sum {
			continue
		}
		if err := out.Fail(m.twice(before, run)); err != nil {
			return err
		}
	}
	m.runs = kept
	return nil
}

// compareNames compares input names in a list, lines of a file by number. A suite's read errors come after its
// lines.
func compareNames(list, a, b string) int {
	x, m := lineOf(a)
	y, n := lineOf(b)
	if list == "suites" {
		m, n = m-1, n-1 // of none it is the largest number
	}
	return cmp.Or(cmp.Compare(x, y), cmp.Compare(m, n), cmp.Compare(a, b))
}

func lineOf(name string) (file string, line uint64) {
	if at := strings.LastIndexByte(name, ':'); at > 0 {
		if n, err := strconv.ParseUint(name[at+1:], 10, 63); err == nil {
			return name[:at], n
		}
	}
	return name, 0
}

// twice returns the error for two reports about the same input.
func (m *mergeJob) twice(a, b elementRun) error {
	return &cmdline.Hinted{
		Err:  fmt.Errorf("%q occurs in two reports: %q and %q", a.about, m.sources.list[a.source].Name, m.sources.list[b.source].Name),
		Hint: "give each input to one run; an unchanged input with the same name counts once",
	}
}

// repeat prints the errors of failed runs.
func (m *mergeJob) repeat(out *app.Output) error {
	for _, why := range m.failures {
		if err := out.Fail(errors.New(why)); err != nil {
			return err
		}
	}
	return nil
}

// say prints the errors of failed runs, and an error if there are no results.
func (m *mergeJob) say(out *app.Output) error {
	if !m.kind.Parts { // joinParts has repeated it
		if err := m.repeat(out); err != nil {
			return err
		}
	}
	about := len(m.runs)
	if m.kind.Parts {
		about = len(m.parts)
	}
	switch {
	case m.failed && len(m.failures) == 0 && !out.Failed:
		return out.Fail(errors.New("a run failed without an error message"))
	case about == 0 && !m.failed && !out.Failed && !m.c.Bool("allow-empty"):
		return out.Fail(&cmdline.Hinted{Err: errors.New("the reports cover no input"), Hint: cmdline.AllowEmptyHint})
	}
	return nil
}

func (m *mergeJob) summary(out *app.Output) report.Summary {
	if m.kind.Parts {
		sum := m.checked.Summary(0, out.Parts())
		sum.ShardList = m.shards.incompleteList()
		return sum
	}
	if m.kind.No != nil && m.kind.No(m.totals) {
		out.No()
	}
	s := report.Summary{Value: m.totals, Text: m.totals.String(), Weight: report.Good, ShardList: m.shards.incompleteList()}
	if m.kind.Tally != nil {
		s.Tally = m.kind.Tally(m.totals)
	}
	if out.AnsweredNo {
		s.Weight = report.Bad
	}
	return s
}
