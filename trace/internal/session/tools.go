package session

import (
	"encoding/binary"
	"fmt"
	"strings"

	"github.com/cupel-dev/cupel/internal/digest"
	"github.com/cupel-dev/cupel/internal/siphash"
	"github.com/cupel-dev/cupel/internal/source"
	"github.com/cupel-dev/cupel/internal/strictjson"
)

// toolReader reads tool call ids and names.
type toolReader struct {
	keys  siphash.Key
	sums  bool // of ids their digests, which are the same in all processes, in place of keys
	ids   lastSum
	names lastSum
}

func (r *toolReader) read(rec *record, e *event) {
	if e.kind != toolCall && e.kind != toolResult {
		return
	}
	payload := rec.nodes[payloadMember]
	id, tool := payload.Get("tool_id"), payload.Get("tool_name")
	if !id.Is(strictjson.String) || !tool.Is(strictjson.String) {
		return
	}
	var a, b [64]byte
	text, name := id.TextBytes(a[:0]), r.names.of(tool.TextBytes(b[:0]))
	if e.tool.at = spanOf(id); r.sums {
		e.tool.id = toolIDOf(r.ids.of(text), name)
	} else {
		e.tool.id = toolIDOf(r.keyed(text), name)
	}
}

// keyed returns a keyed hash of a text, in the form of a digest.
func (r *toolReader) keyed(text []byte) (s digest.Sum) {
	binary.LittleEndian.PutUint64(s[:], r.keys.Sum64(text))
	return s
}

// tools matches tool results with calls.
type tools struct {
	ids   toolIDs
	limit int  // of ids
	after bool // calls before the log are not there
	lapse *lapse
	out   *reporter
}

func (p *tools) take(e *event) {
	if e.tool != (call{}) {
		p.match(e.tool.id, e.kind == toolResult, func() *event { return e })
	}
}

// match processes a tool call or result. carrier returns its event.
func (p *tools) match(id toolID, result bool, carrier func() *event) {
	switch {
	case p.ids.size >= p.limit:
	case !result:
		p.ids.add(id)
	default:
		switch call, known := p.ids.answer(id); {
		case call:
		case p.lapse.events > 0 || p.after && !known: // it may answer a call that is forgotten
		case known:
			p.fault(carrier(), ruleToolName, "payload.tool_name", "the result names another tool than the call of this tool_id")
		default:
			p.fault(carrier(), ruleToolUnmatched, "payload.tool_id", "no earlier TOOL_CALL has this tool_id")
		}
	}
}

// fault reports a result without a matching call. If sequence numbers are missing, the call can be among the
// missing events.
func (p *tools) fault(e *event, r rule, path, message string) {
	if p.out.full(e, rules[r].Severity, e.tool.at) || !p.out.fetched(e) {
		return
	}
	f := rules[r].New(message)
	f.Path, f.CausedBy, f.Index = path, e.gap, e.index()
	at := e.tool.at
	source.Point(&f, e.line, int(at.start), int(at.end))
	f.Found = clip(strings.Trim(string(e.line.Bytes[at.start:at.end]), `"`))
	p.out.findings.Add(f)
}

// open returns the number of calls without a result.
func (p *tools) open() int { return p.ids.size - p.ids.answered + p.lapse.calls }

func (p *tools) finish() {
	if open := p.open(); open > 0 {
		p.out.findings.Add(rules[ruleToolUnanswered].New(fmt.Sprintf("tool calls without a result: %d", open)))
	}
}

func (p *tools) notCovered() []string {
	if p.ids.size < p.limit {
		return nil
	}
	return []string{fmt.Sprintf("tool ids after the first %d: the limit of remembered ids was reached", p.limit)}
}
