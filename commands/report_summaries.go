package commands

import (
	"bufio"
	"io"

	"github.com/cupel-dev/cupel/internal/walk"
	"github.com/urfave/cli/v2"
)

// logSummaries are the summaries of ranges of logs, which another room of the command line makes.
type logSummaries interface {
	Flags() []cli.Flag // that are about the logs
	Join(env Env, c *cli.Context) joinedLogs
}

// joinedLogs are the logs whose summaries a run joins.
type joinedLogs interface {
	// Prepare reads what the flags name.
	Prepare() error
	// Begins says whether a summary begins here.
	Begins(r *bufio.Reader) bool
	// Add adds the summary in a file of size bytes, of which section reads a part again. It returns
	// the log's name, and whether it is the first summary of it.
	Add(file string, r io.Reader, size int64, section func(from, to int64) (io.Reader, error)) (log string, first bool, err error)
	// Check refuses flags that there are no logs for, or too many; faulty says that a file was not
	// understood, which may be a summary.
	Check(faulty bool) error
	// Judge reports on a log, and returns the summary of that; nil when there is none.
	Judge(out *output, log string) (any, error)
}

// summaryFile reads a file of --summary.
func (m *merging) summaryFile(number int, in walk.Input, r io.Reader) error {
	name, first, err := m.logs.Add(in.Name, r, in.Size, func(from, to int64) (io.Reader, error) { return m.sources.section(number, from, to) })
	if err != nil {
		return err
	}
	kind, err := m.kinds.named("cupel.trace/1")
	switch {
	case err != nil:
		return err
	case m.kind == nil:
		m.kind, m.first, m.lists = kind, in.Name, kind.lists
	case m.kind != kind:
		return m.anotherKind(kind)
	}
	if first {
		m.runs = append(m.runs, elementRun{list: kind.main, about: name, source: int32(number), report: m.reports, log: name})
		m.reports++
	}
	return nil
}
