package copying

import (
	"strings"

	"github.com/cupel-dev/cupel/internal/cite"
	"github.com/cupel-dev/cupel/internal/digest"
	"github.com/cupel-dev/cupel/internal/strictjson"
	"github.com/cupel-dev/cupel/internal/transcript"
)

func (c *copier) parts(outer, r *transcript.Record) {
	var result strictjson.Node
	for i := range r.Parts {
		p := &r.Parts[i]
		switch p.Kind {
		case transcript.Begin:
			c.said = answering
			c.flush()
		case transcript.Turn:
			c.said = asking
		case transcript.Finish:
			c.said = nobody
		case transcript.Text, transcript.Thought:
			c.text(outer, r, p)
		case transcript.Media:
			if !inside(p.Node, result) {
				c.text(outer, r, p)
			}
		case transcript.Call:
			c.call(outer, r, p)
		case transcript.Result:
			result = p.Value
			c.result(outer, r, p)
		}
	}
}

func inside(n, outer strictjson.Node) bool {
	if !outer.Exists() || !n.Exists() {
		return false
	}
	from, to := outer.Span()
	start, end := n.Span()
	return from <= start && end <= to
}

// text makes an event of a text or an attachment.
func (c *copier) text(outer, r *transcript.Record, p *transcript.Part) {
	answer := r.Role == transcript.Assistant || r.Role == transcript.NoRole
	if c.said != nobody {
		answer = c.said == answering
	}
	name, hash := "LLM_CALL", "prompt_hash"
	if answer {
		name, hash = "LLM_RESPONSE", "content_hash"
	}
	e := c.event(name, outer, r, p, hash)
	if e == nil {
		return
	}
	switch p.Kind {
	case transcript.Thought:
		e.PutText("content_kind", "reasoning")
	case transcript.Media:
		e.PutText("content_kind", "attachment")
	}
	if r.Role == transcript.System {
		e.PutText("role", "system")
	}
	if answer {
		e.PutText("finish_reason", cite.Unknown)
	}
	c.add(e)
}

func (c *copier) call(outer, r *transcript.Record, p *transcript.Part) {
	if p.Echo {
		if id, ok := p.ID.Text(); ok && c.knows(id) {
			c.counts.Skipped++ // the message before has the call
			return
		}
	}
	e := c.event("TOOL_CALL", outer, r, p, "args_hash")
	if e == nil {
		return
	}
	t := tool{c.namedBy(outer, p.Name)}
	if t.text == "" && p.As != "" { // the item's type names the tool
		if kind := p.Node.Last("type"); kind.TextIs(p.As + "_call") {
			t = tool{named{p.As, append([]byte(nil), kind.Raw()...), spanIn(outer, kind)}}
		}
	}
	c.putNamed(e, "tool_name", t.named)
	if id, ok := p.ID.Text(); ok && len(c.named) < maxCalls {
		c.named[id] = t
	}
	if p.Open {
		e.Put("unfinished", "true")
	}
	c.add(e)
}

func (c *copier) knows(id string) bool { _, ok := c.named[id]; return ok }

func (c *copier) result(outer, r *transcript.Record, p *transcript.Part) {
	e := c.event("TOOL_RESULT", outer, r, p, "result_hash")
	if e == nil {
		return
	}
	id, _ := p.ID.Text()
	c.putNamed(e, "tool_name", c.named[id].named)
	if !r.Has(transcript.Update) {
		delete(c.named, id)
	}
	if r.Failed(p) {
		e.Put("is_error", "true")
	}
	if p.Cut {
		e.Put("truncated", "true")
	}
	c.add(e)
}

// maxRecord is the length up to which an event cites its whole record. Of a longer one, it cites the part.
const maxRecord = 64 << 10

// event returns an event that cites a part of a record, or nil for a part that an earlier event cites.
func (c *copier) event(name string, outer, r *transcript.Record, p *transcript.Part, hash string) *cite.Event {
	value := p.Value
	if !value.Exists() {
		value = p.Node
	}
	if !value.Exists() {
		value = outer.Root
	}
	if r.Has(transcript.Update) && c.again(r, name, p, value) {
		c.counts.Skipped++
		return nil
	}
	e := &cite.Event{Type: name, At: c.at}
	e.Path, e.Sum, e.Span = c.source.Path, c.source.Sum, cite.Span{outer.Offset, outer.Offset + int64(len(outer.Text))}
	record := outer.Text
	if len(record) > maxRecord && p.Node.Exists() {
		e.Span, record = spanIn(outer, p.Node), p.Node.Raw()
	}
	e.Snippet = digest.Of(record)
	e.PutSum(hash, value.Raw(), spanIn(outer, value))
	for _, m := range []struct {
		name string
		node strictjson.Node
	}{{"tool_id", p.ID}, {"record_id", r.ID}, {"parent_id", r.Parent}, {"agent", r.Agent}, {"time", r.Time}} {
		if text, ok := m.node.Text(); ok && text != "" {
			e.Copy(m.name, text, m.node.Raw(), spanIn(outer, m.node))
		}
	}
	c.flags(e, r)
	return e
}

// flags adds what is known about a record to an event.
func (c *copier) flags(e *cite.Event, r *transcript.Record) {
	for _, f := range []struct {
		flag transcript.Flags
		name string
	}{
		{transcript.Side, "subagent"},
		{transcript.Copied, "copied"},
		{transcript.Compacted, "compacted"},
		{transcript.Resumed, "resumed"},
	} {
		if r.Has(f.flag) {
			e.Put(f.name, "true")
		}
	}
	if c.survey.branches.abandoned(transcript.Key(r.ID)) {
		e.Put("abandoned", "true")
	}
	for _, m := range c.marks {
		if m.value != "" {
			e.Put(m.name, m.value)
		} else if m.text.text != "" {
			e.Copy(m.name, m.text.text, m.text.raw, m.text.span)
		}
	}
	c.marks = c.marks[:0]
}

// again reports whether a message that replaces an earlier one has the same part as before.
func (c *copier) again(r *transcript.Record, name string, p *transcript.Part, value strictjson.Node) bool {
	id, _ := r.ID.Text()
	own, _ := p.ID.Text()
	key := transcript.KeyOf([]byte(strings.Join([]string{id, name, own, string(value.Raw())}, "\x00")))
	if c.seen[key] {
		return true
	}
	if len(c.seen) < maxCalls {
		c.seen[key] = true
	}
	return false
}
