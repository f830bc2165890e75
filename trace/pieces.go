package trace

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/cupel-dev/cupel/internal/digest"
	"github.com/cupel-dev/cupel/trace/internal/wire"
)

// piece is the summary of one range of a file. It is never changed.
type piece struct {
	file int // the file's place among those of a log; 0 where there is but one
	Range
	sum    digest.Sum // of the range's bytes
	body   []byte
	column digest.Sum // of the column
	size   int64      // of the column
	blob   []byte     // the column itself; nil when it is not attached, or empty
	open   func(digest [sha256.Size]byte) (io.ReadCloser, error)
}

// newPiece returns a piece with its column attached.
func newPiece(file int, r Range, sum digest.Sum, body, column []byte) piece {
	return piece{file: file, Range: r, sum: sum, body: body, blob: column, column: digest.Of(column), size: int64(len(column))}
}

func (p *piece) String() string {
	if p.file > 0 {
		return fmt.Sprintf("%v of file %d", p.Range, p.file+1)
	}
	return p.Range.String()
}

// same says whether two pieces say the same of the same bytes.
func (p *piece) same(q *piece) bool {
	return p.sum == q.sum && p.column == q.column && bytes.Equal(p.body, q.body)
}

// pieces are the summaries of ranges that do not overlap, by file and place.
type pieces []piece

// with returns the union with others, whose columns open finds. The error says that two of
// them overlap, or say different things of the same bytes.
func (ps pieces) with(others pieces, open func([sha256.Size]byte) (io.ReadCloser, error)) (pieces, error) {
	all := slices.Grow(slices.Clone(ps), len(others))
	for _, p := range others {
		if p.open == nil {
			p.open = open
		}
		all = append(all, p)
	}
	slices.SortStableFunc(all, func(p, q piece) int {
		return cmp.Or(cmp.Compare(p.file, q.file), cmp.Compare(p.Start, q.Start), cmp.Compare(p.End, q.End))
	})
	kept := all[:0]
	for i := range all {
		p := &all[i]
		if len(kept) == 0 {
			kept = append(kept, *p)
			continue
		}
		switch last := &kept[len(kept)-1]; {
		case p.file == last.file && p.Range == last.Range:
			if !p.same(last) {
				return nil, fmt.Errorf("two summaries of %v differ: the log changed between them", p)
			}
			last.attach(p)
		case p.file == last.file && p.Start < last.End:
			return nil, fmt.Errorf("summaries of %v and of %v overlap: cut the log into ranges once", last, p)
		default:
			kept = append(kept, *p)
		}
	}
	return kept, nil
}

// attach takes over the column of a piece that is the same.
func (p *piece) attach(q *piece) {
	if p.blob == nil {
		p.blob = q.blob
	}
	if p.open == nil {
		p.open = q.open
	}
}

// columns yields the attached columns that are not empty, by their digests.
func (ps pieces) columns(yield func([sha256.Size]byte, []byte) bool) {
	for _, p := range ps {
		if len(p.blob) > 0 && !yield(p.column, p.blob) {
			return
		}
	}
}

// put writes the pieces without their columns.
func (ps pieces) put(w *wire.Writer) {
	w.Uint(uint64(len(ps)))
	for _, p := range ps {
		w.Uint(uint64(p.file))
		w.Uint(uint64(p.Start))
		w.Uint(uint64(p.End))
		w.Sum(p.sum)
		w.Blob(p.body)
		w.Sum(p.column)
		w.Uint(uint64(p.size))
	}
}

// leastPiece is the least number of bytes that a piece takes.
const leastPiece = 2*sha256.Size + 5

// readPieces reads what put wrote. Their columns are not attached.
func readPieces(r *wire.Reader) (ps pieces) {
	for range r.Count(leastPiece) {
		ps = append(ps, piece{
			file: int(r.Uint()), Range: Range{int64(r.Uint()), int64(r.Uint())}, sum: r.Sum(), body: r.Blob(), column: r.Sum(), size: int64(r.Uint()),
		})
	}
	return ps
}

// check returns an error for pieces that are not in order.
func (ps pieces) check() error {
	for i := range ps {
		p := &ps[i]
		if p.file < 0 || p.Start < 0 || p.End < p.Start || p.size < 0 {
			return fmt.Errorf("%v is no range", p)
		}
		if i == 0 {
			continue
		}
		if last := &ps[i-1]; p.file < last.file || p.file == last.file && (p.Start < last.End || p.Range == last.Range) {
			return fmt.Errorf("%v stands after %v", p, last)
		}
	}
	return nil
}

// sealed returns what was written, which begins with the name and the version of its form,
// with its checksum.
func sealed(w *wire.Writer) []byte {
	w.Sum(sha256.Sum256(w.Bytes))
	return w.Bytes
}

// unsealed returns a reader of what sealed returned. The magic ends in the version of the
// form. The reader shares nothing with data.
func unsealed(data []byte, magic string) (*wire.Reader, error) {
	text, ok := bytes.CutPrefix(data, []byte(magic))
	switch {
	case !ok && bytes.HasPrefix(data, []byte(magic[:len(magic)-1])):
		return nil, errors.New("a summary of another version: make it again with this one")
	case !ok:
		return nil, errors.New("this is no summary of a part of a log")
	case len(text) < sha256.Size:
		return nil, errors.New("the summary is cut")
	}
	end := len(text) - sha256.Size
	if sum := sha256.Sum256(data[:len(data)-sha256.Size]); !bytes.Equal(sum[:], text[end:]) {
		return nil, errors.New("the summary is cut or damaged: its checksum does not hold")
	}
	return wire.NewReader(bytes.Clone(text[:end])), nil
}
