package trace

import (
	"bytes"
	"cmp"
	"slices"
	"time"
	"unicode/utf8"

	"github.com/cupel-dev/cupel/internal/source"
	"github.com/cupel-dev/cupel/trace/internal/session"
)

// Chain is the outline of a session log or of one session: its records in file order.
type Chain struct {
	Family    Family
	Session   *string // with Options.BySession: the session's id; nil for lines without one
	FirstLine int     // … and its first line
	FirstFile string  // … in a segment of a chain of files
	Linked    bool    // events name the hash of the one before

	Blocks []Block
	Marks  []Mark
	Events int64 // records that are events
	Listed int64 // records that are listed one by one
}

type BlockState string

// The states other than the kinds of damage.
const (
	BlockIntact     BlockState = "intact"
	BlockFaulty     BlockState = "faulty"     // an error is about a record, but not about the chain
	BlockFollows    BlockState = "follows"    // faults caused by damage elsewhere
	BlockUnreadable BlockState = "unreadable" // not events
	BlockMixed      BlockState = "mixed"      // the rest of a chain with more blocks than an outline holds
)

// Block is a run of records in one state, or a place where records are missing.
type Block struct {
	State  BlockState
	Damage int    // its index in Report.Damage, or -1
	File   string // the segment of a chain of files
	From   int    // line of the first record; of a gap: of the record after it, 0 at the log's end
	To     int    // line of the last record; of a gap: of the record before it, 0 at its beginning
	Count  int64  // records; for a gap the missing ones, 0 if unknown

	First, Last *uint64   // numbers of the first and the last record that has one
	Start, End  time.Time // that they state; zero where they state none
	Listed      []Listed
}

// Gap reports whether the block is a place where records are missing.
func (b *Block) Gap() bool { return b.State == BlockState(DamageRemoved) }

type Listed struct {
	Line    int
	Nth     int64 // position in the records, from 1
	Number  *uint64
	Type    string
	Time    time.Time // zero where it states none
	Hash    string
	Payload Excerpt // of a record that is not an event: the line
	Lost    string  // rule that explains why it is not an event
	Wrong   int     // number of findings about it, by the worst of them:
	Worst   Severity
}

// MarkKind is the kind of a Mark.
type MarkKind string

const (
	MarkStart  MarkKind = "start"  // a SESSION_START
	MarkEnd    MarkKind = "end"    // a SESSION_END
	MarkSeal   MarkKind = "seal"   // a CHAIN_SEAL
	MarkLoss   MarkKind = "loss"   // a LOG_DROP or CHAIN_BROKEN: the writer says that events are missing
	MarkAnchor MarkKind = "anchor" // the last event that Options.Anchor pins
	MarkClock  MarkKind = "clock"  // the clock runs backwards
)

// Mark is a position to be shown on a time axis.
type Mark struct {
	Kind MarkKind
	File string
	Line int
	Nth  int64     // position in the records, from 1
	Time time.Time // zero where the record states none
}

// spot is a position in a log: segment index and line.
type spot struct{ segment, line int }

func (a spot) compare(b spot) int {
	return cmp.Or(cmp.Compare(a.segment, b.segment), cmp.Compare(a.line, b.line))
}

type harm struct {
	Damage
	index    int // in Report.Damage
	from, to spot
}

// strip builds the outline of one chain.
type strip struct {
	of    *outliner
	out   Chain
	gaps  []harm // where records are missing, by the record after
	harms []harm // other damage, by its first record
	live  []harm // of them, those that have begun and not ended
	wrong []placedFinding

	nth, events int64
	before      time.Time // that the record before states
}

type placedFinding struct {
	at       spot
	column   int
	severity Severity
	follows  bool // it follows from another
	linking  bool // about the number or link, which indicate a gap before
}

// linkRules are the rules on sequence numbers and links.
var linkRules = []string{"sequence.gap", "chain.broken", "chain.genesis"}

// strip starts the outline of a log or session.
func (o *outliner) strip(report *Report, family Family) *strip {
	s := &strip{of: o, out: Chain{Family: family, Linked: session.Linked(string(family))}}
	s.place(report)
	o.strips = append(o.strips, s)
	return s
}

// place locates the damage and findings of a report.
func (s *strip) place(report *Report) {
	at := 0
	for i, d := range report.Damage {
		h := harm{Damage: d, index: i}
		at = s.segment(d.FromFile, at)
		h.from = spot{at, int(d.From)}
		h.to = spot{s.segment(d.ToFile, at), int(d.To)}
		if d.Kind == DamageRemoved {
			s.gaps = append(s.gaps, h)
		} else {
			s.harms = append(s.harms, h)
		}
	}
	slices.SortStableFunc(s.gaps, func(a, b harm) int { return a.to.compare(b.to) })
	slices.SortStableFunc(s.harms, func(a, b harm) int { return a.from.compare(b.from) })
	at = 0
	for _, f := range report.Findings {
		if f.Line == 0 || s.of.chain == nil && f.File != "" && f.File != report.Input {
			continue
		}
		at = s.segment(f.File, at)
		s.wrong = append(s.wrong, placedFinding{spot{at, f.Line}, f.Column, f.Severity, f.CausedBy != "", slices.Contains(linkRules, f.Rule)})
	}
	slices.SortStableFunc(s.wrong, func(a, b placedFinding) int {
		return cmp.Or(a.at.compare(b.at), cmp.Compare(a.column, b.column))
	})
}

// segment returns the index of a segment by name, starting at from, because names can repeat and reports are in
// file order.
func (s *strip) segment(name string, from int) int {
	names := s.of.out.Segments
	if from < len(names) {
		if i := slices.Index(names[from:], name); i >= 0 {
			return from + i
		}
	}
	return max(0, slices.Index(names, name))
}

func (s *strip) take(seen session.Seen) {
	line := seen.Line()
	at, file := s.spot(line.Number)
	s.nth++
	if seen.Lost() == "" {
		s.events++
	}
	found := s.found(at, line)
	for len(s.gaps) > 0 && s.reached(s.gaps[0], at, found) {
		s.gap(s.gaps[0], file)
		s.gaps = s.gaps[1:]
		found.follows = found.follows || found.linking
	}
	state, damage := s.state(seen, at, found)
	block := s.block(state, damage, at, file)
	now, dated := seen.Time()
	number, numbered := seen.Number()
	block.To = at.line
	block.Count++
	if numbered {
		n := number
		if block.First == nil {
			block.First = &n
		}
		block.Last = &n
	}
	if dated {
		if block.Start.IsZero() {
			block.Start = now
		}
		block.End = now
	}
	if s.listed(block) {
		block.Listed = append(block.Listed, s.list(seen, found))
	}
	s.mark(seen, file, now, dated)
}

// spot returns a line's position and its segment's name.
func (s *strip) spot(line int) (spot, string) {
	if s.of.chain == nil {
		return spot{0, line}, ""
	}
	segment, at, number := s.of.chain.lines.Place(line)
	return spot{at, number}, segment.Name
}

// findings are the findings about one record.
type findings struct {
	count   int
	worst   Severity
	errors  bool
	follows bool // all errors follow from others
	linking bool // … or are about the number or the link
}

// found removes and returns the findings about a record, up to the end of its text. Earlier findings, about other
// lines, are dropped.
func (s *strip) found(at spot, line source.Line) (f findings) {
	f.follows, f.linking = true, true
	end, column := at, -1
	for len(s.wrong) > 0 {
		w := s.wrong[0]
		if before := w.at.compare(at); before < 0 || before == 0 && w.column > 0 && w.column <= line.Column {
			s.wrong = s.wrong[1:]
			continue
		}
		if w.at.compare(at) != 0 || line.Column > 0 { // the text determines the record's end
			if column < 0 {
				end, column = endOf(at, line)
			}
			if c := w.at.compare(end); c > 0 || c == 0 && w.column > column+1 {
				return f
			}
		}
		s.wrong = s.wrong[1:]
		f.count++
		f.worst = max(f.worst, w.severity)
		if w.severity == SeverityError {
			f.errors, f.follows, f.linking = true, f.follows && w.follows, f.linking && (w.follows || w.linking)
		}
	}
	return f
}

// endOf returns the position after a record and the number of code points before it on the line.
func endOf(at spot, line source.Line) (end spot, column int) {
	column = line.Column
	text := line.Bytes
	if n := bytes.Count(text, []byte{'\n'}); n > 0 {
		at.line += n
		text, column = text[bytes.LastIndexByte(text, '\n')+1:], 0
	}
	return at, column + utf8.RuneCount(text)
}

// reached reports whether the record follows a gap. If the line has several records, the first one with an error
// does.
func (s *strip) reached(gap harm, at spot, found findings) bool {
	switch c := at.compare(gap.to); {
	case c != 0:
		return c > 0
	case gap.from == gap.to && s.dense():
		return found.errors
	}
	return true
}

func (s *strip) dense() bool { return s.of.dense != nil && s.of.dense() }

func (s *strip) state(seen session.Seen, at spot, found findings) (state BlockState, damage int) {
	for len(s.harms) > 0 && s.harms[0].from.compare(at) <= 0 {
		s.live, s.harms = append(s.live, s.harms[0]), s.harms[1:]
	}
	s.live = slices.DeleteFunc(s.live, func(h harm) bool { return h.to.compare(at) < 0 })
	for _, h := range s.live {
		if h.from != h.to || found.errors || !s.dense() {
			return BlockState(h.Kind), h.index
		}
	}
	switch {
	case seen.Lost() != "":
		return BlockUnreadable, -1
	case found.errors && found.follows:
		return BlockFollows, -1
	case found.errors:
		return BlockFaulty, -1
	}
	return BlockIntact, -1
}

// block returns the block for a record. It starts a new one if the state differs from the previous record's.
func (s *strip) block(state BlockState, damage int, at spot, file string) *Block {
	if n := len(s.out.Blocks); n > 0 {
		last := &s.out.Blocks[n-1]
		if last.State == BlockMixed || last.State == state && last.Damage == damage && last.File == file {
			return last
		}
	}
	if !take(&s.of.room.blocks) {
		state, damage = BlockMixed, -1
	}
	s.out.Blocks = append(s.out.Blocks, Block{State: state, Damage: damage, File: file, From: at.line, To: at.line})
	return &s.out.Blocks[len(s.out.Blocks)-1]
}

// gap adds a block for missing records.
func (s *strip) gap(h harm, file string) {
	if n := len(s.out.Blocks); n > 0 && s.out.Blocks[n-1].State == BlockMixed || !take(&s.of.room.blocks) {
		return
	}
	s.out.Blocks = append(s.out.Blocks, Block{State: BlockState(h.Kind), Damage: h.index, File: file, From: int(h.Damage.To), To: int(h.Damage.From), Count: h.Count})
}

// mostBeyond is the number of records listed at the start of a block beyond MaxOutlined.
const mostBeyond = 20

func (s *strip) listed(b *Block) bool {
	if take(&s.of.room.events) {
		return true
	}
	return b.State != BlockIntact && len(b.Listed) < mostBeyond && take(&s.of.room.beyond)
}

func (s *strip) list(seen session.Seen, found findings) Listed {
	l := Listed{Line: seen.Line().Number, Nth: s.nth, Type: named(seen.Type()), Hash: seen.Hash(), Lost: seen.Lost(), Wrong: found.count, Worst: found.worst}
	if s.of.chain != nil {
		_, _, l.Line = s.of.chain.lines.Place(l.Line)
	}
	if n, ok := seen.Number(); ok {
		l.Number = &n
	}
	if at, ok := seen.Time(); ok {
		l.Time = at
	}
	text := seen.Payload()
	if l.Lost != "" {
		text = seen.Line().Bytes
	}
	l.Payload = s.of.room.show(text, maxShown)
	s.out.Listed++
	return l
}

// mark adds a mark for the record, if an axis shows one.
func (s *strip) mark(seen session.Seen, file string, now time.Time, dated bool) {
	add := func(kind MarkKind, is bool) {
		if !is || !take(&s.of.room.marks) {
			return
		}
		at, _ := s.spot(seen.Line().Number)
		m := Mark{Kind: kind, File: file, Line: at.line, Nth: s.nth}
		if dated {
			m.Time = now
		}
		s.out.Marks = append(s.out.Marks, m)
	}
	add(MarkClock, dated && now.Before(s.before))
	add(MarkStart, seen.IsStart())
	add(MarkEnd, seen.IsEnd())
	add(MarkSeal, seen.IsSeal())
	add(MarkLoss, seen.IsLoss())
	anchor := s.of.opt.Anchor
	add(MarkAnchor, anchor != nil && seen.Lost() == "" && s.events == anchor.Events)
	if dated {
		s.before = now
	}
}

// close adds the gaps after the last record and returns the outline.
func (s *strip) close() Chain {
	for _, h := range s.gaps {
		s.gap(h, h.ToFile)
	}
	s.out.Events = s.events
	return s.out
}
