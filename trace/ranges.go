package trace

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"

	"github.com/cupel-dev/cupel/internal/digest"
	"github.com/cupel-dev/cupel/internal/say"
	"github.com/cupel-dev/cupel/trace/internal/stream"
	"github.com/cupel-dev/cupel/trace/internal/wire"
)

// Range is a part of a log: the lines that start in [Start, End). End can exceed the log.
type Range struct {
	Start int64 `json:"start"`
	End   int64 `json:"end"`
}

func (r Range) String() string { return fmt.Sprintf("bytes %d to %d", r.Start, r.End) }

// wholeLines moves the ends of a range to the next line start or the end of the log.
func wholeLines(src io.ReaderAt, r Range) (whole Range, size int64, err error) {
	if r.Start < 0 || r.End < r.Start {
		return r, 0, fmt.Errorf("the range %d:%d: expected two offsets, the lesser first", r.Start, r.End)
	}
	if size, err = sizeOf(src); err != nil {
		return r, 0, err
	}
	if whole.Start, err = lineAt(src, r.Start, size); err != nil {
		return r, 0, err
	}
	whole.End, err = lineAt(src, max(r.End, whole.Start), size)
	return whole, size, err
}

// lineAt returns the start of the first line at or after an offset, or the log's size.
func lineAt(src io.ReaderAt, offset, size int64) (int64, error) {
	if offset <= 0 || offset >= size {
		return max(0, min(offset, size)), nil
	}
	buf := make([]byte, 64<<10)
	for at := offset - 1; at < size; {
		n, err := src.ReadAt(buf[:min(int64(len(buf)), size-at)], at)
		if i := bytes.IndexByte(buf[:n], '\n'); i >= 0 {
			return at + int64(i) + 1, nil
		}
		if at += int64(n); err != nil && at < size {
			return 0, err
		}
	}
	return size, nil
}

func sizeOf(src io.ReaderAt) (int64, error) {
	switch src := src.(type) {
	case interface{ Size() int64 }:
		return src.Size(), nil
	case interface{ Stat() (fs.FileInfo, error) }:
		info, err := src.Stat()
		if err != nil {
			return 0, say.Plain(err)
		}
		if !info.Mode().IsRegular() {
			return 0, errors.New("it is not a regular file: only a regular file can be cut into ranges")
		}
		return info.Size(), nil
	}
	return 0, errors.New("the length of the log is not known: wrap it in an io.SectionReader")
}

// rangeReader reads the whole lines of a range and counts them.
type rangeReader struct {
	Range
	from     io.Reader
	opt      *Options
	limits   stream.Limits
	findings *stream.Findings // of lines alone
	counts   stream.Counts
	sum      *digest.Tree
	bytes    int64
	last     byte
}

func newRangeReader(src io.ReaderAt, r Range, opt *Options) *rangeReader {
	limits := stream.Limits(opt.Limits).WithDefaults()
	return &rangeReader{
		Range: r, from: io.NewSectionReader(src, r.Start, r.End-r.Start), opt: opt, limits: limits,
		findings: stream.NewFindings(limits.Findings), sum: digest.NewTree(),
	}
}

// read passes the lines to a family's worker. beginning can be nil if it does not matter.
func (r *rangeReader) read(ctx context.Context, to interface{ Worker() stream.Worker }, beginning *stream.LogStart) error {
	runner := &stream.Runner{
		Findings: r.findings, Limits: r.limits, Jobs: r.opt.Jobs, Inline: r.opt.Inline, Checker: lineTaker{to}, Beginning: beginning,
	}
	if err := runner.Run(ctx, stream.Lines(r, r.limits, 0)); err != nil {
		return err
	}
	if r.bytes != r.End-r.Start {
		return fmt.Errorf("the log ended at byte %d, within the range: it changed while it was read", r.Start+r.bytes)
	}
	r.counts = runner.Counts
	return nil
}

func (r *rangeReader) Read(b []byte) (int, error) {
	n, err := r.from.Read(b)
	_, _ = r.sum.Write(b[:n]) // never fails
	r.bytes += int64(n)
	if n > 0 {
		r.last = b[n-1]
	}
	return n, err
}

// unended reports whether the last line is unterminated.
func (r *rangeReader) unended() bool { return r.bytes > 0 && r.last != '\n' }

func (r *rangeReader) feeds() int64 {
	lines := r.counts.Blank + r.counts.Unreadable + r.counts.Readable
	if r.unended() {
		lines--
	}
	return lines
}

func (r *rangeReader) put(w *wire.Writer) {
	for _, n := range []int64{r.feeds(), r.counts.Blank, r.counts.Unreadable, r.counts.Readable} {
		w.Uint(uint64(n))
	}
	r.findings.Encode(w)
}

// readAccount reads the output of put, up to the findings.
func readAccount(r *wire.Reader) (feeds int, counts stream.Counts) {
	feeds = int(r.Uint())
	return feeds, stream.Counts{Blank: int64(r.Uint()), Unreadable: int64(r.Uint()), Readable: int64(r.Uint())}
}

// lineTaker is a checker without final checks.
type lineTaker struct {
	lines interface{ Worker() stream.Worker }
}

func (t lineTaker) Worker() stream.Worker { return t.lines.Worker() }

func (lineTaker) Finish() (stream.Outcome, error) { return stream.Outcome{}, nil }
