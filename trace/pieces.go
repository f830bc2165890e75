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

// piece is the summary of one range of a file. It is immutable.
type piece struct {
	file int // index of the file, 0 for a single one
	Range
	sum    digest.Sum // of the range's bytes, a digest.Tree
	body   []byte
	column digest.Sum // of the column
	size   int64      // of the column
	blob   []byte     // the column itself; nil when it is not attached, or empty
	open   func(digest [sha256.Size]byte) (io.ReadCloser, error)
}

func newPiece(file int, r Range, sum digest.Sum, body, column []byte) *piece {
	return &piece{file: file, Range: r, sum: sum, body: body, blob: column, column: digest.Of(column), size: int64(len(column))}
}

func (p *piece) String() string {
	if p.file > 0 {
		return fmt.Sprintf("%v of file %d", p.Range, p.file+1)
	}
	return p.Range.String()
}

// same reports whether two pieces are equal.
func (p *piece) same(q *piece) bool {
	return p.sum == q.sum && p.column == q.column && bytes.Equal(p.body, q.body)
}

// pieces are summaries of ranges that do not overlap, sorted by file and offset.
type pieces []*piece

// with returns the union with others. open opens columns. It returns an error for overlapping or contradictory
// ranges.
func (ps pieces) with(others pieces, open func([sha256.Size]byte) (io.ReadCloser, error)) (pieces, error) {
	all := slices.Grow(slices.Clone(ps), len(others))
	for _, p := range others {
		p = p.found(open)
		at, same := slices.BinarySearchFunc(all, p, func(p, q *piece) int {
			return cmp.Or(cmp.Compare(p.file, q.file), cmp.Compare(p.Start, q.Start))
		})
		if same && all[at].Range == p.Range {
			if !all[at].same(p) {
				return nil, changedBetween(p)
			}
			all[at] = all[at].attached(p)
			continue
		}
		for _, neighbour := range all[max(0, at-1):min(at+1, len(all))] {
			if neighbour.overlaps(p) {
				return nil, fmt.Errorf("summaries of %v and of %v overlap: cut the log into ranges once", neighbour, p)
			}
		}
		all = slices.Insert(all, at, p)
	}
	return all, nil
}

func (p *piece) overlaps(q *piece) bool {
	return p.file == q.file && p.Start < q.End && q.Start < p.End
}

// found returns the piece with open as the source of its column, unless it already has one.
func (p *piece) found(open func([sha256.Size]byte) (io.ReadCloser, error)) *piece {
	if p.open != nil || open == nil {
		return p
	}
	q := *p
	q.open = open
	return &q
}

func (p *piece) attached(same *piece) *piece {
	if p.blob != nil || same.blob == nil && (p.open != nil || same.open == nil) {
		return p
	}
	q := *p
	q.blob = same.blob
	if q.open == nil {
		q.open = same.open
	}
	return &q
}

func (ps pieces) attach(column []byte) pieces {
	sum, all := digest.Of(column), slices.Clone(ps)
	for i, p := range all {
		if p.blob == nil && p.size == int64(len(column)) && p.column == sum {
			q := *p
			q.blob = column
			all[i] = &q
		}
	}
	return all
}

func (ps pieces) columns(yield func([sha256.Size]byte, []byte) bool) {
	for _, p := range ps {
		if len(p.blob) > 0 && !yield(p.column, p.blob) {
			return
		}
	}
}

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

// leastPiece is the minimum encoded size of a piece.
const leastPiece = 2*sha256.Size + 5

// readPieces reads the output of put. Columns are not attached.
func readPieces(r *wire.Reader) (ps pieces) {
	for range r.Count(leastPiece) {
		ps = append(ps, &piece{
			file: int(r.Uint()), Range: Range{int64(r.Uint()), int64(r.Uint())}, sum: r.Sum(), body: r.Blob(), column: r.Sum(), size: int64(r.Uint()),
		})
	}
	return ps
}

func (ps pieces) check() error {
	for i, p := range ps {
		if p.file < 0 || p.Start < 0 || p.End < p.Start || p.size < 0 {
			return fmt.Errorf("%v is not a range", p)
		}
		if i == 0 {
			continue
		}
		if last := ps[i-1]; p.file < last.file || p.file == last.file && (p.Start < last.End || p.Range == last.Range) {
			return fmt.Errorf("%v comes after %v", p, last)
		}
	}
	return nil
}

// sealed appends a checksum to an encoding.
func sealed(w *wire.Writer) []byte {
	w.Sum(sha256.Sum256(w.Bytes))
	return w.Bytes
}

// unsealed returns a reader of data returned by sealed, copied. magic includes the format version.
func unsealed(data []byte, magic string) (*wire.Reader, error) {
	text, ok := bytes.CutPrefix(data, []byte(magic))
	switch {
	case !ok && bytes.HasPrefix(data, []byte(magic[:len(magic)-1])):
		return nil, errors.New("a summary of another version: make it again with this one")
	case !ok:
		return nil, errors.New("this is not a summary of a part of a log")
	case len(text) < sha256.Size:
		return nil, errors.New("the summary is truncated")
	}
	end := len(text) - sha256.Size
	if sum := sha256.Sum256(data[:len(data)-sha256.Size]); !bytes.Equal(sum[:], text[end:]) {
		return nil, errors.New("the summary is truncated or damaged: its checksum does not match")
	}
	return wire.NewReader(bytes.Clone(text[:end])), nil
}
