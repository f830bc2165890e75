package transcript

import (
	"cmp"
	"hash/maphash"
	"iter"

	"github.com/cupel-dev/cupel/internal/strictjson"
)

// Sample is the usage data of a record, without references to its text.
type Sample struct {
	ID, Response, Request uint64
	Flags                 Flags
	Usage, Sum            Usage
	Finished              []ModelCall // responses inside the record
	Begun                 int
	Rewind                uint64
	Back                  int64

	Session, Parent, Ordinal uint64
	Model                    string      // set by callers that need the calls
	Models                   []ModelCall // the parts of Usage or Sum, by model
}

// SampleOf takes the sample of a record.
func SampleOf(r *Record) Sample {
	s := Sample{ID: Key(r.ID), Response: Key(r.Response), Request: Key(r.Request), Flags: r.Flags, Usage: r.Usage, Sum: r.Sum, Rewind: Key(r.Rewind), Back: r.Back, Session: Key(r.Session), Models: r.Models}
	s.Usage.Node, s.Sum.Node = strictjson.Node{}, strictjson.Node{}
	if r.Has(Header) {
		s.Parent = Key(r.Parent)
	}
	if s.Usage.Known {
		s.Ordinal = Key(r.Ordinal)
	}
	for i := range r.Parts {
		switch p := &r.Parts[i]; p.Kind {
		case Begin:
			s.Begun++
		case Finish:
			u := p.Usage
			u.Node = strictjson.Node{}
			s.Finished = append(s.Finished, ModelCall{Key: Key(p.Own), Usage: u})
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

	session, forkedFrom uint64 // if calls have no ids
}

// Counter counts each model call once, by the rules of the format.
type Counter struct {
	Format Format
	Keep   bool // the calls, for Calls

	totals  Totals
	answers Answers      // Claude Code
	living  liveMessages // Gemini
	kept    []ModelCall
	model   string // of the session
	session uint64
	last    [2]Usage // Codex: totals of the previous event
	events  uint64   // Codex: key of all events so far
	begun   bool
	open    bool // Copilot: a segment without shutdown
	unsure  string
	stated  Usage
}

// liveMessages are the messages that no rewind has taken back.
type liveMessages struct {
	at    map[uint64]int
	calls []ModelCall
}

// Add takes the samples in file order.
func (c *Counter) Add(s *Sample) {
	if s.Usage.Known && s.Usage.Total > 0 {
		c.totals.Records++
		c.totals.Naive += s.Usage.Total
	}
	if s.Session != 0 && (c.session == 0 || s.Flags&Header != 0 && c.Format != Codex) {
		c.session = s.Session
	}
	if s.Model != "" {
		c.model = s.Model
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
		if c.add(s.ID, s.Usage, s.Models); s.Usage.Known {
			c.totals.Calls += int64(max(s.Begun, 1)) - 1 // a sample has the sum of its model calls
		}
	}
}

// add counts a call with a key, or 0, and its parts by model if it has some.
func (c *Counter) add(key uint64, u Usage, models []ModelCall) {
	if !u.Known {
		return
	}
	c.totals.Calls++
	c.totals.All = sum(c.totals.All, u)
	c.totals.Main = sum(c.totals.Main, u)
	switch {
	case !c.Keep:
	case len(models) == 0:
		c.kept = append(c.kept, ModelCall{Key: key, Model: c.model, Usage: u})
	default:
		for _, part := range models {
			part.Request = mix(1, maphash.String(seed, part.Model))
			part.Key = key
			c.kept = append(c.kept, part)
		}
	}
}

// claude keeps the record with the largest total per response.
func (c *Counter) claude(s *Sample) {
	if !s.Usage.Known || s.Flags&Synthetic != 0 || s.Response == 0 {
		return
	}
	u := s.Usage
	u.Total = u.Input + u.CacheRead + u.CacheWrite + u.Output
	c.answers.Add(&ModelCall{Key: s.Response, Request: s.Request, Side: s.Flags&Side != 0, Model: s.Model, Usage: u})
}

// codex adds the last request if the totals changed.
func (c *Counter) codex(s *Sample) {
	if s.Flags&Header != 0 && s.Flags&Forked != 0 {
		c.unsure = "the file may repeat usage of the session that it was forked from"
		c.totals.Repeats = true
		c.totals.forkedFrom = cmp.Or(c.totals.forkedFrom, s.Parent)
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
	if c.Keep {
		c.events = max(maphash.Comparable(seed, [3]uint64{c.events, maphash.Comparable(seed, s.Sum.numbers()), maphash.Comparable(seed, s.Usage.numbers())}), 1)
	}
	c.add(c.events, u, nil)
}

func (c *Counter) gemini(s *Sample) {
	l := &c.living
	if s.Rewind != 0 {
		first, known := l.at[s.Rewind]
		if !known {
			first = 0
		}
		for _, gone := range l.calls[first:] {
			delete(l.at, gone.Key)
		}
		l.calls = l.calls[:first]
		return
	}
	if s.ID == 0 || s.Flags&Update == 0 {
		return
	}
	if l.at == nil {
		l.at = map[uint64]int{}
	}
	at, known := l.at[s.ID]
	if !known {
		at = len(l.calls)
		l.at[s.ID] = at
		l.calls = append(l.calls, ModelCall{})
	}
	l.calls[at] = ModelCall{Key: s.ID, Model: s.Model, Usage: s.Usage}
}

// Lives reports whether a message of Gemini can be rewound to.
func (c *Counter) Lives(id uint64) bool { _, known := c.living.at[id]; return known }

// Living returns the number of such messages.
func (c *Counter) Living() int { return len(c.living.calls) }

// Replace discards all messages so far.
func (c *Counter) Replace() { c.living = liveMessages{} }

func (c *Counter) openCode(s *Sample) {
	for _, call := range s.Finished {
		c.totals.Records++
		c.totals.Naive += call.Usage.Total
		c.add(call.Key, call.Usage, nil)
	}
	if s.Begun > len(s.Finished) {
		c.unsure = "a model call was aborted, and its tokens are not in the file"
	}
	if s.Begun == 0 && len(s.Finished) == 0 && s.Sum.Known {
		c.add(s.ID, s.Sum, nil)
	}
}

func (c *Counter) copilot(s *Sample) {
	switch {
	case s.Flags&(Header|Resumed) != 0:
		c.unclosed()
	case s.Flags&Model != 0:
		c.open = true
	case s.Sum.Known:
		c.add(s.ID, s.Sum, s.Models)
		c.open = false
	}
}

func (c *Counter) unclosed() {
	if c.open {
		c.unsure = "a segment of the session has no session.shutdown record, the only one with its tokens"
	}
	c.open = false
}

func (c *Counter) atif(s *Sample) {
	if s.Sum.Known {
		c.stated = s.Sum
	}
	if s.Flags&Copied == 0 {
		key := uint64(0)
		if c.session != 0 && s.Ordinal != 0 {
			key = mix(c.session, s.Ordinal)
		}
		c.add(key, s.Usage, nil)
	}
}

// Totals returns the usage so far.
func (c *Counter) Totals() Totals {
	t := c.totals
	for call := range c.once(false) {
		t.Calls++
		t.All = sum(t.All, call.Usage)
		if !call.Side {
			t.Main = sum(t.Main, call.Usage)
		}
	}
	if c.Format == Codex {
		t.session = c.session
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

// once yields the calls that are known only at the end, without their keys unless keyed.
func (c *Counter) once(keyed bool) iter.Seq[ModelCall] {
	return func(yield func(ModelCall) bool) {
		for call := range c.answers.counted(keyed) {
			if !yield(call) {
				return
			}
		}
		for _, call := range c.living.calls {
			if call.Usage.Known && !yield(call) {
				return
			}
		}
	}
}

// Calls yields the counted calls so far, with Keep.
func (c *Counter) Calls() iter.Seq[ModelCall] {
	own := *c // without the state of the caller
	return func(yield func(ModelCall) bool) {
		for _, call := range own.kept {
			if !yield(call) {
				return
			}
		}
		own.once(true)(yield)
	}
}

// Stated returns the total that the file states, if Known.
func (c *Counter) Stated() Usage { return c.stated }
