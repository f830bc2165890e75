package format

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"slices"

	"github.com/cupel-dev/cupel/trace/internal/reasoning/fault"
	"github.com/cupel-dev/cupel/trace/internal/stream"
	"github.com/cupel-dev/cupel/trace/internal/wire"
)

// A row represents a line by what the checker's parts need: kind, position and members, usually as differences to the
// previous row. It starts with its length in bytes as unsigned, then
//
//	kind            tag bits, and the event's kind above them
//	the line        differences of number and offset, its size, its CRC-32C
//	the opening of its object
//	of an event     idx, the stated version, the rest unless the row is brief
//	of a header     the version, the rest unless the row is brief
//	notes           of unknown members
//
// A Decoder's records are equivalent to those of the lines.

// The tag bits of a row.
const (
	rowHeader  = 1 << iota // a header; else an event
	rowBrief               // what only the whole of a trace needs is left out
	rowNotes               // the line has members that the format does not know
	rowVersion             // the event states a version
	rowSame                // the event is of the step of the event before
	rowKind                // and above: the event's kind
)

// cursor is the previous row, for differences.
type cursor struct {
	line int   // its number
	end  int64 // offset after its line
	idx  int64
	step []byte
	at   int32 // where the last place of this row began
}

// castagnoli is the polynomial of the check values of lines.
var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// CheckOf returns the checksum that identifies a line when it is reread.
func CheckOf(line []byte) uint32 { return crc32.Checksum(line, castagnoli) }

// Encoder writes rows.
type Encoder struct {
	Brief bool // write brief rows alone

	rows  [][]byte // chunks written so far, to avoid copies
	row   wire.Writer
	texts texts
	last  cursor
}

// Add writes the row of an event or a header, with its additive members.
func (e *Encoder) Add(b *Block, r *Record, notes []Additive) {
	e.row.Bytes = e.row.Bytes[:0]
	var event *Event
	tag := uint64(0)
	if len(notes) > 0 {
		tag |= rowNotes
	}
	if e.Brief {
		tag |= rowBrief
	}
	if r.Role == IsHeader {
		tag |= rowHeader
	} else {
		event = b.Event(r)
		tag |= rowKind * uint64(event.Kind)
		if event.Version != 0 {
			tag |= rowVersion
		}
		if !e.Brief && e.last.step != nil && bytes.Equal(event.Step.Bytes, e.last.step) {
			tag |= rowSame
		}
	}
	e.row.Uint(tag)
	e.line(&r.Line)
	e.place(r.At)
	if event == nil {
		e.header(b.Header(r))
	} else {
		e.event(event, tag&rowSame != 0)
	}
	if len(notes) > 0 {
		e.notes(r.Line.Bytes, notes)
	}
	e.keep(e.row.Bytes)
}

// Chunk sizes, smaller at first, because most encoders of brief rows have few.
const (
	firstPiece = 1 << 10
	rowsPiece  = 256 << 10
)

func (e *Encoder) keep(row []byte) {
	size := binary.MaxVarintLen64 + len(row)
	last := len(e.rows) - 1
	switch {
	case last < 0:
		e.rows = append(e.rows, make([]byte, 0, max(size, firstPiece)))
	case cap(e.rows[last])-len(e.rows[last]) < size:
		e.rows = append(e.rows, make([]byte, 0, max(size, min(rowsPiece, 2*cap(e.rows[last])))))
	}
	last = len(e.rows) - 1
	e.rows[last] = append(binary.AppendUvarint(e.rows[last], uint64(len(row))), row...)
}

// Rows returns the rows.
func (e *Encoder) Rows() []byte { return slices.Concat(e.rows...) }

func (e *Encoder) Reset() { e.rows = nil }

func (e *Encoder) line(l *stream.Line) {
	e.row.Uint(uint64(l.Number - e.last.line))
	e.row.Uint(uint64(l.Offset - e.last.end))
	e.row.Uint(uint64(l.Size))
	e.row.Raw(binary.BigEndian.AppendUint32(nil, CheckOf(l.Bytes)))
	e.last.line, e.last.end, e.last.at = l.Number, l.Offset+l.Size, 0
}

func (e *Encoder) place(p fault.Place) {
	e.row.Int(int64(p.Start - e.last.at))
	e.row.Uint(uint64(p.End - p.Start))
	e.last.at = p.Start
}

// text writes a text and its position, if present.
func (e *Encoder) text(t Text) {
	e.texts.write(&e.row, t.Bytes)
	if t.Bytes != nil {
		e.place(t.At)
	}
}

func (e *Encoder) header(h *Header) {
	e.row.Int(h.Version)
	if e.Brief {
		return
	}
	e.text(h.ID)
	e.text(h.PlanID)
	e.text(h.SpecID)
	e.row.Bool(h.Before != nil)
	if h.Before != nil {
		e.row.Blob(h.Before)
		e.row.Blob(h.After)
	}
}

func (e *Encoder) event(v *Event, sameStep bool) {
	e.row.Int(v.Idx - e.last.idx)
	e.last.idx = v.Idx
	if v.Version != 0 {
		e.row.Int(v.Version)
		e.place(v.VersionAt)
	}
	if e.Brief {
		return
	}
	e.place(v.IdxAt)
	if sameStep {
		e.place(v.Step.At)
	} else {
		e.text(v.Step.Text)
		e.last.step = append(e.last.step[:0], v.Step.Bytes...)
	}
	switch v.Kind {
	case ToolCalled:
		e.text(v.ID.Text)
		e.text(v.CallStep)
	case ToolReturned:
		e.text(v.ID.Text)
	case EvidenceRegistered:
		e.text(v.ID.Text)
		e.evidence(&v.Evidence, v.ID.Bytes)
	case ClaimEmitted:
		e.text(v.ID.Text)
		e.claim(&v.Claim)
	case StepFinished:
		e.listed(v.Listed)
	}
	e.canonical(v)
}

// canonical writes the canonical form, unless the line has it.
func (e *Encoder) canonical(v *Event) {
	e.row.Bool(v.IsCanonical)
	if v.IsCanonical {
		e.place(v.At)
		return
	}
	e.row.Blob(v.Canonical)
}

// evidence writes a piece of evidence. The encoding is shortest for a path that contains the id, and a file that is
// the chunk.
func (e *Encoder) evidence(v *Evidence, id []byte) {
	e.span(v.Span)
	e.hash(v.SHA256)
	chunk := v.SHA256.Valid && v.ChunkID.Valid && v.SHA256.Sum == v.ChunkID.Sum
	e.row.Bool(chunk)
	if chunk {
		e.place(v.ChunkID.At)
	} else {
		e.hash(v.ChunkID)
	}
	before, after, named := bytes.Cut(v.Path.Bytes, id)
	e.row.Bool(named)
	if !named {
		e.text(v.Path)
		return
	}
	e.texts.write(&e.row, before)
	e.texts.write(&e.row, after)
	e.place(v.Path.At)
}

func (e *Encoder) span(s Span) {
	e.row.Int(s.From)
	e.row.Int(s.To - s.From)
	e.place(s.At)
}

func (e *Encoder) hash(h Hash) {
	e.row.Bool(h.Valid)
	if h.Valid {
		e.row.Sum(h.Sum)
		e.place(h.At)
		return
	}
	e.text(h.Text)
}

// The bits of a claim.
const (
	claimDerived = 1 << iota
	claimMarked
	claimStated // it has a statement
	claimBits
)

func (e *Encoder) claim(c *Claim) {
	bits := uint64(0)
	for i, set := range []bool{c.Derived, c.Marked, c.Statement.Bytes != nil} {
		if set {
			bits |= 1 << i
		}
	}
	e.row.Uint(bits)
	e.place(c.SupportsAt)
	if c.Statement.Bytes != nil {
		e.place(c.Statement.At)
	}
	e.row.Uint(uint64(len(c.Supports)))
	e.row.Uint(uint64(len(c.Cited) - len(c.Supports)))
	for i := range c.Cited {
		e.support(&c.Cited[i])
	}
	e.row.Uint(uint64(len(c.Loose)))
	for _, m := range c.Loose {
		e.row.Blob(m.Text)
		e.row.Text(m.Lacks)
		e.place(m.At)
	}
}

func (e *Encoder) support(s *Support) {
	e.place(s.At)
	e.row.Uint(uint64(s.Target))
	if s.Target == CitesUnknown {
		e.text(s.Kind)
	}
	e.text(s.Ref.Text)
	e.span(s.Span)
	e.hash(s.Snippet)
	e.row.Bool(s.KnownAlgo())
	if !s.KnownAlgo() {
		e.text(s.Algo)
	}
}

func (e *Encoder) listed(list []Listed) {
	e.row.Uint(uint64(len(list)))
	for i := range list {
		l := &list[i]
		follows := i > 0 && l.member == list[i-1].member && l.index == list[i-1].index+1
		e.row.Bool(follows)
		if !follows {
			e.row.Text(l.member)
			e.row.Uint(uint64(l.index))
			e.row.Bool(l.Target == CitesEvidence)
		}
		e.text(l.Text)
	}
}

func (e *Encoder) notes(line []byte, list []Additive) {
	e.row.Uint(uint64(len(list)))
	base := ""
	for i := range list {
		m := &list[i]
		e.row.Bool(m.hasIdx)
		e.row.Bool(m.where.base == base)
		if m.where.base != base {
			base = m.where.base
			e.row.Text(base)
		}
		e.row.Uint(uint64(m.where.index + 1))
		e.row.Blob(m.name(line))
		e.place(m.At)
	}
}
