// Package format parses the lines of reasoning traces: records, their objects and members. Other packages check the
// sequence of events.
package format

import (
	"fmt"

	"github.com/cupel-dev/cupel/internal/jcs"
	"github.com/cupel-dev/cupel/internal/strictjson"
	"github.com/cupel-dev/cupel/trace/internal/reasoning/fault"
	"github.com/cupel-dev/cupel/trace/internal/reasoning/rule"
	"github.com/cupel-dev/cupel/trace/internal/stream"
)

// Reader parses blocks of lines. It is not safe for concurrent use.
type Reader struct {
	objects objects
	headers headerReader
	events  eventReader
	blocks  *Blocks
	wrapped bool
}

// NewReader returns a reader that gets blocks from a pool.
func NewReader(opt Options, blocks *Blocks) *Reader {
	r := &Reader{blocks: blocks, wrapped: opt.Shape.Wrapped}
	r.objects = objects{aliases: opt.Aliases, most: opt.Additive, keys: opt.Keys, noted: map[uint64]bool{}}
	version := versions{&r.objects, opt.Versions}
	var canon *jcs.Writer
	if opt.Canonical != nil {
		canon = jcs.NewWriter(opt.Canonical)
	}
	r.headers = headerReader{&r.objects, version, opt.Shape.Wrapped, canon}
	r.events = newEventReader(&r.objects, version, opt, canon)
	return r
}

// Line parses a line that is one JSON object.
func (r *Reader) Line(l stream.Line, root strictjson.Node) {
	r.begin(l)
	rec := Record{Line: l, At: fault.Opening(root)}
	if r.wrapped {
		r.wrappedLine(&rec, root)
	} else {
		r.flatLine(&rec, root)
	}
	b := r.objects.block
	b.Records = append(b.Records, rec)
}

// Unreadable processes a line that is not a JSON object.
func (r *Reader) Unreadable(l stream.Line) {
	r.begin(l)
	b := r.objects.block
	b.Records = append(b.Records, Record{Role: IsBroken, Line: l})
}

// Event reads an event, valid until the block is released.
func (r *Reader) Event(l stream.Line, n strictjson.Node) *Event {
	r.begin(l)
	return r.events.read(n)
}

// Flush returns the block of the lines since the last Flush, or nil. The caller returns it to the pool after use.
func (r *Reader) Flush() *Block {
	b := r.objects.block
	r.objects.block = nil
	clear(r.objects.noted)
	return b
}

func (r *Reader) begin(l stream.Line) {
	if r.objects.block == nil {
		r.objects.block = r.blocks.Get()
	}
	r.objects.begin(l)
}

// wrappedLine reads a wrapped line, whose kind is in "record".
func (r *Reader) wrappedLine(rec *Record, n strictjson.Node) {
	switch name := n.Get("record"); {
	case name.TextIs("trace_header"):
		r.header(rec, n)
	case name.TextIs("trace_event"):
		out := read(&r.objects, n, root, wrapperShape)
		r.event(rec, out.at(wrapperEvent))
	case name.Is(strictjson.String):
		r.misfit(rec, name, fmt.Sprintf("record %q is neither \"trace_header\" nor \"trace_event\"", fault.Preview(name.TextBytes(nil))))
	case name.Missing():
		r.misfit(rec, n, "the line has no \"record\", but the first line has one: the wrapped and the flat shape are mixed")
	default:
		rec.Role = IsMisfit
		r.objects.wrongType(name, "record", "record", aString)
	}
}

// flatLine reads a line of the flat shape: an event or the header.
func (r *Reader) flatLine(rec *Record, n strictjson.Node) {
	switch {
	case n.Get("record").Exists():
		r.misfit(rec, n.Get("record"), "the line has a \"record\", unlike the first line: the flat and the wrapped shape are mixed")
	case !n.Get("kind").Exists() && isFlatHeader(n):
		r.header(rec, n)
	default:
		r.event(rec, n)
	}
}

// isFlatHeader reports whether an object is the optional flat header. Only the header has certain members and
// neither kind nor idx.
func isFlatHeader(n strictjson.Node) bool {
	if n.Get("idx").Exists() {
		return false
	}
	for _, name := range []string{"trace_schema_version", "schema_version", "fingerprint_algo", "canonicalization_version"} {
		if n.Get(name).Exists() {
			return true
		}
	}
	return false
}

func (r *Reader) header(rec *Record, n strictjson.Node) {
	b := r.objects.block
	rec.Role, rec.index = IsHeader, len(b.headers)
	b.headers = append(b.headers, r.headers.read(n))
}

func (r *Reader) event(rec *Record, n strictjson.Node) {
	rec.Role, rec.index = IsEvent, len(r.objects.block.events)
	r.events.read(n)
}

func (r *Reader) misfit(rec *Record, at strictjson.Node, message string) {
	rec.Role = IsMisfit
	where := fault.PlaceOf(at)
	if at.Is(strictjson.Object) {
		where = fault.Opening(at)
	}
	r.objects.reject(r.objects.at(rule.RecordUnknown, "record", where, message))
}
