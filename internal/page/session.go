package page

import (
	"cmp"
	"fmt"
	"slices"
	"time"
)

// Session is the view of a session log: its chain as a strip, with what was done to it in place,
// what the log says of itself on an axis of time, and its records one by one.
type Session struct {
	Linked bool     // each event names the hash of the one before
	Files  bool     // the log is spread over several files
	Damage []string // what was done to the log, in words
	More   int      // further damages
	Blocks []SessionBlock
	Marks  []SessionMark
	Left   []string // what the view leaves out
}

// SessionBlock is a run of records in one state, or a gap, where records are missing.
type SessionBlock struct {
	State    string // one of sessionStates, which is also its class
	Gap      bool
	File     string
	From, To int   // lines; of a gap: that of the record after it and that of the one before
	Count    int64 // records; of a gap: those that are missing, 0 when nothing tells

	First, Last string    // sequence numbers
	Start, End  time.Time // zero where none is stated
	Rows        []SessionRow
}

// SessionRow is a record.
type SessionRow struct {
	Nth     int64
	Line    int
	Number  string
	Type    string
	Time    time.Time // zero where none is stated
	Hash    string
	Payload Excerpt
	Lost    string // the rule that says why it is no event
}

// SessionMark is a place of a log that the axis shows.
type SessionMark struct {
	Kind string // one of sessionMarks
	File string
	Line int
	Nth  int64
	Time time.Time // zero where none is stated
}

// Excerpt is a value, or its beginning.
type Excerpt struct {
	Text string
	Cut  int64 // bytes that follow
}

// sign is an icon and a word: nothing is told by a colour alone.
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
	"mixed":      {"≈", "not told apart"},
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

// PlaceIn implements [FilePlacer]: it names the record on a line, or the block that it is counted in.
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

// cell is a field of the strip.
type cell struct {
	Name   string // of the block, where the cell stands for it; "": of one of its records
	Target string // what it leads to
	Class  string
	sign
	Head  string // which records
	About string // what they are
	File  string // that they stand in, where it is another than before
	Title string
}

// mostCells is how many records a strip shows one by one.
const mostCells = 24

// Cells are the fields of the strip: one for each record of a short log, else for each block.
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

// cell is the field of a block.
func (s *Session) cell(i int) cell {
	b := &s.Blocks[i]
	c := cell{Name: blockName(i), File: s.NewFile(i), Target: s.Target(i), Class: fmt.Sprintf("%s w%d", b.State, b.width()), sign: sessionStates[b.State]}
	switch {
	case b.Gap && b.Count == 0:
		c.Head, c.About = "?", "how many, nothing tells"
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

// NewFile is the file of a block's records where those before stand in another, "" elsewhere.
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

// numbers are the sequence numbers of a block's records, or of those that are missing.
func (b *SessionBlock) numbers() string {
	switch b.First {
	case "":
		return ""
	case b.Last:
		return "#" + b.First
	}
	return "#" + b.First + " – #" + b.Last
}

// width is a class of width that grows with the number of digits of the count.
func (b *SessionBlock) width() int {
	w := 2
	for n := b.Count; n >= 10 && w < 6; n /= 10 {
		w++
	}
	return w
}

// Lines are the lines of a block in words.
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

// Target is the name of the block's records in the view.
func (s *Session) Target(i int) string { return "r-" + blockName(i) }

// Sign is the state's icon and word.
func (b *SessionBlock) Sign() sign { return sessionStates[b.State] }

// mostOpen is how many intact records are listed without being folded.
const mostOpen = 50

// Folded reports whether the records are many, and nothing is wrong with them.
func (b *SessionBlock) Folded() bool { return b.State == "intact" && len(b.Rows) > mostOpen }

// Numbers are the sequence numbers of the records.
func (b *SessionBlock) Numbers() string { return b.numbers() }

// Unlisted is how many records of the block are counted alone.
func (b *SessionBlock) Unlisted() int64 {
	if b.Gap {
		return 0
	}
	return b.Count - int64(len(b.Rows))
}

// Number is the count, for the template.
func (b *SessionBlock) Number() int { return int(b.Count) }

// Name is the name of the record.
func (r SessionRow) Name() string { return r.name() }

// Clock is the time that a record states.
func (r SessionRow) Clock() string { return clock(r.Time) }

// clock is a time of day as a page shows it, "" for none.
func clock(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format("2006-01-02 15:04:05.999Z")
}

// Legend are the states that the strip shows, in the order of their first blocks.
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

// Axis is the log in time; nil where it states fewer than two times.
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

// times are those between which the records of a block were made; of a gap, those of the
// records around it.
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
