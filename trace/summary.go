package trace

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"hash/crc32"
	"io"
	"io/fs"
	"iter"
	"slices"
	"strings"

	"github.com/cupel-dev/cupel/internal/digest"
	"github.com/cupel-dev/cupel/trace/internal/stream"
	"github.com/cupel-dev/cupel/trace/internal/wire"
)

// Range is a part of a log: the lines whose first byte stands at Start or after it, and
// before End. It may reach beyond the log's end.
type Range struct {
	Start int64 `json:"start"`
	End   int64 `json:"end"`
}

func (r Range) String() string { return fmt.Sprintf("bytes %d to %d", r.Start, r.End) }

// Summary is all that must be known of some ranges of a log to report on the whole. The
// zero Summary is that of no range. Summaries are sets, and Merge makes the union: neither
// the order of merges nor a range that comes twice changes anything.
//
//	prologue, err := trace.Open(log, opt)
//	a, err := trace.Summarize(ctx, log, trace.Range{0, 1 << 28}, prologue, opt)    // here
//	b, err := trace.Summarize(ctx, log, trace.Range{1 << 28, size}, prologue, opt) // there
//	err = a.Merge(b)
//	report, err := a.Report(ctx, log, opt) // what Verify would report
//
// The summary of an intact range is small, whatever the number of its lines. Beside it
// stands its column: a few bytes for each event, to which only the whole log gives a
// meaning. Columns are blobs that go by their digests; MarshalBinary leaves them out.
type Summary struct {
	// OpenColumn returns the column with a SHA-256 digest, for ranges whose column is not
	// attached. nil: all are.
	OpenColumn func(digest [sha256.Size]byte) (io.ReadCloser, error)

	prologue []byte  // as JSON; nil as long as there is no piece
	pieces   []piece // in order
}

// piece is the summary of one range that holds at least one line. It is never changed.
type piece struct {
	Range
	check  uint32     // CRC-32C of the range's bytes, see same
	body   []byte     // see encodeBody
	column digest.Sum // of the column
	size   int64      // of the column
	blob   []byte     // the column itself; nil when it is not attached, or empty
	open   func(digest [sha256.Size]byte) (io.ReadCloser, error)
}

// same says whether two pieces say the same of the same bytes. What can change a report is
// compared whole, or by SHA-256; the checksum beside it tells of bytes that changed without
// changing anything, and takes no time worth mentioning.
func (p *piece) same(q *piece) bool {
	return p.Range == q.Range && p.check == q.check && p.column == q.column && bytes.Equal(p.body, q.body)
}

// Summarize reads one range of a log and returns its summary, the zero Summary for a range
// in which no line begins. p is what Open said of the log under the same options. src must
// tell its length, as *os.File, *io.SectionReader and the readers of bytes and strings do.
// The error is of reading, of options that differ, or the context's.
func Summarize(ctx context.Context, src io.ReaderAt, r Range, p Prologue, opt Options) (*Summary, error) {
	if err := p.fits(&opt); err != nil {
		return nil, err
	}
	if r.Start < 0 || r.End < r.Start {
		return nil, fmt.Errorf("the range %d:%d: expected two offsets, the lesser first", r.Start, r.End)
	}
	size, err := sizeOf(src)
	if err != nil {
		return nil, err
	}
	if r, err = wholeLines(src, r, size); err != nil || r.Start == r.End {
		return &Summary{}, err
	}
	prologue, err := json.Marshal(p)
	if err != nil {
		return nil, err
	}
	made, err := summarize(ctx, src, r, &p, &opt)
	if err != nil {
		return nil, exported(err)
	}
	return &Summary{prologue: prologue, pieces: []piece{made}}, nil
}

// summarize reads the lines of a range that begins and ends with whole ones.
func summarize(ctx context.Context, src io.ReaderAt, r Range, p *Prologue, opt *Options) (made piece, err error) {
	limits := stream.Limits(opt.Limits).WithDefaults()
	findings := stream.NewFindings(limits.Findings)
	family, err := p.summarizer(findings, limits, opt)
	if err != nil {
		return piece{}, err
	}
	read := &readings{r: io.NewSectionReader(src, r.Start, r.End-r.Start), check: crc32.New(crc32.MakeTable(crc32.Castagnoli))}
	runner := &stream.Runner{
		Findings: findings, Limits: limits, Jobs: opt.Jobs, Inline: opt.Inline,
		Checker: lineTaker{family}, Beginning: p.Beginning.From(r.Start),
	}
	if err := runner.Run(ctx, stream.Lines(read, limits, 0)); err != nil {
		return piece{}, err
	}
	if read.bytes != r.End-r.Start {
		return piece{}, fmt.Errorf("the log ended at byte %d, within the range: it changed while it was read", r.Start+read.bytes)
	}
	core, column, err := family.Summary()
	if err != nil {
		return piece{}, err
	}
	made = piece{Range: r, body: encodeBody(read.feeds, runner.Counts, findings, core), blob: column, column: digest.Of(column), size: int64(len(column))}
	made.check = read.check.Sum32()
	return made, nil
}

// lineTaker is a summarizer as a checker, which reads lines and has nothing to say at the
// end.
type lineTaker struct{ stream.Summarizer }

func (lineTaker) Finish() (stream.Outcome, error) { return stream.Outcome{}, nil }

// encodeBody writes what is remembered of a range, its bytes and its column left out.
func encodeBody(feeds int64, counts stream.Counts, findings *stream.Findings, core []byte) []byte {
	var w wire.Writer
	for _, n := range []int64{feeds, counts.Blank, counts.Unreadable, counts.Readable} {
		w.Uint(uint64(n))
	}
	findings.Encode(&w)
	w.Raw(core)
	return w.Bytes
}

// Merge adds the ranges of t to s, where they are missing. A range that both have counts
// once. The error, which leaves s as it was, says that they are of different logs, were
// made under different options, say different things of the same bytes, or that two
// different ranges overlap.
func (s *Summary) Merge(t *Summary) error {
	if len(t.pieces) == 0 {
		return nil
	}
	if len(s.pieces) > 0 {
		if err := samePrologue(s.prologue, t.prologue); err != nil {
			return err
		}
	}
	all := make([]piece, 0, len(s.pieces)+len(t.pieces))
	all = append(all, s.pieces...)
	for _, p := range t.pieces {
		if p.open == nil {
			p.open = t.OpenColumn
		}
		all = append(all, p)
	}
	slices.SortStableFunc(all, func(p, q piece) int { return cmp.Or(cmp.Compare(p.Start, q.Start), cmp.Compare(p.End, q.End)) })
	kept := all[:1]
	for _, p := range all[1:] {
		switch last := &kept[len(kept)-1]; {
		case p.Start >= last.End:
			kept = append(kept, p)
		case p.Range != last.Range:
			return fmt.Errorf("summaries of %v and of %v overlap: cut the log into ranges once", last.Range, p.Range)
		case !p.same(last):
			return fmt.Errorf("two summaries of %v differ: the log changed between them", p.Range)
		case last.blob == nil:
			last.blob = p.blob
			if last.open == nil {
				last.open = p.open
			}
		}
	}
	s.prologue, s.pieces = t.prologue, kept
	return nil
}

// samePrologue returns an error for the summaries of two logs, or of one that was read
// under different options.
func samePrologue(a, b []byte) error {
	if bytes.Equal(a, b) {
		return nil
	}
	var p, q Prologue
	if err := errors.Join(json.Unmarshal(a, &p), json.Unmarshal(b, &q)); err != nil {
		return err
	}
	if differ := p.Terms.differ(q.Terms); len(differ) > 0 {
		return fmt.Errorf("two summaries were made under another %s", strings.Join(differ, ", another "))
	}
	return errors.New("two summaries are of different logs, or the log's first record changed between them")
}

// Ranges are the bytes of the log that the summary covers, adjacent ranges joined, in
// order. Each begins and ends with whole lines.
func (s *Summary) Ranges() (list []Range) {
	for _, p := range s.pieces {
		if n := len(list); n > 0 && list[n-1].End == p.Start {
			list[n-1].End = p.End
			continue
		}
		list = append(list, p.Range)
	}
	return list
}

// Columns yields the attached columns that are not empty, by their digests.
func (s *Summary) Columns() iter.Seq2[[sha256.Size]byte, []byte] {
	return func(yield func([sha256.Size]byte, []byte) bool) {
		for _, p := range s.pieces {
			if len(p.blob) > 0 && !yield(p.column, p.blob) {
				return
			}
		}
	}
}

// summaryMagic begins the binary form of a summary; the last byte is its version.
const summaryMagic = "cupel.summary\x00\x01"

// MarshalBinary returns the summary without its columns. Equal summaries have equal bytes.
func (s *Summary) MarshalBinary() ([]byte, error) {
	w := wire.Writer{Bytes: []byte(summaryMagic)}
	w.Blob(s.prologue)
	w.Uint(uint64(len(s.pieces)))
	for _, p := range s.pieces {
		w.Uint(uint64(p.Start))
		w.Uint(uint64(p.End))
		w.Uint32(p.check)
		w.Blob(p.body)
		w.Sum(p.column)
		w.Uint(uint64(p.size))
	}
	w.Sum(sha256.Sum256(w.Bytes))
	return w.Bytes, nil
}

// leastPiece is the least number of bytes that a piece takes.
const leastPiece = sha256.Size + 8

// UnmarshalBinary reads what MarshalBinary returned. Its columns are not attached. The
// error says that the bytes are no summary, of another version, or damaged.
func (s *Summary) UnmarshalBinary(data []byte) error {
	text, ok := bytes.CutPrefix(data, []byte(summaryMagic))
	switch {
	case !ok && bytes.HasPrefix(data, []byte(summaryMagic[:len(summaryMagic)-1])):
		return errors.New("a summary of another version: make it again with this one")
	case !ok:
		return errors.New("this is no summary of a part of a log")
	case len(text) < sha256.Size:
		return errors.New("the summary is cut")
	}
	text, checksum := bytes.Clone(text[:len(text)-sha256.Size]), text[len(text)-sha256.Size:]
	if sum := sha256.Sum256(data[:len(data)-sha256.Size]); !bytes.Equal(sum[:], checksum) {
		return errors.New("the summary is cut or damaged: its checksum does not hold")
	}
	r := wire.NewReader(text)
	read := Summary{OpenColumn: s.OpenColumn, prologue: r.Blob()}
	for range r.Count(leastPiece) {
		read.pieces = append(read.pieces, piece{
			Range: Range{int64(r.Uint()), int64(r.Uint())}, check: r.Uint32(), body: r.Blob(), column: r.Sum(), size: int64(r.Uint()),
		})
	}
	if err := cmp.Or(r.Done(), read.check()); err != nil {
		return fmt.Errorf("the summary cannot be used: %w", err)
	}
	*s = read
	return nil
}

// check returns an error for what no run has written.
func (s *Summary) check() error {
	var p Prologue
	if len(s.pieces) == 0 {
		if len(s.prologue) > 0 {
			return errors.New("a prologue without a range")
		}
		return nil
	}
	if err := json.Unmarshal(s.prologue, &p); err != nil {
		return err
	}
	if again, err := json.Marshal(p); err != nil || !bytes.Equal(again, s.prologue) {
		return cmp.Or(err, errors.New("its prologue is not written as prologues are"))
	}
	end := int64(0)
	for _, p := range s.pieces {
		if p.Start < end || p.End <= p.Start || p.size < 0 {
			return fmt.Errorf("%v after byte %d", p.Range, end)
		}
		end = p.End
	}
	return nil
}

// wholeLines moves the ends of a range to the beginnings of lines: the first at or after
// each. The end of the log is one.
func wholeLines(src io.ReaderAt, r Range, size int64) (whole Range, err error) {
	if whole.Start, err = lineAt(src, r.Start, size); err != nil {
		return r, err
	}
	whole.End, err = lineAt(src, max(r.End, whole.Start), size)
	return whole, err
}

// lineAt is where the first line begins that does not begin before an offset; the log's
// size when there is none.
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

// sizeOf is the length of a log.
func sizeOf(src io.ReaderAt) (int64, error) {
	switch src := src.(type) {
	case interface{ Size() int64 }:
		return src.Size(), nil
	case interface{ Stat() (fs.FileInfo, error) }:
		info, err := src.Stat()
		if err != nil {
			return 0, plain(err)
		}
		if !info.Mode().IsRegular() {
			return 0, errors.New("it is no regular file: only such a log can be cut into ranges")
		}
		return info.Size(), nil
	}
	return 0, errors.New("the length of the log is not known: wrap it in an io.SectionReader")
}

// readings digests what is read, and counts its bytes and lines.
type readings struct {
	r            io.Reader
	check        hash.Hash32
	bytes, feeds int64
}

func (r *readings) Read(b []byte) (int, error) {
	n, err := r.r.Read(b)
	r.check.Write(b[:n])
	r.bytes += int64(n)
	r.feeds += int64(bytes.Count(b[:n], []byte{'\n'}))
	return n, err
}
