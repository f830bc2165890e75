package page

import (
	"cmp"
	"fmt"
	"slices"
	"time"
)

// Session is the view of a session log: its chain as a strip with the damage in place, a time axis,
// and the records.
type Session struct {
	Linked bool     // events contain the hash of the previous event
	Files  bool     // the log spans several files
	Damage []string // damage to the log, in words
	More   int      // further damage
	Blocks []SessionBlock
	Marks  []SessionMark
	Left   []string // what the view omits
}

// SessionBlock is a run of records in one state, or a gap of missing records.
type SessionBlock struct {
	State    string // one of sessionStates, also the CSS class
	Gap      bool
	File     string
	From, To int   // lines; for a gap, those of the following and preceding record
	Count    int64 // records; for a gap the missing ones, 0 if unknown

	First, Last string    // sequence numbers
	Start, End  time.Time // zero if unknown
	Rows        []SessionRow
}

// SessionRow is a record.
type SessionRow struct {
	Nth     int64
	Line    int
	Number  string
	Type    string
	Time    time.Time // zero if unknown
	Hash    string
	Payload Excerpt
	Lost    string // rule that explains why it is not an event
}

// SessionMark is a point on the axis.
type SessionMark struct {
	Kind string // one of sessionMarks
	File string
	Line int
	Nth  int64
	Time time.Time // zero if unknown
}

// Excerpt is a value, possibly truncated.
type Excerpt struct {
	Text string
	Cut  int64 // bytes that follow
}

// sign is an icon and a word: never only a color.
type sign struct{ Icon, Word string }

var sessionStates = map[string]sign{
	"intact":     {"✓", "intact"},
	"edited":     {"✎", "edited"},
	"removed":    {"✂", "removed"},
	"inserted":   {"✚", "inserted"},
	"swapped":    {"⇄", "in another order"},
	"repeated":   {"⟲", "repeated"},
	"cut":        {"✂", "cut off"},
	"faulty":     {"✕", "content at fault"},
	"follows":    {"↳", "consequence"},
	"unreadable": {"✕", "no event"},
	"mixed":      {"≈", "not separated"},
}

var sessionMarks = map[string]sign{
	"start":  {"▶", "session starts"},
	"end":    {"■", "session ends"},
	"seal":   {"◆", "chain sealed"},
	"loss":   {"✂", "log says: events lost"},
	"anchor": {"⚓", "anchored up to here"},
	"clock":  {"↶", "clock runs back"},
}

// Done implements [Doer].
func (s *Session) Done() []string { return s.Damage }

// Kind is the name of the view's template.
func (s *Session) Kind() string { return "session" }

// PlaceIn implements [FilePlacer] with the record of a line, or its block.
func (s *Session) PlaceIn(file string, line int) string {
	for i := range s.Blocks {
		b := &s.Blocks[i]
		if b.Gap || b.File != file || line < b.From || line > b.To {
			continue
		}
		if n, found := slices.BinarySearchFunc(b.Rows, line, func(r SessionRow, line int) int { return cmp.Compare(r.Line, line) }); found {
			return b.Rows[n].name()
		}
		return blockName(i)
	}
	return ""
}

func blockName(i int) string { return fmt.Sprintf("b%d", i+1) }

func (r *SessionRow) name() string { return fmt.Sprintf("e%d", r.Nth) }

// cell is an element of the strip.
type cell struct {
	Name   string // block name if the cell represents a block, else ""
	Target string // link target
	Class  string
	sign
	Head  string // which records
	About string // description
	File  string // file of the records if it differs from the previous cell's
	Title string
}

// mostCells is the largest number of records that get a cell each.
const mostCells = 24

// Cells returns the strip: one cell per record of a short log, else per block.
func (s *Session) Cells() (list []cell) {
	total, listed := int64(0), int64(0)
	for i := range s.Blocks {
		if b := &s.Blocks[i]; !b.Gap {
			total, listed = total+b.Count, listed+int64(len(b.Rows))
		}
	}
	for i := range s.Blocks {
		b := &s.Blocks[i]
		if b.Gap || total > mostCells || listed < total {
			list = append(list, s.cell(i))
			continue
		}
		file := s.NewFile(i)
		for n := range b.Rows {
			r := &b.Rows[n]
			c := cell{Target: r.name(), Class: b.State + " w1", sign: sessionStates[b.State], Head: r.head(), About: r.Type}
			if n == 0 {
				c.Name, c.File = blockName(i), file
			}
			if b.State != "intact" {
				c.Class = b.State + " w2"
			}
			c.Title = fmt.Sprintf("line %d: %s", r.Line, c.Word)
			list = append(list, c)
		}
	}
	return list
}

func (r *SessionRow) head() string {
	if r.Number == "" {
		return fmt.Sprintf("line %d", r.Line)
	}
	return "#" + r.Number
}

func (s *Session) cell(i int) cell {
	b := &s.Blocks[i]
	c := cell{Name: blockName(i), File: s.NewFile(i), Target: s.Target(i), Class: fmt.Sprintf("%s w%d", b.State, b.width()), sign: sessionStates[b.State]}
	switch {
	case b.Gap && b.Count == 0:
		c.Head, c.About = "?", "number unknown"
	case b.Gap:
		c.Head, c.About = counted(int(b.Count), "event"), b.numbers()
	case b.First == "":
		c.Head = counted(int(b.Count), "record")
	case b.Count == 1:
		c.Head = b.numbers()
	default:
		c.Head, c.About = b.numbers(), counted(int(b.Count), "event")
	}
	c.Title = s.Lines(i)
	return c
}

// NewFile returns the file of a block's records if it differs from the previous block's, else "".
func (s *Session) NewFile(i int) string {
	if !s.Files || s.Blocks[i].Gap {
		return ""
	}
	for n := i - 1; n >= 0; n-- {
		if b := &s.Blocks[n]; !b.Gap {
			if b.File == s.Blocks[i].File {
				return ""
			}
			break
		}
	}
	return s.Blocks[i].File
}

// numbers returns the sequence numbers of a block's records, or of the missing ones.
func (b *SessionBlock) numbers() string {
	switch b.First {
	case "":
		return ""
	case b.Last:
		return "#" + b.First
	}
	return "#" + b.First + " – #" + b.Last
}

// width returns a CSS class by the number of digits of the count.
func (b *SessionBlock) width() int {
	w := 2
	for n := b.Count; n >= 10 && w < 6; n /= 10 {
		w++
	}
	return w
}

// Lines describes the lines of a block.
func (s *Session) Lines(i int) string {
	b, in := &s.Blocks[i], ""
	if s.Files {
		in = " of " + value(b.File)
	}
	switch {
	case b.Gap && b.From == 0:
		return fmt.Sprintf("after line %d%s", b.To, in)
	case b.Gap && b.To > 0 && b.To < b.From:
		return fmt.Sprintf("between lines %d and %d%s", b.To, b.From, in)
	case b.Gap:
		return fmt.Sprintf("before line %d%s", b.From, in)
	case b.From == b.To:
		return fmt.Sprintf("line %d%s", b.From, in)
	}
	return fmt.Sprintf("lines %d to %d%s", b.From, b.To, in)
}

// Target returns the element name of the block's records.
func (s *Session) Target(i int) string { return "r-" + blockName(i) }

// Sign returns the state's icon and word.
func (b *SessionBlock) Sign() sign { return sessionStates[b.State] }

// mostOpen is the largest number of intact records listed unfolded.
const mostOpen = 50

// Folded reports whether the records are collapsed.
func (b *SessionBlock) Folded() bool { return b.State == "intact" && len(b.Rows) > mostOpen }

// Numbers returns the sequence numbers of the records.
func (b *SessionBlock) Numbers() string { return b.numbers() }

// Unlisted returns the number of records not listed.
func (b *SessionBlock) Unlisted() int64 {
	if b.Gap {
		return 0
	}
	return b.Count - int64(len(b.Rows))
}

// Number returns the count for the template.
func (b *SessionBlock) Number() int { return int(b.Count) }

// Name returns the name of the record.
func (r SessionRow) Name() string { return r.name() }

// Clock returns the record's time of day.
func (r SessionRow) Clock() string { return clock(r.Time) }

// clock formats a time of day, "" for the zero time.
func clock(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format("2006-01-02 15:04:05.999Z")
}

// Legend returns the states in the strip, in order of appearance.
func (s *Session) Legend() (list []struct {
	State string
	sign
},
) {
	seen := map[string]bool{}
	for i := range s.Blocks {
		if state := s.Blocks[i].State; !seen[state] {
			seen[state] = true
			list = append(list, struct {
				State string
				sign
			}{state, sessionStates[state]})
		}
	}
	return list
}

// Axis returns the time axis, or nil if the log has fewer than two times.
func (s *Session) Axis() *axis {
	a := &axis{}
	for i := range s.Blocks {
		a.reach(s.Blocks[i].Start)
		a.reach(s.Blocks[i].End)
	}
	if !a.from.Before(a.to) {
		return nil
	}
	for i := range s.Blocks {
		if from, to := s.times(i); !from.IsZero() {
			a.bar(from, to, s.Blocks[i].State, sessionStates[s.Blocks[i].State].Word+", "+s.Lines(i), s.Target(i))
		}
	}
	for i := range s.Blocks {
		if b := &s.Blocks[i]; b.State != "intact" && b.State != "follows" {
			from, to := s.times(i)
			a.mark(from.Add(to.Sub(from)/2), sessionStates[b.State], "harm", s.Target(i))
		}
	}
	for _, m := range s.Marks {
		if !m.Time.IsZero() {
			a.mark(m.Time, sessionMarks[m.Kind], m.Kind, s.PlaceIn(m.File, m.Line))
		}
	}
	a.finish()
	return a
}

// times returns the time range of a block; for a gap, that between its neighbors.
func (s *Session) times(i int) (from, to time.Time) {
	if b := &s.Blocks[i]; !b.Gap {
		return b.Start, b.End
	}
	for n := i - 1; n >= 0 && from.IsZero(); n-- {
		from = s.Blocks[n].End
	}
	for n := i + 1; n < len(s.Blocks) && to.IsZero(); n++ {
		to = s.Blocks[n].Start
	}
	switch {
	case from.IsZero():
		from = to
	case to.IsZero():
		to = from
	}
	return from, to
}
