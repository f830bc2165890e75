package page

import (
	"cmp"
	"slices"
	"time"
)

// axis is a time axis with bars on it and marks below, axisWidth units wide.
type axis struct {
	from, to time.Time

	Bars   []axisBar
	Marks  []axisMark
	Ticks  []axisTick
	Left   int // bars and marks not shown
	Height int
}

type axisBar struct {
	X, W         int
	Class, Title string
	Target       string // element name in the view
}

type axisMark struct {
	sign
	X, Y   int
	Class  string
	Title  string
	Target string
	Bare   bool // no room for its word
	Before bool // the word is to the left
}

// TextX is the start or end of the mark's word.
func (m axisMark) TextX() int {
	if m.Before {
		return m.X - axisIcon
	}
	return m.X + axisIcon
}

type axisTick struct {
	X      int
	Label  string
	Anchor string // text anchor: "start", "middle", "end"
}

const (
	axisWidth  = 1_000
	axisMargin = 20
	axisMost   = 1_000 // maximum number of bars
	axisMarked = 200   // maximum number of marks
	axisRows   = 6     // maximum rows of marks
	axisTop    = 74    // position of the first row
	axisRow    = 20    // row height
	axisIcon   = 10    // half the width of an icon
	axisLetter = 8     // approximate width of a letter
	axisTicks  = 5
)

// reach extends the axis to t.
func (a *axis) reach(t time.Time) {
	if t.IsZero() {
		return
	}
	if a.from.IsZero() || t.Before(a.from) {
		a.from = t
	}
	if a.to.IsZero() || t.After(a.to) {
		a.to = t
	}
}

// x returns the position of a time.
func (a *axis) x(t time.Time) int {
	whole, part := a.to.Sub(a.from).Seconds(), t.Sub(a.from).Seconds()
	return axisMargin + int(part/whole*(axisWidth-2*axisMargin))
}

// bar adds a bar between two times in either order.
func (a *axis) bar(from, to time.Time, class, title, target string) {
	if len(a.Bars) == axisMost {
		a.Left++
		return
	}
	x, end := a.x(from), a.x(to)
	if end < x {
		x, end = end, x
	}
	a.Bars = append(a.Bars, axisBar{x, max(end-x, 4), class, title, target})
}

func (a *axis) mark(t time.Time, s sign, class, target string) {
	switch {
	case t.Before(a.from), t.After(a.to):
	case len(a.Marks) == axisMarked:
		a.Left++
	default:
		a.Marks = append(a.Marks, axisMark{sign: s, X: a.x(t), Class: class, Title: clock(t), Target: target})
	}
}

// finish places the marks without overlap, if possible, and labels the axis.
func (a *axis) finish() {
	slices.SortStableFunc(a.Marks, func(m, n axisMark) int { return cmp.Compare(m.X, n.X) })
	var used [axisRows]int
	rows := 0
	for i := range a.Marks {
		m := &a.Marks[i]
		width := axisLetter * len([]rune(m.Word))
		m.Before = m.X+axisIcon+width > axisWidth
		from, to := m.X-axisIcon, m.X+axisIcon+width
		if m.Before {
			from, to = m.X-axisIcon-width, m.X+axisIcon
		}
		row := slices.IndexFunc(used[:], func(end int) bool { return end <= from })
		if row < 0 {
			row, m.Bare, to = axisRows-1, true, used[axisRows-1]
		}
		used[row], m.Y = max(used[row], to), axisTop+row*axisRow
		rows = max(rows, row+1)
	}
	a.Height = axisTop + rows*axisRow
	a.number()
}

// number labels the axis with times.
func (a *axis) number() {
	whole := a.to.Sub(a.from)
	form := "15:04:05"
	switch {
	case whole < 10*time.Second:
		form = "15:04:05.000"
	case whole > 48*time.Hour:
		form = "2006-01-02"
	}
	for i := range axisTicks {
		t := axisTick{Anchor: "middle"}
		at := a.from.Add(whole / (axisTicks - 1) * time.Duration(i)).UTC()
		if i == axisTicks-1 {
			at, t.Anchor = a.to.UTC(), "end"
		}
		t.X, t.Label = a.x(at), at.Format(form)
		if i == 0 {
			t.Anchor, t.Label = "start", at.Format("2006-01-02 "+form)
			if form == "2006-01-02" {
				t.Label = at.Format(form)
			}
		}
		a.Ticks = append(a.Ticks, t)
	}
}
