package transcript

import (
	"hash/maphash"

	"github.com/cupel-dev/cupel/internal/strictjson"
)

var seed = maphash.MakeSeed()

// Key returns a per-process hash of a node's text; 0 for an absent node.
func Key(n strictjson.Node) uint64 {
	if n.Missing() {
		return 0
	}
	return KeyOf(n.Raw())
}

func KeyOf(text []byte) uint64 { return max(maphash.Bytes(seed, text), 1) }

// Sample is the usage data of a record, without references to its text.
type Sample struct {
	ID, Response, Request uint64
	Flags                 Flags
	Usage, Sum            Usage
	Finished              []Usage // responses inside the record
	Begun                 int
	Rewind                uint64
	Back                  int64
}

// SampleOf takes the sample of a record.
func SampleOf(r *Record) Sample {
	s := Sample{ID: Key(r.ID), Response: Key(r.Response), Request: Key(r.Request), Flags: r.Flags, Usage: r.Usage, Sum: r.Sum, Rewind: Key(r.Rewind), Back: r.Back}
	s.Usage.Node, s.Sum.Node = strictjson.Node{}, strictjson.Node{}
	for i := range r.Parts {
		switch p := &r.Parts[i]; p.Kind {
		case Begin:
			s.Begun++
		case Finish:
			u := p.Usage
			u.Node = strictjson.Node{}
			s.Finished = append(s.Finished, u)
		}
	}
	return s
}

// Totals is the usage of a session.
type Totals struct {
	Main, All Usage  // main thread; including subagents
	Unknown   string // why the total is unknown, or ""
	Calls     int64  // counted model calls
	Records   int64  // records with usage
	Naive     int64  // tokens if every record is counted
	Repeats   bool   // can include usage from another session's file
}

// Counter counts each model call once, by the rules of the format.
type Counter struct {
	Format Format

	totals  Totals
	answers map[uint64]int32 // Claude Code: index of the first answer by message id
	list    []answer
	order   []uint64 // Gemini: ids of current messages
	living  map[uint64]Usage
	last    [2]Usage // Codex: totals of the previous event
	begun   bool
	open    bool // Copilot: a segment without shutdown
	unsure  string
	stated  Usage
}

type answer struct {
	request                    uint64
	input, read, write, output int64
	next                       int32 // next with the same message id, or 0
	side                       bool
}

func answerOf(s *Sample) answer {
	u := s.Usage
	return answer{request: s.Request, side: s.Flags&Side != 0, input: u.Input, read: u.CacheRead, write: u.CacheWrite, output: u.Output}
}

func (a *answer) total() int64 { return a.input + a.read + a.write + a.output }

func (a *answer) usage() Usage {
	return Usage{Known: true, Input: a.input, CacheRead: a.read, CacheWrite: a.write, Output: a.output, Total: a.total()}
}

// take merges the counters of another record of the same answer.
func (a *answer) take(b answer) {
	b.next = a.next
	*a = b
}

// Add takes the samples in file order.
func (c *Counter) Add(s *Sample) {
	if s.Usage.Known && s.Usage.Total > 0 {
		c.totals.Records++
		c.totals.Naive += s.Usage.Total
	}
	switch c.Format {
	case ClaudeCode:
		c.claude(s)
	case Codex:
		c.codex(s)
	case Gemini:
		c.gemini(s)
	case OpenCode:
		c.openCode(s)
	case Copilot:
		c.copilot(s)
	case ATIF:
		c.atif(s)
	case Inspect:
		if c.add(s.Usage); s.Usage.Known {
			c.totals.Calls += int64(max(s.Begun, 1)) - 1 // a sample has the sum of its model calls
		}
	}
}

func (c *Counter) add(u Usage) {
	if !u.Known {
		return
	}
	c.totals.Calls++
	c.totals.All = sum(c.totals.All, u)
	c.totals.Main = sum(c.totals.Main, u)
}

// sum adds a known usage to a total.
func sum(total, u Usage) Usage {
	total.Known = true
	return total.Plus(u)
}

// claude keeps the record with the largest total per response.
func (c *Counter) claude(s *Sample) {
	if !s.Usage.Known || s.Flags&Synthetic != 0 || s.Response == 0 {
		return
	}
	if c.answers == nil {
		c.answers = map[uint64]int32{}
	}
	now := answerOf(s)
	first, known := c.answers[s.Response]
	if !known {
		c.answers[s.Response] = int32(len(c.list))
		c.list = append(c.list, now)
		return
	}
	for at := first; ; at = c.list[at].next {
		a := &c.list[at]
		switch {
		case a.request == now.request:
			if now.total() >= a.total() {
				now.side = a.side
				a.take(now)
			}
			return
		case now.side && !a.side: // a subagent's copy of a main thread answer
			return
		case !now.side && a.side:
			a.take(now)
			return
		case a.next == 0:
			a.next = int32(len(c.list))
			c.list = append(c.list, now)
			return
		}
	}
}

// codex adds the last request if the totals changed.
func (c *Counter) codex(s *Sample) {
	if s.Flags&Header != 0 && s.Flags&Forked != 0 {
		c.unsure = "the file can repeat usage of the session that it was forked from"
		c.totals.Repeats = true
	}
	if !s.Sum.Known {
		return
	}
	before := c.last
	c.last = [2]Usage{s.Sum, s.Usage}
	if c.begun && before == c.last {
		return
	}
	u := s.Usage
	if !u.Known {
		u = s.Sum
		if c.begun && before[0].Total <= s.Sum.Total {
			u.Input, u.CacheRead, u.Output = u.Input-before[0].Input, u.CacheRead-before[0].CacheRead, u.Output-before[0].Output
			u.Reasoning, u.Total = u.Reasoning-before[0].Reasoning, u.Total-before[0].Total
		}
	}
	c.begun = true
	c.stated = s.Sum
	c.add(u)
}

func (c *Counter) gemini(s *Sample) {
	if s.Rewind != 0 {
		for i, id := range c.order {
			if id != s.Rewind {
				continue
			}
			for _, gone := range c.order[i:] {
				delete(c.living, gone)
			}
			c.order = c.order[:i]
			return
		}
		c.order, c.living = nil, nil
		return
	}
	if s.ID == 0 || s.Flags&Update == 0 {
		return
	}
	if c.living == nil {
		c.living = map[uint64]Usage{}
	}
	if _, known := c.living[s.ID]; !known {
		c.order = append(c.order, s.ID)
	}
	c.living[s.ID] = s.Usage
}

// Replace discards all messages so far.
func (c *Counter) Replace() { c.order, c.living = nil, nil }

func (c *Counter) openCode(s *Sample) {
	for _, u := range s.Finished {
		c.totals.Records++
		c.totals.Naive += u.Total
		c.add(u)
	}
	if s.Begun > len(s.Finished) {
		c.unsure = "a model call was aborted, and its tokens are not in the file"
	}
	if s.Begun == 0 && len(s.Finished) == 0 && s.Sum.Known {
		c.add(s.Sum)
	}
}

func (c *Counter) copilot(s *Sample) {
	switch {
	case s.Flags&(Header|Resumed) != 0:
		c.unclosed()
	case s.Flags&Model != 0:
		c.open = true
	case s.Sum.Known:
		c.add(s.Sum)
		c.open = false
	}
}

func (c *Counter) unclosed() {
	if c.open {
		c.unsure = "a segment of the session has no session.shutdown, which alone states its tokens"
	}
	c.open = false
}

func (c *Counter) atif(s *Sample) {
	if s.Sum.Known {
		c.stated = s.Sum
	}
	if s.Flags&Copied == 0 {
		c.add(s.Usage)
	}
}

// Totals returns the usage so far.
func (c *Counter) Totals() Totals {
	t := c.totals
	for i := range c.list {
		a := &c.list[i]
		t.Calls++
		t.All = sum(t.All, a.usage())
		if !a.side {
			t.Main = sum(t.Main, a.usage())
		}
	}
	for _, id := range c.order {
		if u := c.living[id]; u.Known {
			t.Calls++
			t.Main, t.All = sum(t.Main, u), sum(t.All, u)
		}
	}
	if c.Format == Copilot {
		c.unclosed()
	}
	if c.Format == ATIF && !t.Main.Known {
		t.Main, t.All = c.stated, c.stated
	}
	t.Unknown = c.unsure
	if t.Unknown == "" && !t.All.Known {
		t.Unknown = "no record states the tokens of a model call"
	}
	return t
}

// Stated returns the total that the file states, if Known.
func (c *Counter) Stated() Usage { return c.stated }
