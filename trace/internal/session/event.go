package session

import (
	"github.com/cupel-dev/cupel/internal/jcs"
	"github.com/cupel-dev/cupel/internal/source"
	"github.com/cupel-dev/cupel/internal/strictjson"
)

// event is what the readers found in one line. Parts process events in file order. The bytes of the line are valid
// until all parts are done.
type event struct {
	line  source.Line
	kind  eventType // 0 for a type outside the closed set
	lost  loss
	spans [memberCount]span
	bent  uint32 // members that are spelled with escapes, as bits

	numbered bool
	counter  member // that holds the number
	number   uint64
	first    uint64 // the number that the first event must have
	hash     link
	prev     link
	version  uint8 // a bit of versions, or noVersion

	profiles uint8     // which canonicalizations explained the hashes
	broken   hashFault // the hash that none of them explains

	id       uint64 // key of its id
	idSum    idSum  // in place of it, where a summary is made
	wall     int64  // its time of day, in seconds since 1970
	ticks    uint64 // of its monotonic clock
	nanos    uint32 // of its time of day
	marks    marks
	unproven unproven // unverifiable content

	tool   call     // of a TOOL_CALL or TOOL_RESULT that has an id
	detail *detail  // payload data of seals, starts and ends; else nil
	signed sigState // state of its own signature

	told *extraData // of an event whose line is not there; nil: it is
	partResults
}

// marks are bits for the presence and validity of the event's id and timestamps.
type marks uint8

const (
	hasID marks = 1 << iota
	oddID       // not of the envelope's form
	hasWall
	oddWall
	hasTicks
	oddTicks
)

func (m marks) has(which marks) bool { return m&which != 0 }

// partResults holds results that one part leaves for later parts.
type partResults struct {
	rank    int64  // position in all records, from 1
	nth     int64  // position in the events, from 1
	names   bool   // it is the first to name its session
	foreign bool   // it belongs to another session than the log
	cause   string // root of the faults on its line, "rule@line", or ""
	gap     string // root of the numbers that are missing before it, or ""
}

// loss explains why a line is not an event.
type loss struct {
	rule   string // the rule of its fault; "" when the line is an event
	misfit bool   // it is readable, but no event of this family
	cut    bool   // the input ends inside it
	glued  int    // further records on the line
}

// hashFault names the hash of an event that does not match.
type hashFault uint8

const (
	hashesHold hashFault = iota
	payloadHashFails
	eventHashFails
)

// call identifies a tool call or result. The zero call is neither.
type call struct {
	id toolID
	at span // of tool_id
}

// detail is payload data for the rules of rare events.
type detail struct {
	said      map[string]statement // existing members of payloadKeys
	leaves    uint64               // merkle_leaf_count
	hasLeaves bool
	mac       string // hmac, seal_hmac or payload.server_hmac
}

// statement is a payload member that must be a string.
type statement struct {
	kind strictjson.Kind // Absent for a member that is not there
	text string          // of a string
}

func (s statement) is() bool { return s.kind == strictjson.String }

// misshapen reports whether a member exists and is not a string. null counts as absent, unless demanded is set.
func (s statement) misshapen(demanded bool) bool {
	return s.kind > strictjson.Null && !s.is() || demanded && s.kind == strictjson.Null
}

// span is the position of a member's value in its line. The zero span is an absent or null member.
type span struct{ start, end int32 }

func spanOf(n strictjson.Node) span {
	start, end := n.Span()
	return span{int32(start), int32(end)}
}

func keySpanOf(n strictjson.Node) span {
	start, end := n.KeySpan()
	return span{int32(start), int32(end)}
}

// opening returns the span of a container's first byte, where a finding about all of it points.
func opening(n strictjson.Node) span {
	start, end := n.Span()
	return span{int32(start), int32(min(end, start+1))}
}

func (e *event) has(m member) bool {
	if e.told != nil {
		return e.told.member(m) != ""
	}
	return e.spans[m].end > 0
}

func (e *event) raw(m member) []byte { return e.line.Bytes[e.spans[m].start:e.spans[m].end] }

// textOf returns the canonical JSON of a member, "null" if absent. Equal values have equal texts.
func (e *event) textOf(m member) string {
	if !e.has(m) {
		return "null"
	}
	if e.told != nil {
		return e.told.member(m)
	}
	raw := e.raw(m)
	if e.plain(m) {
		return string(raw)
	}
	doc, err := strictjson.NewScanner(strictjson.Limits{}).Scan(raw)
	if err != nil {
		panic("session.textOf: " + err.Error()) // it was read as a part of its line
	}
	return string(jcs.NewWriter(nil).Append(nil, doc.Root()))
}

// same compares a member with a text returned by textOf, usually without an allocation.
func (e *event) same(m member, text string) bool {
	if e.told == nil && e.has(m) && e.plain(m) {
		return string(e.raw(m)) == text
	}
	return e.textOf(m) == text
}

// stringOf returns the value of a string member, "" if absent.
func (e *event) stringOf(m member) string {
	if !e.has(m) {
		return ""
	}
	if e.told != nil {
		return unquoted([]byte(e.told.member(m)))
	}
	return unquoted(e.raw(m))
}

// plain reports whether a member is a string without escapes, which is already canonical.
func (e *event) plain(m member) bool {
	return e.bent&(1<<m) == 0 && e.line.Bytes[e.spans[m].start] == '"'
}

func (e *event) set(m member, n strictjson.Node) {
	e.spans[m] = spanOf(n)
	if n.Escaped() {
		e.bent |= 1 << m
	}
}

// index returns the sequence number for a finding, or nil.
func (e *event) index() *int64 {
	if !e.numbered || e.number > 1<<63-1 {
		return nil
	}
	n := int64(e.number)
	return &n
}
