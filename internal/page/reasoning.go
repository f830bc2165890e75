package page

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/cupel-dev/cupel/internal/say"
)

// Reasoning is the view of a reasoning trace: its steps in lanes by kind, their events, and claims
// with the bytes that they cite.
type Reasoning struct {
	Input  string // display name, as in findings
	Steps  []ReasoningStep
	Events int64
	Lost   []ReasoningLine // lines that are not events
	Left   []string        // what the view omits
}

// ReasoningStep is a step, or a range of steps that are only counted.
type ReasoningStep struct {
	ID       string
	Lane     string // type of the output: "gather", "derive", …; "" without output
	Started  bool
	Finished bool

	Line, EndLine int
	From, To      int64 // positions in the trace, from 1
	Events        []ReasoningEvent
	Unlisted      int64 // number of events not listed
	Steps         int64 // steps in a range; 0 for a step
	Errors        int   // number of errors
	Warnings      int
}

// ReasoningEvent is an event of a step.
type ReasoningEvent struct {
	Line     int
	Nth      int64
	Kind     string
	ID, Name string
	Text     Excerpt

	Bad      bool // has an error
	Claim    *ReasoningClaim
	Evidence *ReasoningEvidence
}

// ReasoningClaim is a claim and its citations.
type ReasoningClaim struct {
	Type     string
	Quotes   []Quote
	Unlisted int
}

// ReasoningEvidence is evidence and its file.
type ReasoningEvidence struct {
	Path  string
	Span  string
	Size  int64
	Begin Bytes
	Cut   int64 // bytes that follow
	Why   string

	Recorded, Actual string // SHA-256 in the trace and of the file, if they differ
	Meant            *Meant
}

// Quote is a citation of a claim.
type Quote struct {
	Kind, Ref string
	Span      string
	Path      string
	Line      int // line that registers the evidence, or 0
	Size      int64
	Holds     string // "holds", "fails", "unknown"
	Marker    bool   // a marker in the statement without a matching support
	Suspect   bool   // the evidence itself has a problem

	Before, Cited, After Bytes
	Cut                  int64
	Why                  string
	Recorded, Actual     string
	Meant                *Meant
}

// Meant is a difference between the expected and the actual bytes.
type Meant struct {
	Note          string
	At            int64
	Before, After Bytes
	Expected      Bytes
	Found         Bytes
	Cut           int64 // bytes not compared
}

// ReasoningLine is a line that is not an event.
type ReasoningLine struct {
	Line int
	Text Excerpt
}

var lanes = []string{"understand", "gather", "derive", "verify", "finalize", "insufficient"}

func (r *Reasoning) Kind() string { return "reasoning" }

// PlaceIn implements [FilePlacer] with the event of a line, or its step.
func (r *Reasoning) PlaceIn(file string, line int) string {
	if file != r.Input {
		return ""
	}
	for i := range r.Lost {
		if r.Lost[i].Line == line {
			return fmt.Sprintf("l%d", line)
		}
	}
	for i := range r.Steps {
		s := &r.Steps[i]
		if line < s.Line || line > s.EndLine {
			continue
		}
		if n, found := slices.BinarySearchFunc(s.Events, line, func(e ReasoningEvent, line int) int { return cmp.Compare(e.Line, line) }); found {
			return fmt.Sprintf("e%d", s.Events[n].Nth)
		}
	}
	return ""
}

// ViewName returns the event's element name.
func (e ReasoningEvent) ViewName() string { return fmt.Sprintf("e%d", e.Nth) }

// Target returns the step's element name.
func (r *Reasoning) Target(i int) string { return fmt.Sprintf("t%d", i+1) }

// Sign returns the result of the citation.
func (q Quote) Sign() sign {
	switch q.Holds {
	case "holds":
		return sign{"✓", "the bytes are those that the claim states"}
	case "fails":
		return sign{"✕", "the bytes are not those that the claim states"}
	}
	return sign{"?", "not compared"}
}

// Shown returns the start of the file.
func (e *ReasoningEvidence) Shown() excerpt { return Quote{Cited: e.Begin.toRune()}.plain() }

// Sign returns the symbol of the event's kind.
func (e ReasoningEvent) Sign() string { return eventSigns[e.Kind] }

// ViewName returns the line's element name.
func (l ReasoningLine) ViewName() string { return fmt.Sprintf("l%d", l.Line) }

// LaneName returns the lane of a step.
func (s *ReasoningStep) LaneName() string {
	switch {
	case s.Steps > 0:
		return "more steps"
	case slices.Contains(lanes, s.Lane):
		return s.Lane
	case s.Finished:
		return "other"
	}
	return "unfinished"
}

// Lanes returns the chart of the steps.
func (r *Reasoning) Lanes() *laneChart {
	c := &laneChart{total: max(r.Events, 1)}
	for _, name := range append(slices.Clone(lanes), "other", "unfinished", "more steps") {
		var of []int
		for i := range r.Steps {
			if r.Steps[i].LaneName() == name {
				of = append(of, i)
			}
		}
		if len(of) > 0 {
			c.lane(r, name, of)
		}
	}
	return c
}

// laneChart is axisWidth units wide.
type laneChart struct {
	total  int64
	Lanes  []chartLane
	Bars   []chartBar
	Left   int // steps not drawn
	Height int
}

type chartLane struct {
	Name      string
	Y, Height int
	TextY     int
	Class     string
}

type chartBar struct {
	X, Y, W, H int
	Class      string
	Label      string
	Title      string
	Target     string
	Ticks      []chartTick
}

// TextX and TextY are the position of its label.
func (b chartBar) TextX() int { return b.X + 5 }

// TextY is described at TextX.
func (b chartBar) TextY() int { return b.Y + 14 }

type chartTick struct {
	sign
	X, Y   int
	Class  string
	Target string
}

const (
	laneLeft  = 130 // left end of the time range
	laneRow   = 42
	laneGap   = 4
	laneRows  = 4 // concurrent steps of a lane that are drawn
	laneBars  = 1_500
	labelFrom = 60 // narrowest bar with a label
	tickFrom  = 12 // narrowest room for an event's symbol
)

func (c *laneChart) x(nth int64) int {
	return laneLeft + int(float64(nth-1)/float64(c.total)*float64(axisWidth-laneLeft))
}

// lane draws the steps of a lane.
func (c *laneChart) lane(r *Reasoning, name string, of []int) {
	top := c.Height
	var ends [laneRows]int64
	rows := 1
	for _, i := range of {
		s := &r.Steps[i]
		if len(c.Bars) >= laneBars && s.Errors == 0 {
			c.Left++
			continue
		}
		row := max(0, slices.IndexFunc(ends[:], func(end int64) bool { return end < s.From }))
		ends[row], rows = max(ends[row], s.To), max(rows, row+1)
		c.Bars = append(c.Bars, c.bar(r, i, top+laneGap+row*laneRow))
	}
	c.Height += rows*laneRow + 2*laneGap
	class := "lane"
	if len(c.Lanes)%2 == 1 {
		class = "lane odd"
	}
	c.Lanes = append(c.Lanes, chartLane{name, top, c.Height - top, top + (c.Height-top)/2 + 5, class})
}

func (c *laneChart) bar(r *Reasoning, i, y int) chartBar {
	s := &r.Steps[i]
	b := chartBar{X: c.x(s.From), Y: y, H: laneRow - 4, Target: r.Target(i), Class: "step", Title: s.Words()}
	b.W = max(c.x(s.To+1)-b.X-2, 3)
	if s.Errors > 0 {
		b.Class = "step bad"
	}
	if b.W >= labelFrom {
		b.Label = say.Clip(value(s.ID), b.W/axisLetter)
	}
	if c.x(2)-c.x(1) >= tickFrom {
		for n := range s.Events {
			b.Ticks = append(b.Ticks, c.tick(&s.Events[n], y))
		}
	} else if s.Errors > 0 {
		b.Ticks = []chartTick{{X: b.X + b.W/2, Y: y + laneRow - 10, sign: sign{"✕", b.Title}, Class: "bad", Target: b.Target}}
	}
	return b
}

var eventSigns = map[string]string{"tool_called": "→", "tool_returned": "←", "evidence_registered": "▤", "claim_emitted": "❝", "step_started": "[", "step_finished": "]"}

func (c *laneChart) tick(e *ReasoningEvent, y int) chartTick {
	t := chartTick{X: (c.x(e.Nth) + c.x(e.Nth+1)) / 2, Y: y + laneRow - 10, sign: sign{eventSigns[e.Kind], e.Kind}, Target: e.ViewName()}
	switch {
	case e.Bad:
		t.Icon, t.Class = "✕", "bad"
	case t.Icon == "":
		t.Icon = "·"
	}
	t.Word = fmt.Sprintf("line %d: %s", e.Line, value(e.Kind))
	return t
}

// Words describes the step in a sentence.
func (s *ReasoningStep) Words() string {
	if s.Steps > 0 {
		return fmt.Sprintf("%d steps that are not listed, lines %d to %d", s.Steps, s.Line, s.EndLine)
	}
	text := fmt.Sprintf("step %s, lines %d to %d", value(s.ID), s.Line, s.EndLine)
	switch {
	case !s.Started:
		text += ", never started"
	case !s.Finished:
		text += ", never finished"
	}
	if s.Errors > 0 {
		text += ", " + counted(s.Errors, "error")
	}
	return text
}

// Claims summarizes the claims and their citations.
func (r *Reasoning) Claims() string {
	claims, cites, holds, fails := 0, 0, 0, 0
	for i := range r.Steps {
		for _, e := range r.Steps[i].Events {
			if e.Claim == nil {
				continue
			}
			claims++
			for _, q := range e.Claim.Quotes {
				cites++
				switch q.Holds {
				case "holds":
					holds++
				case "fails":
					fails++
				}
			}
		}
	}
	text := fmt.Sprintf("%s, citing %s: %d with the bytes that the claim states", counted(claims, "claim"), counted(cites, "place"), holds)
	if fails > 0 {
		text += fmt.Sprintf(", %d with other bytes", fails)
	}
	if rest := cites - holds - fails; rest > 0 {
		text += fmt.Sprintf(", %d not compared", rest)
	}
	return text
}

// Where returns the step that contains a line, or "".
func (r *Reasoning) Where(file string, line int) string {
	name := r.PlaceIn(file, line)
	for i := range r.Steps {
		s := &r.Steps[i]
		if name == "" || s.Steps > 0 || line < s.Line || line > s.EndLine {
			continue
		}
		if slices.ContainsFunc(s.Events, func(e ReasoningEvent) bool { return e.Line == line }) {
			return s.ID
		}
	}
	return ""
}
