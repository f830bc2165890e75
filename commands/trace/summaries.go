package tracecmd

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"maps"
	"path/filepath"
	"slices"

	"github.com/urfave/cli/v2"

	"github.com/cupel-dev/cupel/commands/internal/app"
	"github.com/cupel-dev/cupel/commands/internal/cmdline"
	"github.com/cupel-dev/cupel/commands/internal/input"
	"github.com/cupel-dev/cupel/internal/door"
	"github.com/cupel-dev/cupel/internal/say"
	"github.com/cupel-dev/cupel/trace"
)

// LogSummariser joins the range summaries of logs for `cupel report merge`.
type LogSummariser struct{}

// Flags are the flags of `cupel report merge` for range summaries.
func (LogSummariser) Flags() []cli.Flag {
	list := []cli.Flag{
		&cli.StringFlag{Name: "log", Category: "Summaries", Usage: "`PATH` of the log, if it has moved since the summaries were written"},
		&cli.BoolFlag{Name: "check-log", Category: "Summaries", Usage: "read each whole log and require the SHA-256 of each summarized range"},
	}
	for _, f := range slices.Concat(traceVerifyFlags(), sessionFlags()) {
		if name := f.Names()[0]; name == "jobs" || slices.Contains(wholeFlags, name) {
			list = append(list, f)
		}
	}
	return list
}

type summarizedLog struct {
	name   string
	head   summaryHeader // of the first
	file   string        // … and its file
	parts  []*trace.Summary
	counts []int // how many summaries are in each of the parts
	broken error // why they cannot be joined
}

// add adds a summary. Many summaries are joined like the carries of a binary counter, so that each takes part in
// few merges.
func (l *summarizedLog) add(head *summaryHeader, s *trace.Summary) {
	if l.broken == nil {
		l.broken = l.fits(head)
	}
	l.parts, l.counts = append(l.parts, s), append(l.counts, 1)
	for n := len(l.parts); n > 1 && l.counts[n-1] == l.counts[n-2]; n = len(l.parts) {
		l.fold()
	}
}

// fits returns how a summary differs from another of the same log.
func (l *summarizedLog) fits(head *summaryHeader) error {
	if a, b := l.head.Bytes, head.Bytes; a != b {
		return fmt.Errorf("the log had %d bytes for one summary and %d for another: it changed between the runs", a, b)
	}
	for _, name := range slices.Sorted(maps.Keys(l.head.Flags)) {
		if l.head.Flags[name] != head.Flags[name] {
			return errOtherFlag(name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(head.Flags)) {
		if _, same := l.head.Flags[name]; !same {
			return errOtherFlag(name)
		}
	}
	return nil
}

func errOtherFlag(name string) error {
	return fmt.Errorf("the summaries were made with different values of --%s: use the same flags for every range of a log", name)
}

// fold joins the last two parts.
func (l *summarizedLog) fold() {
	n := len(l.parts)
	if err := l.parts[n-2].Merge(l.parts[n-1]); err != nil && l.broken == nil {
		l.broken = err
	}
	l.counts[n-2] += l.counts[n-1]
	l.parts, l.counts = l.parts[:n-1], l.counts[:n-1]
}

func (l *summarizedLog) whole() (*trace.Summary, error) {
	for len(l.parts) > 1 {
		l.fold()
	}
	return l.parts[0], l.broken
}

// Join starts to join the summaries that a run reads.
func (LogSummariser) Join(env cmdline.Env, c *cli.Context) input.JoinedLogs {
	return &summarizedLogs{env: env, c: c, logs: map[string]*summarizedLog{}}
}

// summarizedLogs are the logs of a run's summaries.
type summarizedLogs struct {
	env  cmdline.Env
	c    *cli.Context
	plan []byte                    // of --plan
	logs map[string]*summarizedLog // by their names
}

// Prepare reads the file of --plan.
func (j *summarizedLogs) Prepare() (err error) {
	if name := j.c.String("plan"); name != "" {
		j.plan, err = app.PlanFile(j.c).Read(j.c.Context, name)
	}
	return err
}

// Begins reports whether the input starts with a summary.
func (*summarizedLogs) Begins(r *bufio.Reader) bool {
	begin, _ := r.Peek(len(summaryMark))
	return string(begin) == summaryMark
}

// Add adds a summary file of size bytes; section rereads a part. It returns the log's name and
// whether this is its first summary.
func (j *summarizedLogs) Add(file string, r io.Reader, size int64, section func(from, to int64) (io.Reader, error)) (name string, first bool, err error) {
	head, s, column, err := readSummary(r, size)
	if err != nil {
		return "", false, err
	}
	if _, err := io.Copy(io.Discard, r); err != nil { // what cannot be read again is kept while it is read
		return "", false, err
	}
	s.OpenColumn = func([32]byte) (io.ReadCloser, error) {
		part, err := section(column, column+head.Column)
		if err != nil {
			return nil, err
		}
		return io.NopCloser(part), nil
	}
	name = string(head.Input)
	log := j.logs[name]
	if log == nil {
		log, first = &summarizedLog{name: name, head: head, file: file}, true
		j.logs[name] = log
	}
	log.add(&head, s)
	return name, first, nil
}

// Check rejects unusable flags; faulty means that an unreadable file can be a summary.
func (j *summarizedLogs) Check(faulty bool) error {
	for _, name := range append([]string{"log", "check-log"}, wholeFlags...) {
		if j.c.IsSet(name) && len(j.logs) == 0 && !faulty {
			return &cmdline.UsageError{Message: fmt.Sprintf("--%s applies to the summarized log, but no summary is given", name), Hint: "use the flag in the runs that verify"}
		}
	}
	return app.OneOf(j.c, len(j.logs), "log", "expect-count", "expect-head")
}

// Judge reports on a log, and returns its summary, or nil.
func (j *summarizedLogs) Judge(out *app.Output, name string) (any, error) {
	l := j.logs[name]
	s, err := l.whole()
	if err != nil {
		return nil, out.Fail(&cmdline.Hinted{Err: fmt.Errorf("cannot join the summaries of %q: %w", l.name, err), Hint: "summarize the changed ranges again"})
	}
	flags, err := flagsOf(j.c, l.head.Flags)
	if err != nil {
		return nil, out.Fail(input.Unjoinable(l.file, err))
	}
	opt, err := traceOptions(flags)
	if err != nil {
		return nil, err
	}
	app.RaiseHeap(32 * opt.Limits.IDs)
	answer, err := j.verdict(l, s, opt)
	if err != nil {
		if j.env.Context.Err() != nil {
			return nil, j.env.Context.Err()
		}
		return nil, out.Fail(err)
	}
	for _, given := range []*cli.Context{flags, j.c} {
		if err := (&LogVerifier{c: given}).refuse(answer); err != nil {
			return nil, out.Fail(err)
		}
	}
	v := &LogVerifier{env: j.env, c: j.c, out: out, live: app.LiveFindings(j.c)}
	if v.live {
		for _, f := range answer.Findings {
			if err := out.Finding(f); err != nil {
				return nil, err
			}
		}
	}
	if err := v.answer(answer); err != nil {
		return nil, err
	}
	return v.summary().Value, nil
}

// verdict returns the report on a log, which is read from --log or the path in the summaries.
func (j *summarizedLogs) verdict(l *summarizedLog, s *trace.Summary, opt trace.Options) (*trace.Report, error) {
	path := filepath.FromSlash(l.name)
	if given := j.c.String("log"); given != "" {
		path = given
	}
	log, err := j.openLog(path)
	if err != nil {
		return nil, &cmdline.Hinted{Err: noReport(l.name, err), Hint: "name the summarized log with --log PATH"}
	}
	defer log.close()
	if log.bytes != l.head.Bytes {
		return nil, &cmdline.Hinted{
			Err:  noReport(l.name, fmt.Errorf("the log had %d bytes when it was summarized, now %d", l.head.Bytes, log.bytes)),
			Hint: summarizeHint,
		}
	}
	opt.Name = l.name
	around, err := openAround(j.c, log.Input, &opt.Reasoning)
	defer around.close()
	if err != nil {
		return nil, err
	}
	if j.plan != nil {
		opt.Reasoning.Plan, opt.Reasoning.PlanName = bytes.NewReader(j.plan), filepath.ToSlash(j.c.String("plan"))
	}
	answer, err := j.answerOf(s, log, opt)
	switch {
	case app.Spared(err) != nil:
		return nil, app.Spared(err)
	case err != nil:
		return nil, unreported(l.name, err)
	}
	return answer, nil
}

// answerOf returns the report on an open log.
func (j *summarizedLogs) answerOf(s *trace.Summary, log wholeLog, opt trace.Options) (answer *trace.Report, err error) {
	src := io.NewSectionReader(log.file, 0, log.bytes)
	if j.c.Bool("check-log") {
		err = s.Check(j.env.Context, src)
	}
	if err == nil {
		answer, err = s.Report(j.env.Context, src, opt)
	}
	if err == nil {
		err = log.unchanged()
	}
	return answer, err
}

func (j *summarizedLogs) openLog(path string) (log wholeLog, err error) {
	if _, err := door.Stat(path); err != nil {
		return log, say.Plain(err)
	}
	inputs, err := input.ExpandInputs(j.env, j.c, []string{path}, input.Reads{})
	switch {
	case err != nil:
		return log, err
	case len(inputs) != 1:
		return log, cmdline.IsFolder(path)
	}
	return wholeLogOf(inputs[0], "a summary")
}

// unreported returns the error for a log without report, with a hint.
func unreported(name string, err error) error {
	advice := summarizeHint
	if gap, ok := errors.AsType[*trace.GapError](err); ok {
		advice = fmt.Sprintf("`cupel trace verify --range %d:%d --summary OUT LOG` reads them", gap.Missing.Start, gap.Missing.End)
	}
	if limit, ok := errors.AsType[*trace.LimitError](err); ok {
		advice = say.RaiseHint(limit.Flag)
	}
	return &cmdline.Hinted{Err: noReport(name, say.Plain(err)), Hint: advice}
}

func noReport(name string, err error) error { return fmt.Errorf("cannot report on %q: %w", name, err) }

// summarizeHint is the hint for a changed log.
const summarizeHint = "summarize the log again; --log PATH names another file"
