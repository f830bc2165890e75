package report

import (
	"strings"

	"github.com/cupel-dev/cupel/internal/say"
)

type Column struct {
	Name  string
	Right bool // right-aligned, for numbers
	Cut   bool // can be truncated to the terminal width
}

// table formats rows in columns. The first rows determine the widths; later rows are written at once, so that
// tables can be endless. Columns that can be shortened are, to fit the terminal.
type table struct {
	columns []Column
	width   int // terminal width; 0: unknown, do not truncate
	held    []row
	widths  []int // nil until measured
}

type row struct {
	cells  []string
	weight Weight
}

const (
	measuredRows = 200 // rows used to measure the columns
	columnGap    = "  "
	narrowColumn = 8   // smallest width of a truncated column
	cellBytes    = 400 // stored bytes per cell while measuring
)

func (t *table) add(cells []string, weight Weight, write func(string, Weight)) {
	shown := make([]string, len(cells))
	for i, cell := range cells {
		shown[i] = say.Visible(say.Preview(cell, cellBytes))
	}
	if t.widths != nil {
		write(t.line(shown), weight)
		return
	}
	if t.held = append(t.held, row{shown, weight}); len(t.held) == measuredRows {
		t.begin(write)
	}
}

// end ends the table. The next row starts another.
func (t *table) end(write func(string, Weight)) {
	if len(t.held) > 0 {
		t.begin(write)
	}
	t.widths = nil
}

func (t *table) begin(write func(string, Weight)) {
	names := make([]string, len(t.columns))
	t.widths = make([]int, len(t.columns))
	for i, c := range t.columns {
		names[i], t.widths[i] = c.Name, Columns(c.Name)
		for _, r := range t.held {
			t.widths[i] = max(t.widths[i], Columns(r.cells[i]))
		}
	}
	t.narrow()
	write(t.line(names), Plain)
	for _, r := range t.held {
		write(t.line(r.cells), r.weight)
	}
	t.held = nil
}

// narrow shrinks the widest shortenable columns until the lines fit.
func (t *table) narrow() {
	if t.width <= 0 {
		return
	}
	over := -t.width + len(columnGap)*(len(t.widths)-1)
	for _, w := range t.widths {
		over += w
	}
	for ; over > 0; over-- {
		widest := -1
		for i, c := range t.columns {
			if c.Cut && t.widths[i] > narrowColumn && (widest < 0 || t.widths[i] > t.widths[widest]) {
				widest = i
			}
		}
		if widest < 0 {
			return
		}
		t.widths[widest]--
	}
}

func (t *table) line(cells []string) string {
	var b strings.Builder
	for i, cell := range cells {
		if i > 0 {
			b.WriteString(columnGap)
		}
		if t.width > 0 && t.columns[i].Cut {
			cell = Fit(cell, t.widths[i])
		}
		pad := strings.Repeat(" ", max(0, t.widths[i]-Columns(cell)))
		if t.columns[i].Right {
			b.WriteString(pad + cell)
		} else {
			b.WriteString(cell + pad)
		}
	}
	return strings.TrimRight(b.String(), " ")
}
