package trace

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"io"

	"github.com/cupel-dev/cupel/internal/digest"
	"github.com/cupel-dev/cupel/internal/say"
	"github.com/cupel-dev/cupel/trace/internal/stream"
	"github.com/cupel-dev/cupel/trace/internal/wire"
)

// GapError is returned by Summary.Report if the summaries do not cover the log.
type GapError struct{ Missing Range }

func (e *GapError) Error() string { return fmt.Sprintf("no summary covers %v of the log", e.Missing) }

// Report returns the report that Verify would return for the log in src. It rereads only lines quoted in findings.
// opt must be the options of Summarize, except for requirements on the whole log. It returns an error if reading
// fails, options differ or the log changed, a *GapError, a *LimitError or ctx's error.
func (s *Summary) Report(ctx context.Context, src io.ReaderAt, opt Options) (*Report, error) {
	size, err := sizeOf(src)
	if err != nil {
		return nil, err
	}
	if err := s.covers(size); err != nil {
		return nil, err
	}
	p := Prologue{Terms: summaryTerms(&opt)}
	if len(s.pieces) > 0 {
		if err := json.Unmarshal(s.prologue, &p); err != nil {
			return nil, err
		}
	}
	if err := p.fits(&opt); err != nil {
		return nil, err
	}
	r := replay{verification: newVerification(opt), src: src, open: s.OpenColumn, begins: p.Beginning.Record}
	defer r.beside.close()
	report, err := r.report(ctx, s.pieces, &p)
	return report, exported(err)
}

func (s *Summary) covers(size int64) error {
	end := int64(0)
	for _, p := range s.pieces {
		if p.Start > end {
			return &GapError{Range{end, p.Start}}
		}
		end = p.End
	}
	switch {
	case end > size:
		return fmt.Errorf("the log has %d bytes, the summaries cover %d: it was cut since they were made", size, end)
	case end < size:
		return &GapError{Range{end, size}}
	}
	return nil
}

// replay is the state of one call of Report.
type replay struct {
	*verification
	src    io.ReaderAt
	open   func([sha256.Size]byte) (io.ReadCloser, error)
	begins int64 // position of the first record, or -1

	counts stream.Counts
	lines  int // before the next piece
	lead   int // unreadable lines before the first record that may still be taken
}

func (r *replay) report(ctx context.Context, pieces pieces, p *Prologue) (*Report, error) {
	runner := &stream.Runner{Findings: r.findings, Limits: r.limits}
	var family stream.Replayer
	if r.begins >= 0 && len(pieces) > 0 {
		found, err := p.replayer(ctx, r.verification)
		if err != nil {
			return nil, err
		}
		runner.Checker, family = found, found.Checker.(stream.Replayer)
	}
	r.lead = r.limits.Findings
	for _, p := range pieces {
		if family == nil {
			break
		}
		if err := family.Expect(wire.NewReader(p.body).Blob()); err != nil {
			return nil, of(p, err)
		}
	}
	for i := range pieces {
		if err := r.take(pieces[i], family); err != nil {
			return nil, of(pieces[i], err)
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
	}
	begun := !r.counts.Empty()
	runner.Counts = r.counts
	outcome, err := r.finish(runner, begun)
	if err != nil {
		return nil, err
	}
	report := r.verification.report(checkerOf(runner).family, r.counts, &outcome)
	report.judge(r.findings, r.before, begun)
	if r.opt.Diagnose && damaged(report) {
		report.undiagnosed(inRanges)
	}
	return report, nil
}

// inRanges is why a log that was checked in ranges has no diagnosis.
const inRanges = "the log was checked in ranges"

func of(p *piece, err error) error { return fmt.Errorf("the summary of %v: %w", p, err) }

func inAccount(p *piece, err error) error { return fmt.Errorf("the account of %v: %w", p, err) }

func changedBetween(p *piece) error {
	return fmt.Errorf("two summaries of %v differ: the log changed between them", p)
}

func (r *replay) take(p *piece, family stream.Replayer) error {
	body := wire.NewReader(p.body)
	core := body.Blob()
	feeds, counts := readAccount(body)
	r.findings.MergeEncoded(body, r.lines)
	if err := body.Done(); err != nil {
		return err
	}
	if family != nil {
		column := newColumn(p, r.open)
		again := stream.Replay{Core: core, Column: column, Lines: r.lines, Offset: p.Start, Recall: r.recall}
		if p.Start <= r.begins {
			again.Lead = &r.lead
		}
		if err := errors.Join(family.Replay(again), column.close()); err != nil {
			return err
		}
	}
	r.findings.EndBlock()
	r.lines += feeds
	r.counts.Blank += counts.Blank
	r.counts.Unreadable += counts.Unreadable
	r.counts.Readable += counts.Readable
	return nil
}

// recall rereads a part of the log.
func (r *replay) recall(offset int64, size int) ([]byte, error) {
	return readAgain(r.src, offset, size)
}

// readAgain rereads a part of the log and returns an error if it is shorter now.
func readAgain(log io.ReaderAt, offset int64, size int) ([]byte, error) {
	text := make([]byte, size)
	if n, err := log.ReadAt(text, offset); n < size {
		return nil, fmt.Errorf("byte %d of the log cannot be read again: %w", offset+int64(n), say.Plain(err))
	}
	return text, nil
}

// newColumn returns a reader for the column of a piece. open opens columns that are not attached.
func newColumn(p *piece, open func([sha256.Size]byte) (io.ReadCloser, error)) *column {
	if p.open != nil {
		open = p.open
	}
	return &column{p: p, open: open}
}

// column reads the column of a piece. It opens the column on demand and compares it with its digest, unless it is
// attached.
type column struct {
	p    *piece
	open func([sha256.Size]byte) (io.ReadCloser, error)

	from io.ReadCloser // nil: not opened yet
	sum  hash.Hash     // digest of the data read; nil: attached
	err  error
}

func (c *column) Read(b []byte) (int, error) {
	if c.from == nil && c.err == nil {
		c.from, c.err = c.source()
	}
	if c.err != nil {
		return 0, c.err
	}
	n, err := c.from.Read(b)
	if c.sum != nil {
		c.sum.Write(b[:n])
	}
	return n, err
}

func (c *column) source() (io.ReadCloser, error) {
	switch {
	case c.p.blob != nil || c.p.size == 0:
		return io.NopCloser(bytes.NewReader(c.p.blob)), nil
	case c.open == nil:
		return nil, fmt.Errorf("its column %v is missing", c.p.column)
	}
	c.sum = sha256.New()
	from, err := c.open(c.p.column)
	if err != nil {
		return nil, fmt.Errorf("its column %v is missing: %w", c.p.column, err)
	}
	return from, nil
}

// close reads a column that was opened to its end, to check the digest.
func (c *column) close() error {
	if c.from == nil || c.sum == nil {
		return nil
	}
	defer func() { _ = c.from.Close() }() // opened for reading: nothing can be lost
	if _, err := io.Copy(io.Discard, io.LimitReader(c, c.p.size+1)); err != nil {
		return err
	}
	if digest.Sum(c.sum.Sum(nil)) != c.p.column {
		return fmt.Errorf("its column %v is damaged", c.p.column)
	}
	return nil
}
