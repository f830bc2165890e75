package trace

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"

	"github.com/cupel-dev/cupel/trace/internal/wire"
)

// Summary holds what Report needs about some ranges of a log. The zero Summary covers no range. Merge computes the
// union, so order and repetition do not matter.
//
//	prologue, err := trace.Open(log, opt)
//	a, err := trace.Summarize(ctx, log, trace.Range{0, 1 << 28}, prologue, opt)    // one machine
//	b, err := trace.Summarize(ctx, log, trace.Range{1 << 28, size}, prologue, opt) // another machine
//	err = a.Merge(b)
//	report, err := a.Report(ctx, log, opt) // the report of Verify
//
// The summary of an intact range is small. Its column, a few bytes per event, can only be interpreted for the whole
// log. Columns are identified by digest. MarshalBinary omits them; Attach or OpenColumn restores them.
type Summary struct {
	// OpenColumn opens the column with a SHA-256 digest. It is needed for ranges whose column is not attached.
	OpenColumn func(digest [sha256.Size]byte) (io.ReadCloser, error)

	prologue []byte // as JSON; nil without pieces
	pieces   pieces
}

// Summarize reads a range of a log and returns its summary, the zero Summary if no line starts in it. p is Open's
// result for the same options. src must have a known length, such as *os.File, *io.SectionReader and the readers of
// bytes and strings. It returns an error if reading fails, the options differ or ctx ends.
func Summarize(ctx context.Context, src io.ReaderAt, r Range, p Prologue, opt Options) (*Summary, error) {
	if err := p.fits(&opt); err != nil {
		return nil, err
	}
	r, _, err := wholeLines(src, r)
	if err != nil {
		return nil, err
	}
	if r.Start == r.End {
		return &Summary{}, nil
	}
	prologue, err := json.Marshal(p)
	if err != nil {
		return nil, err
	}
	lines := newRangeReader(src, r, &opt)
	family, err := p.summarizer(lines.findings, lines.limits, &opt)
	if err != nil {
		return nil, err
	}
	if err := lines.read(ctx, family, p.Beginning.From(r.Start)); err != nil {
		return nil, exported(err)
	}
	core, column, err := family.Summary()
	if err != nil {
		return nil, err
	}
	var body wire.Writer
	body.Blob(core)
	lines.put(&body)
	return &Summary{prologue: prologue, pieces: pieces{newPiece(0, r, lines.sum.Sum(), body.Bytes, column)}}, nil
}

// Merge adds the missing ranges of t to s. It returns an error, and leaves s unchanged, if the logs or options
// differ or ranges overlap or contradict each other.
func (s *Summary) Merge(t *Summary) error {
	if len(t.pieces) == 0 {
		return nil
	}
	if len(s.pieces) > 0 {
		if err := samePrologue(s.prologue, t.prologue); err != nil {
			return err
		}
	}
	all, err := s.pieces.with(t.pieces, t.OpenColumn)
	if err == nil {
		s.prologue, s.pieces = t.prologue, all
	}
	return err
}

// samePrologue returns an error if two summaries are of different logs or options.
func samePrologue(a, b []byte) error {
	if bytes.Equal(a, b) {
		return nil
	}
	var p, q Prologue
	if err := errors.Join(json.Unmarshal(a, &p), json.Unmarshal(b, &q)); err != nil {
		return err
	}
	if differ := p.Terms.differ(q.Terms); len(differ) > 0 {
		return madeUnder(differ)
	}
	return errors.New("two summaries are of different logs, or the log's first record or its end changed between them")
}

// madeUnder returns the error for summaries whose terms differ.
func madeUnder(differ []string) error {
	return fmt.Errorf("two summaries were made under %s", others(differ))
}

// Ranges returns the covered ranges in order, with adjacent ones joined. They consist of whole lines.
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

// Columns yields the attached columns that are not empty, by digest.
func (s *Summary) Columns() iter.Seq2[[sha256.Size]byte, []byte] {
	return s.pieces.columns
}

// Attach attaches a column to the ranges with its digest.
func (s *Summary) Attach(column []byte) { s.pieces = s.pieces.attach(column) }

// summaryMagic starts the binary form of a summary; the last byte is its version.
const summaryMagic = "cupel.summary\x00\x05"

// MarshalBinary returns the summary without its columns. Equal summaries have equal bytes.
func (s *Summary) MarshalBinary() ([]byte, error) {
	w := wire.Writer{Bytes: []byte(summaryMagic)}
	w.Blob(s.prologue)
	s.pieces.put(&w)
	return sealed(&w), nil
}

// UnmarshalBinary parses the output of MarshalBinary, without columns. It returns an error for damaged data or
// another version.
func (s *Summary) UnmarshalBinary(data []byte) error {
	r, err := unsealed(data, summaryMagic)
	if err != nil {
		return err
	}
	read := Summary{OpenColumn: s.OpenColumn, prologue: r.Blob(), pieces: readPieces(r)}
	if err := cmp.Or(r.Done(), read.check()); err != nil {
		return fmt.Errorf("the summary cannot be used: %w", err)
	}
	*s = read
	return nil
}

// check returns an error for a malformed summary.
func (s *Summary) check() error {
	var p Prologue
	if len(s.pieces) == 0 {
		if len(s.prologue) > 0 {
			return errors.New("the summary has a prologue but no range")
		}
		return nil
	}
	if err := json.Unmarshal(s.prologue, &p); err != nil {
		return err
	}
	if again, err := json.Marshal(p); err != nil || !bytes.Equal(again, s.prologue) {
		return cmp.Or(err, errors.New("its prologue is malformed"))
	}
	for _, p := range s.pieces {
		if p.file != 0 {
			return errors.New("its ranges are from several files")
		}
	}
	return s.pieces.check()
}
