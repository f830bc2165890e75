package check

import (
	"fmt"
	"math"

	"github.com/cupel-dev/cupel/finding"
	"github.com/cupel-dev/cupel/internal/say"
	"github.com/cupel-dev/cupel/internal/transcript"
)

// checker holds the state of the rules for one file.
type checker struct {
	opt     Options
	mender  *transcript.Mender
	own     *worker
	counter transcript.Counter
	full    error

	blank, unreadable, records, headers int64

	chain   chain
	calls   calls
	session sessions
	order   order
	unknown unknownTypes

	losses   []loss // positions of lost records
	copying  bool   // records copied from another session
	refs     []ref  // to trajectories not seen yet
	agents   map[uint64]bool
	stated   transcript.Usage
	statedAt int

	first, last int64 // times
	folder      string
}

// loss is a place where a record is missing.
type loss struct {
	line int
	rule string
}

func newChecker(opt Options) *checker {
	c := &checker{opt: opt, agents: map[uint64]bool{}}
	c.own = newWorker(&c.opt)
	c.counter.Format, c.counter.Keep = opt.Kind.Format, opt.Calls
	c.mender = &transcript.Mender{Format: opt.Kind.Format, Limits: opt.limits(), Growing: opt.Growing, Record: c.recovered, Fault: c.fault}
	c.unknown.types = map[string]*unknownType{}
	return c
}

// fault handles a fault of the bytes or of one record.
func (c *checker) fault(f transcript.Fault) {
	r, ok := ruleOf(f.Rule)
	if !ok {
		return
	}
	severity := r.Severity
	switch {
	case f.Known:
		severity = finding.Info
	case f.Mild:
		severity = min(severity, finding.Warning)
	}
	if f.Lost {
		c.losses = append(c.losses, loss{f.Line, r.ID})
	}
	c.add(f, severity)
}

// apply processes a record's fact, in file order.
func (c *checker) apply(f *fact) {
	c.records++
	if f.flags&transcript.Header != 0 {
		c.headers++
	}
	for _, fault := range f.faults {
		c.fault(fault)
	}
	if f.flags&transcript.Known == 0 {
		c.unknown.take(f)
	}
	c.whenAndWhere(f)
	c.header(f)
	foreign := c.sessionOf(f)
	if f.hasReplaces {
		c.replace(f)
	}
	c.rewind(f)
	c.counter.Add(&f.sample)
	c.chainOf(f)
	c.clockOf(f)
	c.ordinalOf(f)
	c.partsOf(f, foreign)
	c.figures(f)
	c.refs = append(c.refs, f.refs...)
	if f.typ == "subagent_trajectories" || f.typ == "trajectory_id" {
		c.agents[f.id] = true
	}
	if c.chain.known.Len()+c.calls.Len() > c.opt.IDs {
		c.full = &LimitError{c.opt.IDs}
	}
}

// whenAndWhere notes a record's time and folder.
func (c *checker) whenAndWhere(f *fact) {
	if f.ms != 0 {
		if c.first == 0 || f.ms < c.first {
			c.first = f.ms
		}
		c.last = max(c.last, f.ms)
	}
	if c.folder == "" {
		c.folder = string(f.folder)
	}
}

// replace handles a checkpoint: its records replace all previous ones.
func (c *checker) replace(f *fact) {
	c.counter.Replace()
	for i := range f.replaces {
		inner := &f.replaces[i]
		inner.ms = 0
		c.counter.Add(&inner.sample)
		c.partsOf(inner, false)
	}
}

// header checks that the file starts with a session header.
func (c *checker) header(f *fact) {
	if c.records > 1 {
		return
	}
	what := map[transcript.Format]string{transcript.Codex: "session_meta", transcript.Gemini: "its metadata", transcript.Copilot: "session.start"}[c.opt.Kind.Format]
	if what == "" || f.flags&transcript.Header != 0 || c.opt.Kind.Document {
		return
	}
	fault := transcript.Fault{Rule: "header", Line: f.line, Type: f.typ, Message: "the file does not begin with " + what + ": its first records are missing", Mild: c.opt.Kind.Format == transcript.Copilot}
	if l := c.lossBefore(f.line, 0); l != nil {
		fault.Known = true
	}
	c.fault(fault)
}

// lossBefore returns a loss between two lines, or nil.
func (c *checker) lossBefore(line, after int) *loss {
	for i := range c.losses {
		if l := &c.losses[i]; l.line >= after && l.line <= line {
			return l
		}
	}
	return nil
}

// derived reports a fault, as information if a loss explains it.
func (c *checker) derived(f transcript.Fault, cause *loss) {
	if cause == nil {
		c.fault(f)
		return
	}
	r, _ := ruleOf(f.Rule)
	out := r.New(f.Message)
	out.Line, out.Severity, out.CausedBy = f.Line, finding.Info, fmt.Sprintf("%s@%d", cause.rule, cause.line)
	out.Detail = Detail{Record: f.Type, IDs: f.IDs}
	c.opt.Found(out)
}

// sessions detects records of another session.
type sessions struct {
	current uint64
	text    string
	foreign uint64 // session of the current foreign run, or 0
	fork    uint64 // session that this one continues
	first   bool
	begun   bool
}

// sessionOf checks a record's session and reports whether it is foreign.
func (c *checker) sessionOf(f *fact) bool {
	s := &c.session
	if f.session == 0 {
		return s.foreign != 0 && c.opt.Kind.Format != transcript.ClaudeCode && c.opt.Kind.Format != transcript.OpenCode
	}
	if c.opt.Kind.Format == transcript.ClaudeCode && f.flags&transcript.Chained == 0 {
		return false
	}
	if !s.begun {
		s.begun, s.current, s.text = true, f.session, string(f.sessionText)
		if f.flags&transcript.Forked != 0 {
			s.fork = f.parent
		}
		return false
	}
	if f.session == s.current {
		s.foreign = 0
		return false
	}
	if f.session == s.foreign {
		return true
	}
	switch c.opt.Kind.Format {
	case transcript.ClaudeCode:
		if f.flags&transcript.Side != 0 || f.flags&transcript.Copied != 0 {
			return false
		}
		if n := c.chain.known.Find(f.parent); n >= 0 && c.chain.known.lines.At(n) < f.line && !s.first {
			s.first, s.current, s.text = true, f.session, string(f.sessionText) // an old resume
			return false
		}
	case transcript.Codex:
		if f.session == s.fork || s.fork != 0 && c.records <= 3 {
			return false
		}
	}
	s.foreign = f.session
	c.derived(transcript.Fault{
		Rule: "session", Line: f.line, Type: f.typ, IDs: []string{string(f.sessionText)},
		Message: fmt.Sprintf("a record belongs to the session %s, but the file to %s: it was pasted, or written by another process", f.sessionText, s.text),
	}, nil)
	return true
}

// order checks times and numbers.
type order struct {
	ms       int64
	line     int
	forked   bool
	numbered bool
	ordinal  int64
	at       int
}

// clockTolerance is how far a record's time can be before that of the record before it.
const clockTolerance = 10 * 60 * 1000

func (c *checker) clockOf(f *fact) {
	if f.flags&transcript.Header != 0 && f.flags&transcript.Forked != 0 && c.opt.Kind.Format == transcript.Codex {
		c.order.forked = true // copied records keep their times, or get new ones
	}
	if f.ms == 0 || f.flags&transcript.Side != 0 {
		return
	}
	if f.flags&transcript.Update != 0 && f.id != 0 {
		if !c.chain.fresh {
			return // a message that is repeated keeps its first time
		}
	}
	o := &c.order
	wasCopied := c.copying
	c.copying = f.flags&transcript.Copied != 0
	if o.ms != 0 && f.ms+clockTolerance < o.ms && !o.forked && !c.copying && !wasCopied {
		fault := transcript.Fault{
			Rule: "clock", Line: f.line, Type: f.typ,
			Message: fmt.Sprintf("line %d is %s earlier than line %d", f.line, duration(o.ms-f.ms), o.line),
		}
		if len(f.idText) > 0 {
			fault.IDs = []string{string(f.idText)}
		}
		c.derived(fault, c.sessionLoss())
	}
	o.ms, o.line = f.ms, f.line
}

// sessionLoss returns the current foreign run as a cause.
func (c *checker) sessionLoss() *loss {
	if c.session.foreign != 0 {
		return &loss{0, "transcript.session"}
	}
	return nil
}

func duration(ms int64) string {
	switch s := ms / 1000; {
	case s >= 48*3600:
		return fmt.Sprintf("%d days", s/86400)
	case s >= 3600:
		return fmt.Sprintf("%d h %d min", s/3600, s%3600/60)
	default:
		return fmt.Sprintf("%d min %d s", s/60, s%60)
	}
}

// ordinalOf checks that numbers go up by one.
func (c *checker) ordinalOf(f *fact) {
	o := &c.order
	format := c.opt.Kind.Format
	if format != transcript.Codex && format != transcript.ATIF || f.flags&transcript.Metadata != 0 {
		return
	}
	if c.records == 1 && format == transcript.Codex {
		o.numbered = f.flags&transcript.Paginated != 0 || f.ordinal != none
	}
	if format == transcript.ATIF {
		o.numbered = true
	}
	if !o.numbered && f.ordinal == none {
		return
	}
	expected := int64(0)
	if format == transcript.ATIF {
		expected = 1
	}
	if o.at > 0 {
		expected = o.ordinal + 1
	}
	before := o.at
	name := "ordinal"
	if format == transcript.ATIF {
		name = "step_id"
	}
	fault := transcript.Fault{Rule: "gap", Line: f.line, Type: f.typ}
	o.at = f.line
	if f.ordinal == none {
		fault.Message = fmt.Sprintf("the record has no %s, but the records before it are numbered", name)
		o.ordinal++
		c.derived(fault, c.sessionLoss())
		return
	}
	o.ordinal = f.ordinal
	if f.ordinal == expected || !o.numbered {
		o.numbered = true
		return
	}
	switch missing := f.ordinal - expected; {
	case before == 0:
		fault.Message = fmt.Sprintf("the first %s is %d, expected %d: the records before it are missing", name, f.ordinal, expected)
	case missing == 1:
		fault.Message = fmt.Sprintf("%s %d is followed by %d: one record is missing before line %d", name, expected-1, f.ordinal, f.line)
	case missing > 0:
		fault.Message = fmt.Sprintf("%s %d is followed by %d: %d records are missing before line %d", name, expected-1, f.ordinal, missing, f.line)
	default:
		fault.Message = fmt.Sprintf("%s %d is followed by %d: the number is repeated", name, expected-1, f.ordinal)
	}
	cause := c.lossBefore(f.line, before)
	if cause == nil {
		cause = c.sessionLoss()
	}
	c.derived(fault, cause)
}

// figures compares stated sums with counts.
func (c *checker) figures(f *fact) {
	switch c.opt.Kind.Format {
	case transcript.OpenCode:
		if math.Abs(f.cost-f.costs) > 1e-6+math.Abs(f.costs)*1e-3 {
			c.fault(transcript.Fault{Rule: "usage", Line: f.line, Type: f.typ, IDs: texts(f.idText), Message: fmt.Sprintf("the message has the cost $%.6g, but its steps add up to $%.6g", f.cost, f.costs)})
		}
	case transcript.ATIF:
		if f.typ == "final_metrics" {
			c.stated, c.statedAt = f.sample.Sum, f.line
		}
	}
}

func texts(of ...[]byte) (list []string) {
	for _, t := range of {
		if len(t) > 0 {
			list = append(list, string(t))
		}
	}
	return list
}

type unknownTypes struct {
	types map[string]*unknownType
	order []string
}

type unknownType struct {
	first int
	count int64
}

const maxUnknown = 100

func (u *unknownTypes) take(f *fact) {
	t := u.types[f.typ]
	if t == nil {
		if len(u.order) >= maxUnknown {
			return
		}
		t = &unknownType{first: f.line}
		u.types[f.typ] = t
		u.order = append(u.order, f.typ)
	}
	t.count++
}

// end runs the checks that need the whole file.
func (c *checker) end() {
	if !c.opt.Kind.Document {
		c.mender.End()
	}
	c.chainEnd()
	c.callsEnd()
	for _, r := range c.refs {
		if !c.agents[r.id] {
			c.derived(transcript.Fault{Rule: "parent", Line: r.line, IDs: texts(r.text), Message: fmt.Sprintf("the trajectory of the subagent %s is not in the file", r.text)}, c.anyLoss(r.line))
		}
	}
	for _, typ := range c.unknown.order {
		t := c.unknown.types[typ]
		c.fault(transcript.Fault{Rule: "unknown", Line: t.first, Type: typ, Message: fmt.Sprintf("%s of a type that cupel does not know: %q", say.Counted(t.count, "record"), say.Preview(typ, 60))})
	}
	c.usageEnd()
}

func (c *checker) usageEnd() {
	t := c.counter.Totals()
	if c.statedAt > 0 && c.stated.Known && t.All.Known && len(c.losses) == 0 {
		for _, x := range []struct {
			name        string
			said, found int64
		}{{"prompt", c.stated.Input, t.All.Input}, {"completion", c.stated.Output, t.All.Output}, {"cached", c.stated.CacheRead, t.All.CacheRead}} {
			if x.said != 0 && x.said != x.found {
				c.fault(transcript.Fault{Rule: "usage", Line: c.statedAt, Type: "final_metrics", Message: fmt.Sprintf("final_metrics has %d %s tokens, but the steps have %d", x.said, x.name, x.found)})
			}
		}
	}
	if t.All.Known && t.Naive > t.All.Total && t.Records > t.Calls {
		c.fault(transcript.Fault{Rule: "counted", Message: fmt.Sprintf("%d responses are spread over %d records: %d tokens if each response is counted once, %d if each record is counted", t.Calls, t.Records, t.All.Total, t.Naive)})
	}
}

func (c *checker) outcome() Outcome {
	o := Outcome{
		Records: c.records, Header: c.headers, Blank: c.blank, Unreadable: c.unreadable,
		Usage: c.counter.Totals(), Session: c.session.text, Folder: c.folder, First: c.first, Last: c.last,
	}
	if c.opt.Calls {
		o.Calls = c.counter.Calls()
	}
	return o
}

// anyLoss returns the nearest loss before a line, or any loss at all.
func (c *checker) anyLoss(line int) *loss {
	if len(c.losses) == 0 {
		return nil
	}
	best := &c.losses[0]
	for i := range c.losses {
		if l := &c.losses[i]; l.line <= line && l.line >= best.line {
			best = l
		}
	}
	return best
}
