package tracecmd

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/cupel-dev/cupel/commands/internal/app"
	"github.com/cupel-dev/cupel/commands/internal/cmdline"
	"github.com/cupel-dev/cupel/internal/buildinfo"
	"github.com/cupel-dev/cupel/internal/door"
	"github.com/cupel-dev/cupel/internal/report"
	"github.com/cupel-dev/cupel/internal/say"
	"github.com/cupel-dev/cupel/trace"
)

// A --summary file describes a range of a log:
//
//	cupelsum 1\n
//	the header as JSON, on one line
//	the header's SHA-256, on another
//	the summary, as package trace writes it, with its own checksum
//	its column, identified by its digest in the summary
//
// The header has the sizes of the last two, to detect truncation and surplus data.

// summaryMagic starts a --summary file. It ends with the format's version.
const (
	summaryMark  = "cupelsum "
	summaryMagic = summaryMark + "1\n"
)

// Limits of a --summary file and its range: the column is built in memory, up to a fifteenth of the
// range.
const (
	maxRange         = 1 << 30
	maxSummaryHeader = 1 << 20
	maxSummaryBytes  = 64 << 20
)

type summaryHeader struct {
	Cupel   string            `json:"cupel"` // the version that made it
	Input   logName           `json:"input"` // the log's display name
	Bytes   int64             `json:"bytes"` // its length
	Range   trace.Range       `json:"range"` // as it was asked for
	Flags   map[string]string `json:"flags"` // under which its lines were read
	Summary int               `json:"summary_bytes"`
	Column  int64             `json:"column_bytes"`
}

// logName is a display name, written in Go quotes, because it can be invalid UTF-8.
type logName string

// MarshalText writes the name in ASCII.
func (n logName) MarshalText() ([]byte, error) {
	return strconv.AppendQuoteToASCII(nil, string(n)), nil
}

func (n *logName) UnmarshalText(text []byte) error {
	name, err := strconv.Unquote(string(text))
	*n = logName(name)
	return err
}

// lineFlags affect the reading of lines; they are in the summary and must be equal for a log.
var lineFlags = []string{
	"schema-versions", "strict", "accept-aliases", "integrity-only", "strict-payload", "canonicalization", "key",
	"max-findings", "max-line-bytes", "max-depth", "max-keys", "max-values",
}

// wholeFlags concern a whole log and are given when summaries are joined.
var wholeFlags = []string{
	"contiguous", "evidence-root", "no-evidence", "plan", "check-ids", "manifest", "hmac-key-file", "expect-count", "expect-head", "max-ids",
}

// answerFlags concern output and weighing.
var answerFlags = []string{"format", "fail-on", "select", "ignore", "baseline", "write-baseline"}

// rangeTakes are the flags that can be used with --range.
var rangeTakes = slices.Concat([]string{"range", "summary", "jobs", "quiet", "no-progress", "color"}, lineFlags)

// refuseInRange rejects flags that do not apply to a part of a log.
func refuseInRange(c *cli.Context) error {
	for _, name := range slices.Concat(wholeFlags, answerFlags) {
		if c.IsSet(name) {
			return &cmdline.UsageError{Message: fmt.Sprintf("--%s applies to the whole log, but --range reads a part of it", name), Hint: "use the flag with `cupel report merge`, which joins the summaries"}
		}
	}
	if engine := c.String("engine"); engine != string(trace.Fast) {
		return &cmdline.UsageError{Message: fmt.Sprintf("--engine %s reads whole logs, but --range reads a part", engine), Hint: "verify the log whole with the second engine"}
	}
	return refuseBeside(c, "range", append(rangeTakes, "engine"), "for that, verify the whole log without --range")
}

// rangeFlag reads --range: A:B, A: up to the log's end, or :B from its beginning.
func rangeFlag(value string) (r trace.Range, err error) {
	from, to, ok := strings.Cut(value, ":")
	if ok {
		r.Start, err = strconv.ParseInt(cmp.Or(from, "0"), 10, 64)
		if end, failed := strconv.ParseInt(cmp.Or(to, strconv.FormatInt(1<<63-1, 10)), 10, 64); err == nil {
			r.End, err = end, failed
		}
	}
	if !ok || err != nil || r.Start < 0 || r.End < r.Start || value == ":" {
		return r, &cmdline.UsageError{Message: fmt.Sprintf("--range is %q, expected two byte offsets, the smaller one first", value), Hint: "for example 0:268435456; --ranges SIZE prints those of a log"}
	}
	return r, nil
}

// summarizeRange is `cupel trace verify --range A:B --summary OUT LOG`.
func summarizeRange(env cmdline.Env, c *cli.Context) error {
	if given, missing := oneMissing(c, "range", "summary"); missing != "" {
		return &cmdline.UsageError{Message: fmt.Sprintf("--%s requires --%s", given, missing), Hint: "--range A:B --summary OUT reads a part of a log, and `cupel report merge` joins the parts"}
	}
	if err := refuseInRange(c); err != nil {
		return err
	}
	wanted, err := rangeFlag(c.String("range"))
	if err != nil {
		return err
	}
	opt, err := traceOptions(c)
	if err != nil {
		return err
	}
	if err := app.DistinctFiles(env, c, c.String("summary") == "-"); err != nil {
		return err
	}
	defer app.RoomyHeap()()
	log, err := openLog(env, c, "--range")
	if err != nil {
		return err
	}
	defer log.close()
	if length := min(wanted.End, log.bytes) - wanted.Start; length > maxRange {
		return &cmdline.UsageError{Message: fmt.Sprintf("--range has %d bytes, the limit is %d: a range must fit in memory", length, maxRange), Hint: "cut the log into smaller ranges; --ranges SIZE prints them"}
	}
	text, column, err := summarize(env, log, wanted, opt)
	if err != nil {
		return err
	}
	head := summaryHeader{
		Cupel: buildinfo.Version, Input: logName(log.name), Bytes: log.bytes, Range: wanted, Flags: givenFlags(c, lineFlags),
		Summary: len(text), Column: int64(len(column)),
	}
	return writeSummary(env, c.String("summary"), head, text, column)
}

// oneMissing returns the missing one of two flags that must be given together.
func oneMissing(c *cli.Context, a, b string) (given, missing string) {
	switch {
	case c.IsSet(a) && !c.IsSet(b):
		return a, b
	case c.IsSet(b) && !c.IsSet(a):
		return b, a
	}
	return "", ""
}

// givenFlags returns the values of the given flags.
func givenFlags(c *cli.Context, names []string) map[string]string {
	values := map[string]string{}
	for _, name := range names {
		if c.IsSet(name) {
			values[name] = fmt.Sprint(c.Value(name))
		}
	}
	return values
}

// summarize summarizes a range and writes its column.
func summarize(env cmdline.Env, log wholeLog, r trace.Range, opt trace.Options) (text, column []byte, err error) {
	opt.Name = log.name
	src := io.NewSectionReader(log.file, 0, log.bytes)
	p, err := trace.Open(io.NewSectionReader(log.file, 0, log.bytes), opt)
	if errors.Is(err, trace.ErrArray) {
		return nil, nil, fmt.Errorf("%q: %w", log.name, err)
	}
	var s *trace.Summary
	if err == nil {
		s, err = trace.Summarize(env.Context, src, r, p, opt)
	}
	if err == nil {
		err = log.unchanged()
	}
	if err == nil {
		text, err = s.MarshalBinary()
	}
	switch {
	case env.Context.Err() != nil:
		return nil, nil, env.Context.Err()
	case err != nil:
		return nil, nil, explained(log.Input, err)
	case len(text) > maxSummaryBytes:
		return nil, nil, &cmdline.Hinted{Err: fmt.Errorf("the summary of %q has %d bytes, the limit is %d", log.name, len(text), maxSummaryBytes), Hint: "cut the log into smaller ranges"}
	}
	for _, blob := range s.Columns() {
		column = blob // the only one
	}
	return text, column, nil
}

// unchanged returns an error if a log changes during the run, because its parts would not match.
func (l wholeLog) unchanged() error {
	info, err := l.file.Stat()
	if err == nil && info.Size() != l.bytes {
		err = fmt.Errorf("the log had %d bytes, now %d: it changed while it was read", l.bytes, info.Size())
	}
	return err
}

// writeSummary writes the file atomically; "-" is standard output.
func writeSummary(env cmdline.Env, name string, head summaryHeader, text, column []byte) error {
	begin, err := json.Marshal(head)
	if err != nil {
		return err
	}
	parts := [][]byte{[]byte(summaryMagic), begin, []byte("\n" + headerSum(begin) + "\n"), text, column}
	if name == "-" {
		return writeParts(env.Stdout, parts)
	}
	out, err := door.Create(env.Context, name, 0o666)
	if err != nil {
		return cannotSummarize(err)
	}
	defer out.Discard()
	if err := writeParts(out, parts); err != nil {
		return cannotSummarize(err)
	}
	if err := env.Context.Err(); err != nil {
		return err
	}
	return cannotSummarize(out.Commit())
}

func writeParts(w io.Writer, parts [][]byte) error {
	for _, part := range parts {
		if _, err := w.Write(part); err != nil {
			return err
		}
	}
	return nil
}

// cannotSummarize formats the error of writing the file.
func cannotSummarize(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("cannot write --summary: %w", say.Plain(err))
}

// readSummary reads a --summary file of a given size up to its column.
func readSummary(r io.Reader, size int64) (head summaryHeader, s *trace.Summary, column int64, err error) {
	begin := make([]byte, len(summaryMagic))
	if _, err := io.ReadFull(r, begin); err != nil || string(begin) != summaryMagic {
		return head, nil, 0, &cmdline.Hinted{Err: errors.New("the file is not a summary of this version"), Hint: "make the summary again with this version"}
	}
	line, err := readLine(r, maxSummaryHeader)
	sum, failed := readLine(r, maxSummaryHeader)
	if err = errors.Join(err, failed); err == nil {
		err = json.Unmarshal(line, &head)
	}
	column = int64(len(begin)+len(line)+len(sum)+2) + int64(head.Summary)
	if err != nil || string(sum) != headerSum(line) || head.Summary < 0 || head.Summary > maxSummaryBytes || head.Column < 0 || head.Bytes < 0 {
		return head, nil, 0, errCutSummary
	}
	text := make([]byte, head.Summary)
	if _, err := io.ReadFull(r, text); err != nil || size >= 0 && size != column+head.Column {
		return head, nil, 0, errCutSummary
	}
	s = &trace.Summary{}
	return head, s, column, s.UnmarshalBinary(text)
}

// errCutSummary is the error for a damaged file.
var errCutSummary = &cmdline.Hinted{Err: errors.New("the summary is truncated or damaged"), Hint: "make the summary again with `cupel trace verify --range A:B --summary OUT LOG`"}

// headerSum is the second line of a header.
func headerSum(head []byte) string {
	sum := sha256.Sum256(head)
	return hex.EncodeToString(sum[:])
}

// readLine reads a line byte by byte, to not read beyond it.
func readLine(r io.Reader, most int) (line []byte, err error) {
	one := make([]byte, 1)
	for len(line) <= most {
		if _, err := io.ReadFull(r, one); err != nil {
			return nil, err
		}
		if one[0] == '\n' {
			return line, nil
		}
		line = append(line, one[0])
	}
	return nil, errCutSummary
}

// flagsOf returns the flags of a verification with the values from a summary and the command line.
func flagsOf(c *cli.Context, lines map[string]string) (*cli.Context, error) {
	cmd := &cli.Command{Name: "verify", Flags: slices.Concat(traceVerifyFlags(), sessionFlags())}
	set := flag.NewFlagSet(cmd.Name, flag.ContinueOnError)
	set.SetOutput(io.Discard)
	for _, f := range cmd.Flags {
		if err := f.Apply(set); err != nil {
			return nil, err
		}
	}
	for name, value := range lines {
		if !slices.Contains(lineFlags, name) || set.Set(name, value) != nil {
			return nil, errCutSummary
		}
	}
	for name, value := range givenFlags(c, append(wholeFlags, "jobs")) {
		if err := set.Set(name, value); err != nil {
			return nil, err
		}
	}
	again := cli.NewContext(c.App, set, nil)
	again.Command, again.Context = cmd, c.Context
	return again, nil
}

// withRanges makes the flags of rangeFlags replace a verification. Without output, the report has
// the reason.
func withRanges(env cmdline.Env, run report.Run, cmd *cli.Command) *cli.Command {
	verify := cmd.Action
	cmd.Action = func(c *cli.Context) error {
		do := summarizeRange
		switch {
		case c.IsSet("ranges"):
			do = printPlan
		case !c.IsSet("range") && !c.IsSet("summary"):
			return verify(c)
		}
		err := do(env, c)
		if err == nil {
			return nil
		}
		out, failure := app.OpenReport(env, c, run)
		if failure != nil {
			return failure
		}
		return out.End(report.Summary{}, err)
	}
	return cmd
}
