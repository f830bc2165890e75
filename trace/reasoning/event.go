package reasoning

import (
	"github.com/cupel-dev/cupel/internal/source"
	"github.com/cupel-dev/cupel/internal/strictjson"
	"github.com/cupel-dev/cupel/trace/stream"
)

// kind is an event kind. The set is closed.
type kind uint8

const (
	noKind kind = iota
	stepStarted
	toolCalled
	toolReturned
	evidenceRegistered
	claimEmitted
	stepFinished
)

// kindNames are the event kinds as the format spells them.
var kindNames = [...]string{
	stepStarted: "step_started", toolCalled: "tool_called", toolReturned: "tool_returned",
	evidenceRegistered: "evidence_registered", claimEmitted: "claim_emitted", stepFinished: "step_finished",
}

// place is a byte range of a line.
type place struct{ start, end int }

func placeOf(n strictjson.Node) place {
	start, end := n.Span()
	return place{start, end}
}

// opening is the first byte of a container: where a missing member would stand.
func opening(n strictjson.Node) place {
	start, _ := n.Span()
	return place{start, start}
}

// text is a string member: its unescaped bytes, nil when absent, and its place.
type text struct {
	bytes []byte
	at    place
}

func textOf(n strictjson.Node) text {
	if !n.Exists() {
		return text{}
	}
	return text{n.TextBytes(nil), placeOf(n)}
}

func (t text) String() string { return string(t.bytes) }

// span is a half-open byte range as a trace states it.
type span struct {
	from, to int64
	at       place
}

func (s span) sound() bool { return 0 <= s.from && s.from < s.to }

// event is what the stateful rules need of an event line. Its texts lie in the block
// that the line came from.
type event struct {
	line    stream.Line
	broken  bool // it has a structural fault
	kind    kind
	idx     int64
	idxAt   place
	step    text
	version int64 // flat events may state it; 0 when absent
	verAt   place

	id       text // call.id, result.call_id, evidence.id or claim.id
	callStep text // call.step_id

	span   span // of evidence
	sha256 text
	chunk  text
	path   text

	derived      bool // a claim's type
	statement    text
	supportsAt   place
	firstSupport int // of batch.supports
	supports     int
}

// support is one element of claim.supports.
type support struct {
	index   int
	at      place
	kind    text
	ref     text
	span    span
	snippet text
	algo    text
}

// role says what a line is.
type role uint8

const (
	isEvent role = iota
	isHeader
	isMisfit // readable, but neither event nor header
	isBroken // not readable at all
)

// record is one line in file order: its role and where the batch keeps the rest.
type record struct {
	role  role
	index int
	line  stream.Line
	at    place
}

// batch is what a worker made of one block.
type batch struct {
	records   []record
	events    []event
	headers   []header
	supports  []support
	unknown   []unknownMember
	canonical []byte // the events' canonical forms, each after a comma
	faults    *stream.Findings
}

type unknownMember struct {
	pattern string
	finding Finding
}

// reset forgets the content and keeps the memory.
func (b *batch) reset() {
	clear(b.events)
	clear(b.records)
	clear(b.headers)
	b.records, b.events, b.headers = b.records[:0], b.events[:0], b.headers[:0]
	b.supports, b.unknown, b.canonical = b.supports[:0], b.unknown[:0], b.canonical[:0]
}

// point makes a finding at a place of a line.
func point(l stream.Line, rule, path string, at place, message string) Finding {
	f := Finding{Rule: rule, Severity: severityOf(rule), Path: path, Message: message}
	source.Point(&f, l, at.start, at.end)
	return f
}
