package format

import (
	"encoding/binary"
	"math"
	"slices"

	"github.com/cupel-dev/cupel/internal/digest"
	"github.com/cupel-dev/cupel/internal/siphash"
	"github.com/cupel-dev/cupel/trace/internal/reasoning/fault"
	"github.com/cupel-dev/cupel/trace/internal/stream"
	"github.com/cupel-dev/cupel/trace/internal/wire"
)

// Decoder converts the rows of a range to records without line bytes. It rejects invalid rows that could cause
// harm.
type Decoder struct {
	keys   siphash.Key
	limits stream.Limits
	lines  int   // of the log before the range
	offset int64 // … and bytes

	texts   texts
	last    cursor
	step    uint64 // key of the step of the event before
	size    int32  // size of the current line
	row     *wire.Reader
	scratch []byte
}

// NewDecoder returns a decoder for a range that starts after the given lines and bytes. It hashes ids with keys.
func NewDecoder(lines int, offset int64, limits stream.Limits, keys siphash.Key) *Decoder {
	return &Decoder{keys: keys, limits: limits, lines: lines, offset: offset}
}

// Add decodes the next row, without its length prefix, into a record. The row's bytes must not change later.
func (d *Decoder) Add(row []byte, b *Block) error {
	d.row, d.last.at = wire.NewReader(row), 0
	tag := d.row.Uint()
	rec := Record{}
	d.line(&rec)
	rec.At = d.place()
	var idx int64
	switch {
	case tag&rowHeader != 0:
		rec.Role, rec.index = IsHeader, len(b.headers)
		b.headers = append(b.headers, d.header(tag&rowBrief != 0))
	case tag/rowKind >= uint64(len(kindNames)):
		d.row.Fail("an event of an unknown kind")
	default:
		rec.Role, rec.index = IsEvent, len(b.events)
		b.events = append(b.events, Event{Where: fault.Where{Line: rec.Line}, Kind: Kind(tag / rowKind)})
		e := &b.events[rec.index]
		d.event(e, tag, b)
		idx = e.Idx
	}
	if tag&rowNotes != 0 {
		d.notes(b, idx)
	}
	if err := d.row.Done(); err != nil {
		return err
	}
	b.Records = append(b.Records, rec)
	return nil
}

// line reads a line's position and checks that it follows the previous line.
func (d *Decoder) line(rec *Record) {
	number, gap, size := d.row.Uint(), d.row.Uint(), d.row.Uint()
	check := d.row.Raw(4)
	if number == 0 || number > math.MaxInt32 || gap > math.MaxInt64/4 || size > uint64(d.limits.LineBytes) || d.last.end > math.MaxInt64/4 || d.last.line > math.MaxInt/4 {
		d.row.Fail("a line whose position is out of range")
	}
	if d.row.Err() != nil {
		return
	}
	d.size = int32(size)
	d.last.line += int(number)
	at := d.last.end + int64(gap)
	d.last.end = at + int64(size)
	rec.Line = stream.Line{Number: d.lines + d.last.line, Offset: d.offset + at, Size: int64(size)}
	rec.Check = binary.BigEndian.Uint32(check)
}

// place reads a position, which must be within the line.
func (d *Decoder) place() fault.Place {
	start := int64(d.last.at) + d.row.Int()
	size := d.row.Uint()
	if start < 0 || start > int64(d.size) || size > uint64(int64(d.size)-start) {
		d.row.Fail("a place outside its line")
		return fault.Place{}
	}
	d.last.at = int32(start)
	return fault.Place{Start: d.last.at, End: d.last.at + int32(size)}
}

func (d *Decoder) text() (t Text) {
	if t.Bytes = d.texts.read(d.row); t.Bytes != nil {
		t.At = d.place()
	}
	return t
}

func (d *Decoder) id() ID { return idOf(d.text(), d.keys) }

func (d *Decoder) header(brief bool) (h Header) {
	h.Version = d.row.Int()
	if brief {
		return h
	}
	h.ID, h.PlanID, h.SpecID = d.text(), d.text(), d.text()
	if d.row.Bool() {
		h.Before, h.After = d.row.Blob(), d.row.Blob()
	}
	return h
}

func (d *Decoder) event(e *Event, tag uint64, b *Block) {
	d.last.idx += d.row.Int()
	e.Idx = d.last.idx
	if tag&rowVersion != 0 {
		e.Version, e.VersionAt = d.row.Int(), d.place()
	}
	if e.Broken = tag&rowBrief != 0; e.Broken {
		return
	}
	e.IdxAt = d.place()
	if tag&rowSame != 0 {
		e.Step = ID{Text{d.last.step, d.place()}, d.step}
	} else {
		e.Step = d.id()
		d.last.step, d.step = e.Step.Bytes, e.Step.Key
	}
	switch e.Kind {
	case ToolCalled:
		e.ID, e.CallStep = d.id(), d.text()
	case ToolReturned:
		e.ID = d.id()
	case EvidenceRegistered:
		e.ID = d.id()
		e.Evidence = d.evidence(e.ID.Bytes)
	case ClaimEmitted:
		e.ID, e.Claim = d.id(), d.claim(b)
	case StepFinished:
		e.Listed = d.listed(b)
	}
	if e.IsCanonical = d.row.Bool(); e.IsCanonical {
		e.At = d.place()
	} else {
		e.Canonical = d.row.Blob()
	}
}

func (d *Decoder) evidence(id []byte) (v Evidence) {
	v.Span, v.SHA256 = d.span(), d.hash()
	if d.row.Bool() {
		v.ChunkID = v.SHA256
		v.ChunkID.At = d.place()
	} else {
		v.ChunkID = d.hash()
	}
	if !d.row.Bool() {
		v.Path = d.text()
		return v
	}
	before, after := d.texts.read(d.row), d.texts.read(d.row)
	v.Path = Text{slices.Concat(before, id, after), d.place()}
	return v
}

func (d *Decoder) span() (s Span) {
	s.From = d.row.Int()
	s.To = s.From + d.row.Int()
	s.At = d.place()
	return s
}

func (d *Decoder) hash() (h Hash) {
	if h.Valid = d.row.Bool(); h.Valid {
		h.Sum = digest.Sum(d.row.Sum())
		h.At = d.place()
		return h
	}
	h.Text = d.text()
	return h
}

func (d *Decoder) claim(b *Block) (c Claim) {
	bits := d.row.Uint()
	if bits >= claimBits {
		d.row.Fail("a claim of an unknown kind")
	}
	c.Derived, c.Marked = bits&claimDerived != 0, bits&claimMarked != 0
	c.SupportsAt = d.place()
	if bits&claimStated != 0 {
		c.Statement = Text{[]byte{}, d.place()}
	}
	stated, cited := d.row.Count(1), d.row.Count(1)
	if stated+cited > d.limits.Values {
		d.row.Fail("a claim with too many supports")
	}
	first := len(b.supports)
	for i := 0; i < stated+cited && d.row.Err() == nil; i++ {
		b.supports = append(b.supports, d.support(i, stated))
	}
	c.Cited = b.supports[first:len(b.supports):len(b.supports)]
	c.Supports = c.Cited[:min(stated, len(c.Cited))]
	first = len(b.markers)
	for range d.row.Count(1) {
		if d.row.Err() != nil {
			break
		}
		b.markers = append(b.markers, Marker{Text: d.row.Blob(), Lacks: d.row.Text(), At: d.place()})
	}
	c.Loose = b.markers[first:len(b.markers):len(b.markers)]
	return c
}

// targetNames are the kinds of supports as shown in reports.
var targetNames = [...]string{CitesEvidence: "evidence", CitesClaim: "claim", CitesCall: "tool_call"}

// support reads support i. Those from index stated on are markers.
func (d *Decoder) support(i, stated int) (s Support) {
	if s.Index = i; i >= stated {
		s.Index = -1
	}
	s.At = d.place()
	switch target := d.row.Uint(); {
	case target < uint64(len(targetNames)):
		s.Target = Target(target)
		s.Kind.Bytes = []byte(targetNames[target])
	case target == uint64(CitesUnknown):
		s.Target, s.Kind = CitesUnknown, d.text()
	default:
		d.row.Fail("a support of an unknown target")
	}
	s.Ref, s.Span, s.Snippet = d.id(), d.span(), d.hash()
	if !d.row.Bool() {
		s.Algo = d.text()
	}
	return s
}

func (d *Decoder) listed(b *Block) []Listed {
	first := len(b.listed)
	var last Listed
	for range d.row.Count(1) {
		if d.row.Bool() {
			last.index++
		} else {
			last.member = d.row.Text()
			last.index = d.index()
			last.Target = CitesClaim
			if d.row.Bool() {
				last.Target = CitesEvidence
			}
		}
		last.ID = d.id()
		if d.row.Err() != nil {
			return nil
		}
		b.listed = append(b.listed, last)
	}
	return b.listed[first:len(b.listed):len(b.listed)]
}

// index reads the index of an element of an array.
func (d *Decoder) index() int {
	n := d.row.Uint()
	if n > math.MaxInt32 {
		d.row.Fail("an array index out of range")
		return 0
	}
	return int(n)
}

// notes reads the additive members of the next record.
func (d *Decoder) notes(b *Block, idx int64) {
	base := ""
	for range d.row.Count(1) {
		m := Additive{record: len(b.Records), idx: idx, hasIdx: d.row.Bool()}
		if !d.row.Bool() {
			base = d.row.Text()
		}
		m.where = location{base, d.index() - 1}
		m.Key, d.scratch = additiveKey(d.keys, d.scratch, base, d.row.Blob())
		if m.At = d.place(); m.At.End-m.At.Start < 2 {
			d.row.Fail("a member without a name")
		}
		if d.row.Err() != nil {
			return
		}
		b.Additive = append(b.Additive, m)
	}
}
