package input

import (
	"bufio"
	"cmp"
	"fmt"
	"io"

	"github.com/urfave/cli/v2"

	"github.com/cupel-dev/cupel/commands/internal/app"
	"github.com/cupel-dev/cupel/commands/internal/cmdline"
	"github.com/cupel-dev/cupel/internal/say"
)

// Unjoinable returns an error with the name of the file that cannot be merged.
func Unjoinable(name string, err error) error {
	if err == nil {
		return nil
	}
	advice := cmp.Or(cmdline.HintOf(err), "expected reports that this version of cupel wrote with --format json")
	if plain := say.Plain(err); plain != err {
		return &cmdline.Hinted{Err: plain, Hint: advice}
	}
	return &cmdline.Hinted{Err: fmt.Errorf("cannot join %q: %s", name, app.Misread(err)), Hint: advice}
}

// LogSummaries merges summaries of ranges of logs. Package tracecmd implements it.
type LogSummaries interface {
	Flags() []cli.Flag // that are about the logs
	Join(env cmdline.Env, c *cli.Context) JoinedLogs
}

// JoinedLogs are the logs whose summaries a run merges.
type JoinedLogs interface {
	// Prepare reads the files named by flags.
	Prepare() error
	// Begins reports whether the input is a summary.
	Begins(r *bufio.Reader) bool
	// Add adds a summary file of size bytes. section rereads a part of it. It returns the log's name and whether
	// this is its first summary.
	Add(file string, r io.Reader, size int64, section func(from, to int64) (io.Reader, error)) (log string, first bool, err error)
	// Check returns an error for unusable flags. faulty means that an unreadable file can be a summary.
	Check(faulty bool) error
	// Judge reports on a log and returns its summary, or nil.
	Judge(out *app.Output, log string) (any, error)
}
