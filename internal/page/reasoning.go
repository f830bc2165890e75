package page

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/cupel-dev/cupel/internal/say"
)

// Reasoning is the view of a reasoning trace: its steps in lanes, one for each kind, and what
// happened in each; a claim shows the bytes that it cites.
type Reasoning struct {
	Input  string // its display name, as findings have it
	Steps  []ReasoningStep
	Events int64
	Lost   []ReasoningLine // lines that are no events
	Left   []string        // what the view leaves out
}

// ReasoningStep is a step, or a stretch of the trace whose steps are counted alone.
type ReasoningStep struct {
	ID       string
	Lane     string // what its output is: "gather", "derive", …; "" for a step without one
	Started  bool
	Finished bool

	Line, EndLine int
	From, To      int64 // places among all events, from 1
	Events        []ReasoningEvent
	Unlisted      int64 // of its events, those that are counted alone
	Steps         int64 // of a stretch: how many steps start in it; 0 for a step
	Errors        int   // about it
	Warnings      int
}

// ReasoningEvent is an event of a step.
type ReasoningEvent struct {
	Line     int
	Nth      int64
	Kind     string
	ID, Name string
	Text     Excerpt

	Bad      bool // an error is about it
	Claim    *ReasoningClaim
	Evidence *ReasoningEvidence
}

// ReasoningClaim is a claim and what it cites.
type ReasoningClaim struct {
	Type     string
	Quotes   []Quote
	Unlisted int
}

// ReasoningEvidence is a piece of evidence and its file.
type ReasoningEvidence struct {
	Path  string
	Span  string
	Size  int64
	Begin Bytes
	Cut   int64 // bytes that follow
	Why   string

	Recorded, Actual string // the SHA-256 that the trace states, and that of the file, where they differ
	Meant            *Meant
}

// Quote is one citation of a claim.
type Quote struct {
	Kind, Ref string
	Span      string
	Path      string
	Line      int // where the evidence is registered; 0: nowhere
	Size      int64
	Holds     string // "holds", "fails", "unknown"
	Marker    bool   // it is a marker in the statement, which no support states
	Suspect   bool   // something is wrong with the evidence as a whole

	Before, Cited, After Bytes
	Cut                  int64
	Why                  string
	Recorded, Actual     string
	Meant                *Meant
}

// Meant is a difference between what bytes were and what they are.
type Meant struct {
	Note          string
	At            int64
	Before, After Bytes
	Expected      Bytes
	Found         Bytes
	Cut           int64 // bytes that are not compared
}

// ReasoningLine is a line that is no event.
type ReasoningLine struct {
	Line int
	Text Excerpt
}

var lanes = []string{"understand", "gather", "derive", "verify", "finalize", "insufficient"}

// Kind is the name of the view's template.
func (r *Reasoning) Kind() string { return "reasoning" }

// PlaceIn implements [FilePlacer]: it names the event on a line, or the step that it is counted in.
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

// ViewName is the event's name in the view.
func (e ReasoningEvent) ViewName() string { return fmt.Sprintf("e%d", e.Nth) }

// Target is the step's name in the view.
func (r *Reasoning) Target(i int) string { return fmt.Sprintf("t%d", i+1) }

// Sign says how the citation came out.
func (q Quote) Sign() sign {
	switch q.Holds {
	case "holds":
		return sign{"✓", "the bytes are those that the claim states"}
	case "fails":
		return sign{"✕", "the bytes are not those that the claim states"}
	}
	return sign{"?", "not compared"}
}

// Shown is the beginning of the file.
func (e *ReasoningEvidence) Shown() excerpt { return Quote{Cited: e.Begin.toRune()}.plain() }

// Sign is the sign of the event's kind.
func (e ReasoningEvent) Sign() string { return eventSigns[e.Kind] }

// ViewName is the line's name in the view.
func (l ReasoningLine) ViewName() string { return fmt.Sprintf("l%d", l.Line) }

// LaneName is the lane that a step stands in.
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

// Lanes is the picture of the steps.
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

// laneChart is drawn in a box of axisWidth units.
type laneChart struct {
	total  int64
	Lanes  []chartLane
	Bars   []chartBar
	Left   int // steps that are not drawn
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

// TextX and TextY are where its label begins.
func (b chartBar) TextX() int { return b.X + 5 }

// TextY is one of the two.
func (b chartBar) TextY() int { return b.Y + 14 }

type chartTick struct {
	sign
	X, Y   int
	Class  string
	Target string
}

// The geometry of lanes.
const (
	laneLeft  = 130 // where the time of the trace begins
	laneRow   = 42
	laneGap   = 4
	laneRows  = 4 // steps of a lane that run at once and are drawn under each other
	laneBars  = 1_500
	labelFrom = 60 // the narrowest bar with a label
	tickFrom  = 12 // the narrowest place of an event with a sign of its own
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

// bar is that of a step.
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

// tick is the sign of an event.
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

// Words are the step in a sentence.
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

// Claims says how many claims there are and what became of what they cite.
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

// Where says in which step a line stands; "" for none.
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
