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

// Record is a line of the trace.
type Record struct {
	Role  Role
	Line  stream.Line
	At    fault.Place // the opening of the line's object
	Check uint32      // checksum of the line, for records from rows
	index int         // of the event or header in its block
}

// Additive is a member that the format does not have. It is explained only if a report keeps it.
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

// Extent returns the size of the log from the start of the first line to the end of the last, without its line end.
func (b *Block) Extent() int64 {
	if len(b.Records) == 0 {
		return 0
	}
	last := &b.Records[len(b.Records)-1].Line
	return last.Offset + last.Size - b.Records[0].Line.Offset
}

// IsCanonical reports whether the canonical form of an event is part of its line.
func (b *Block) IsCanonical() bool {
	for i := range b.events {
		if b.events[i].IsCanonical {
			return true
		}
	}
	return false
}

// Again adds the bytes of the line to a record decoded from a row. It returns false if the line has changed.
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

// Of reports whether the member is in a record.
func (m *Additive) Of(record int) bool { return m.record == record }

// name returns the member's name from its line, or "" if the line could not be read again.
func (m *Additive) name(line []byte) []byte {
	if int(m.At.End) > len(line) {
		return nil
	}
	return strictjson.AppendUnescaped(nil, line[m.At.Start+1:m.At.End-1])
}

// Explain returns the finding for an additive member.
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

// Reset clears the block for reuse. It frees the memory if a long line made it large.
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

// Blocks is a pool of blocks. It is safe for concurrent use.
type Blocks struct {
	free   chan *Block
	faults int
}

// maxFree limits the number of unused blocks.
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

// Put returns a block to the pool.
func (s *Blocks) Put(b *Block) {
	b.Reset()
	select {
	case s.free <- b:
	default:
	}
}
