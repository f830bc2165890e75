package format

import (
	"fmt"

	"github.com/cupel-dev/cupel/finding"
	"github.com/cupel-dev/cupel/internal/strictjson"
	"github.com/cupel-dev/cupel/trace/internal/reasoning/fault"
	"github.com/cupel-dev/cupel/trace/internal/reasoning/rule"
	"github.com/cupel-dev/cupel/trace/internal/stream"
)

// Role is the kind of a line.
type Role uint8

// The roles.
const (
	IsEvent Role = iota
	IsHeader
	IsMisfit // readable, but neither event nor header
	IsBroken // not readable at all
)

// Record is one line in file order.
type Record struct {
	Role  Role
	Line  stream.Line
	At    fault.Place // the opening of the line's object
	Check uint32      // checksum of the line, for records from rows
	index int         // of the event or header in its block
}

// Additive is a member that the format does not know. It is explained only when a report keeps it.
type Additive struct {
	Key    uint64      // identifies the place of the member
	At     fault.Place // its name
	where  location    // of the object that it belongs to
	record int         // of the block
	idx    int64       // of the event, when it has one
	hasIdx bool
}

// Block is the parsed content of a block of lines. Its memory is reused.
type Block struct {
	Records  []Record
	Additive []Additive
	Faults   *stream.Findings // structural ones

	events    []Event
	headers   []Header
	supports  []Support
	markers   []Marker
	listed    []Listed
	canonical []byte
}

// NewBlock returns an empty block that keeps at most faults findings.
func NewBlock(faults int) *Block { return &Block{Faults: stream.NewFindings(faults)} }

// Event returns the event of a record.
func (b *Block) Event(r *Record) *Event { return &b.events[r.index] }

// Header returns the header of a record.
func (b *Block) Header(r *Record) *Header { return &b.headers[r.index] }

// Line returns the line of an additive member.
func (b *Block) Line(m *Additive) stream.Line { return b.Records[m.record].Line }

// Extent returns how many bytes of the log lie between the first line's beginning and the last
// one's end, their line ends left out.
func (b *Block) Extent() int64 {
	if len(b.Records) == 0 {
		return 0
	}
	last := &b.Records[len(b.Records)-1].Line
	return last.Offset + last.Size - b.Records[0].Line.Offset
}

// IsCanonical reports whether the canonical form of an event is to be found on its line.
func (b *Block) IsCanonical() bool {
	for i := range b.events {
		if b.events[i].IsCanonical {
			return true
		}
	}
	return false
}

// Again gives a record that was made of a row the bytes of its line, and says whether they are those that it had.
func (b *Block) Again(r *Record, line []byte) bool {
	if CheckOf(line) != r.Check {
		return false
	}
	r.Line.Bytes = line
	r.Line = r.Line.Indexed()
	if r.Role == IsEvent {
		e := b.Event(r)
		if e.Line = r.Line; e.IsCanonical {
			e.Canonical = line[e.At.Start:e.At.End]
		}
	}
	return true
}

// Of reports whether the member is in the given record.
func (m *Additive) Of(record int) bool { return m.record == record }

// name returns the member's name, which its line spells; "" for a line that could not be read again.
func (m *Additive) name(line []byte) []byte {
	if int(m.At.End) > len(line) {
		return nil
	}
	return strictjson.AppendUnescaped(nil, line[m.At.Start+1:m.At.End-1])
}

// Explain makes the finding of an additive member.
func (b *Block) Explain(log *fault.Log, m *Additive) finding.Finding {
	l := log.Text(b.Line(m))
	name := fault.Preview(m.name(l.Bytes))
	f := fault.At(l, rule.FieldUnknown, m.where.member(name), m.At, fmt.Sprintf("member %q is not part of the format", name))
	if m.hasIdx {
		idx := m.idx // the block's memory is used again
		f.Index = &idx
	}
	return f
}

// maxCanonical is the most memory for canonical text that is kept.
const maxCanonical = 1 << 20

// Reset forgets the content and keeps the memory, unless one long line needed much.
func (b *Block) Reset() {
	if cap(b.canonical) > maxCanonical {
		b.canonical = nil
	}
	clear(b.supports)
	clear(b.markers)
	clear(b.events)
	clear(b.Records)
	clear(b.headers)
	b.Records, b.events, b.headers = b.Records[:0], b.events[:0], b.headers[:0]
	b.supports, b.markers, b.listed, b.Additive, b.canonical = b.supports[:0], b.markers[:0], b.listed[:0], b.Additive[:0], b.canonical[:0]
}

// Blocks keeps the memory of blocks for others. It is safe for concurrent use.
type Blocks struct {
	free   chan *Block
	faults int
}

// maxFree is the number of blocks that wait to be used again.
const maxFree = 16

// NewBlocks returns a store of blocks that keep at most faults findings.
func NewBlocks(faults int) *Blocks { return &Blocks{make(chan *Block, maxFree), faults} }

// Get returns an empty block.
func (s *Blocks) Get() *Block {
	select {
	case b := <-s.free:
		return b
	default:
		return NewBlock(s.faults)
	}
}

// Put takes a block back.
func (s *Blocks) Put(b *Block) {
	b.Reset()
	select {
	case s.free <- b:
	default:
	}
}
