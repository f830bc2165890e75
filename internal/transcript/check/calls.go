package check

import (
	"fmt"

	"github.com/cupel-dev/cupel/internal/transcript"
	"github.com/cupel-dev/cupel/internal/transcript/ids"
)

// calls pairs tool calls with results.
type calls struct {
	pairs
	open    []openCall   // main thread calls without result, in file order
	waiting []openResult // results without a call so far
	owned   entries      // parts with separate ids
}

// pairs has the state of each id.
type pairs struct {
	ids.Set
	lines, answers ids.Numbers        // lines of the call and its result, or 0
	hashes         ids.Column[uint32] // of the result
	states         ids.Column[uint8]
}

// call is the state of an id.
type call struct {
	line, answered int
	hash           uint32
	state          uint8
}

// get returns an id's state. n is -1 for an unknown id.
func (t *pairs) get(id uint64) (n int, e call) {
	if n = t.Find(id); n >= 0 {
		e = call{t.lines.At(n), t.answers.At(n), *t.hashes.At(n), *t.states.At(n)}
	}
	return n, e
}

// put stores an id's state under the number that get returned.
func (t *pairs) put(id uint64, n int, e call) {
	if n < 0 {
		t.Add(id)
		t.lines.Append(e.line)
		t.answers.Append(e.answered)
		t.hashes.Append(e.hash)
		t.states.Append(e.state)
		return
	}
	t.lines.Set(n, e.line)
	t.answers.Set(n, e.answered)
	*t.hashes.At(n), *t.states.At(n) = e.hash, e.state
}

const (
	stateSide = 1 << iota
	stateServer
	stateEcho
)

type openCall struct {
	id     uint64
	text   string
	name   string
	line   int
	prompt int // line of a later prompt, or 0
	typ    string
	excuse bool // interrupted turn
}

type openResult struct {
	id   uint64
	text string
	line int
	typ  string
	side bool
	soft bool // before the copied part of a fork
}

const maxWaiting = 100_000

func (c *checker) partsOf(f *fact, foreign bool) {
	if f.flags&transcript.Abort != 0 {
		for i := range c.calls.open {
			if o := &c.calls.open[i]; o.prompt == 0 {
				o.excuse = true
			}
		}
	}
	if f.flags&transcript.Prompt != 0 && f.flags&transcript.Side == 0 {
		for i := range c.calls.open {
			if o := &c.calls.open[i]; o.prompt == 0 {
				o.prompt = f.line
			}
		}
	}
	local := map[uint64]part(nil)
	for i := range f.parts {
		p := &f.parts[i]
		c.ownID(f, p)
		if p.session != 0 && p.session != c.session.current && p.session != f.session {
			c.fault(transcript.Fault{
				Rule: "session", Line: p.line, Type: f.typ, IDs: texts(p.sessionT, p.ownT),
				Message: fmt.Sprintf("the part %s belongs to the session %s, but the file to %s: it was pasted, or written by another process", p.ownT, p.sessionT, c.session.text),
			})
		}
		switch {
		case p.kind == transcript.Media && p.empty:
			c.fault(transcript.Fault{Rule: "attachment", Line: p.line, Type: f.typ, IDs: texts(f.idText), Message: fmt.Sprintf("the attachment of line %d has no data", p.line)})
		case c.opt.Kind.Format == transcript.ATIF || c.opt.Kind.Format == transcript.Inspect:
			if local == nil {
				local = map[uint64]part{}
			}
			c.localPart(f, p, local)
		case p.kind == transcript.Call:
			c.call(f, p, foreign)
		case p.kind == transcript.Result:
			c.result(f, p, foreign)
		}
		if p.cut {
			c.fault(transcript.Fault{Rule: "truncated", Line: p.line, Type: f.typ, IDs: texts(p.text), Message: fmt.Sprintf("the agent truncated the output of %s", p.text)})
		}
	}
}

// ownID checks a part's separate id.
func (c *checker) ownID(f *fact, p *part) {
	if p.own == 0 {
		return
	}
	owned := &c.calls.owned
	if n, fresh := owned.add(p.own, p.line, p.hash); !fresh && !owned.is(n, p.hash) {
		c.fault(transcript.Fault{
			Rule: "duplicate_id", Line: p.line, Type: f.typ, IDs: texts(p.ownT),
			Message: fmt.Sprintf("the part %s is on lines %d and %d with different content", p.ownT, owned.lines.At(n), p.line),
		})
	}
}

// localPart pairs calls and results inside one step.
func (c *checker) localPart(f *fact, p *part, local map[uint64]part) {
	if p.id == 0 {
		return
	}
	before, known := local[p.id]
	switch {
	case p.kind == transcript.Call && known:
		c.fault(transcript.Fault{Rule: "duplicate_id", Line: p.line, Type: f.typ, IDs: texts(p.text), Message: fmt.Sprintf("two calls have the id %s (lines %d and %d)", p.text, before.line, p.line)})
	case p.kind == transcript.Call:
		local[p.id] = *p
	case p.kind == transcript.Result && !known:
		c.fault(transcript.Fault{Rule: "orphan_result", Line: p.line, Type: f.typ, IDs: texts(p.text), Message: fmt.Sprintf("a result for %s has no call in the step", p.text)})
	}
}

func (c *checker) call(f *fact, p *part, foreign bool) {
	if p.id == 0 {
		return
	}
	k := &c.calls
	n, e := k.get(p.id)
	repeated := e.line != 0
	if repeated && (p.echo || f.flags&transcript.Update != 0 || e.state&stateEcho != 0) {
		if f.flags&transcript.Update != 0 {
			c.reopen(p, &e)
		}
		k.put(p.id, n, e)
		return
	}
	if !repeated {
		e.line = p.line
		if e.answered != 0 { // the result came first
			c.early(f, p, e, foreign)
		}
	}
	if f.flags&transcript.Side != 0 {
		e.state |= stateSide
	}
	if p.server {
		e.state |= stateServer
	}
	if p.echo {
		e.state |= stateEcho
	}
	k.put(p.id, n, e)
	if e.answered == 0 && e.state == 0 && !repeated && !foreign && len(k.open) < maxWaiting {
		k.open = append(k.open, openCall{id: p.id, text: string(p.text), name: p.name, line: p.line, typ: f.typ, excuse: f.flags&transcript.Abort != 0})
	}
}

// reopen handles a rewritten message: its latest call state counts.
func (c *checker) reopen(p *part, e *call) {
	for i := range c.calls.open {
		if o := &c.calls.open[i]; o.id == p.id && o.prompt == 0 {
			o.line = p.line
		}
	}
	e.line = p.line
}

// early handles a call after its result.
func (c *checker) early(f *fact, p *part, e call, foreign bool) {
	if f.flags&transcript.Side != 0 || foreign {
		return
	}
	k := &c.calls
	for i := range k.waiting {
		w := &k.waiting[i]
		if w.id != p.id {
			continue
		}
		if w.side {
			return
		}
	}
	c.derived(transcript.Fault{
		Rule: "order", Line: e.answered, Lines: 0, Type: f.typ, IDs: texts(p.text),
		Message: fmt.Sprintf("the result of %s (line %d) is before the call (line %d): two writers", p.text, e.answered, p.line),
	}, c.sessionLoss())
}

func (c *checker) result(f *fact, p *part, foreign bool) {
	if p.id == 0 || p.noPair {
		return
	}
	k := &c.calls
	n, e := k.get(p.id)
	if e.answered != 0 && f.flags&transcript.Update == 0 {
		if e.hash != uint32(p.hash) {
			c.derived(transcript.Fault{
				Rule: "two_results", Line: p.line, Type: f.typ, IDs: texts(p.text),
				Message: fmt.Sprintf("two different results for %s (lines %d and %d)", p.text, e.answered, p.line),
			}, c.sessionLoss())
		} else {
			c.fault(transcript.Fault{Rule: "repeated", Line: p.line, Type: f.typ, IDs: texts(p.text), Message: fmt.Sprintf("the result of %s is repeated (first on line %d)", p.text, e.answered)})
		}
		return
	}
	if n < 0 && len(k.waiting) < maxWaiting {
		k.waiting = append(k.waiting, openResult{p.id, string(p.text), p.line, f.typ, f.flags&transcript.Side != 0, foreign || c.copying || c.order.forked})
	}
	e.answered, e.hash = p.line, uint32(p.hash)
	k.put(p.id, n, e)
	if len(k.open) > 1000 {
		c.prune()
	}
}

// prune drops answered calls.
func (c *checker) prune() {
	kept := c.calls.open[:0]
	for _, o := range c.calls.open {
		if _, e := c.calls.get(o.id); e.answered == 0 {
			kept = append(kept, o)
		}
	}
	c.calls.open = kept
}

// callsEnd reports unpaired calls and results.
func (c *checker) callsEnd() {
	for _, w := range c.calls.waiting {
		if _, e := c.calls.get(w.id); e.line != 0 {
			continue
		}
		f := transcript.Fault{
			Rule: "orphan_result", Line: w.line, Type: w.typ, IDs: []string{w.text},
			Message: fmt.Sprintf("a result for %s (line %d) has no call: model APIs refuse such a history", w.text, w.line),
			Help:    "a resume of this session fails; `cupel trace report` shows what can be read",
			Mild:    w.soft,
		}
		c.derived(f, c.lossBefore(w.line, 0))
	}
	c.prune()
	var open []openCall
	for _, o := range c.calls.open {
		if o.prompt == 0 || o.excuse {
			if !o.excuse {
				open = append(open, o)
			}
			continue
		}
		c.derived(transcript.Fault{
			Rule: "unanswered", Line: o.line, Type: o.typ, IDs: []string{o.text},
			Message: fmt.Sprintf("%s (%s, line %d) has no result, but the session continues at line %d", o.name, o.text, o.line, o.prompt),
		}, c.lossBefore(o.prompt, o.line))
	}
	if len(open) > 0 {
		last := open[len(open)-1]
		c.fault(transcript.Fault{Rule: "open", Line: last.line, Type: last.typ, IDs: []string{last.text}, Message: fmt.Sprintf("the session ends at a call without a result: %s (%s)", last.name, last.text)})
	}
}
