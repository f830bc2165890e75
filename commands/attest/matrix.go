package attestcmd

import (
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/cupel-dev/cupel/attest"
	"github.com/cupel-dev/cupel/attest/suite"
	"github.com/cupel-dev/cupel/commands/internal/cmdline"
	"github.com/cupel-dev/cupel/internal/page"
	"github.com/cupel-dev/cupel/internal/say"
)

// Limits of a page's table of assertions and traces. The rest is counted.
const (
	matrixSide  = 200     // rows, and columns
	matrixFails = 2_000   // failed results with details
	matrixHolds = 1_000   // results that hold
	matrixRoom  = 8 << 20 // bytes of details
	matrixText  = 1 << 10 // bytes of one text
	matrixStep  = 2 << 10 // bytes of a step
)

// matrix builds that table: a row per assertion of all suites, a column per trace, in order. A nil *matrix does
// nothing.
type matrix struct {
	view    page.Matrix
	several bool  // several suites, named in each row
	starts  []int // first row of each suite
	rows    int   // assertions
	columns int   // traces so far
	number  int   // details so far
	room    int   // bytes that are left for them

	total   sums
	byRow   []sums
	byTrace []sums
}

type sums struct {
	page.MatrixSum
	cost attest.Costs
}

func (s *sums) add(mark page.Mark, cost float64) {
	s.All++
	if mark == page.Good {
		s.Good++
	}
	s.Mark = max(s.Mark, mark)
	s.cost.Add(cost)
}

func (s *sums) sum() page.MatrixSum {
	if s.Cost = ""; s.cost.Total() > 0 {
		s.Cost = dollars(s.cost.Total()) + " USD"
	}
	return s.MatrixSum
}

func newMatrix(list []countedSuite) *matrix {
	m := &matrix{several: len(list) > 1, room: matrixRoom}
	for _, one := range list {
		m.starts = append(m.starts, m.rows)
		m.rows += one.Len()
	}
	shown := min(m.rows, matrixSide)
	m.view.Rows, m.byRow = make([]page.MatrixRow, shown), make([]sums, shown)
	row := 0
	for _, one := range list {
		for _, a := range one.Suite.Assertions {
			if row < shown {
				m.view.Rows[row].Name = m.name(a.AssertionID, one.Path)
			}
			row++
		}
	}
	return m
}

func (m *matrix) column(name string) {
	if m.columns++; m.columns <= matrixSide {
		m.view.Columns = append(m.view.Columns, page.MatrixHead{Name: cmdline.Clipped(name)})
		m.byTrace = append(m.byTrace, sums{})
		for i := range m.view.Rows {
			m.view.Rows[i].Cells = append(m.view.Rows[i].Cells, page.MatrixCell{})
		}
	}
}

// put sets the cell of a row in the last column.
func (m *matrix) put(row int, cell page.MatrixCell, cost float64) {
	m.total.add(cell.Mark, cost)
	if row < len(m.byRow) {
		m.byRow[row].add(cell.Mark, cost)
	}
	if m.columns > matrixSide {
		return
	}
	m.byTrace[m.columns-1].add(cell.Mark, cost)
	if row < len(m.view.Rows) {
		m.view.Rows[row].Cells[m.columns-1] = cell
	}
}

// refuse adds a trace that could not be evaluated, with the reason.
func (m *matrix) refuse(name, why string) {
	if m == nil {
		return
	}
	m.column(name)
	cell := page.MatrixCell{Mark: page.Unanswered, Word: "not evaluated"}
	cell.Detail = m.detail(page.MatrixDetail{Row: "all assertions", Column: name, Cell: cell, Says: why})
	for row := range m.rows {
		m.put(row, cell, 0)
	}
}

// take adds a trace's results in all suites, whether a baseline accepts them, and their changes.
func (m *matrix) take(t namedTrace, list [][]suite.Result, accepted []bool, changes []*change) {
	if m == nil {
		return
	}
	m.column(t.name)
	steps := stepsOf(t)
	number := 0
	for i, results := range list {
		for _, r := range results {
			row := m.starts[i] + r.Index
			cell := matrixCell(r, accepted[number])
			if c := changes[number]; c != nil {
				cell.Change = c.Change
				if c.Was != nil {
					cell.Was = c.Was.String()
				}
			}
			m.head(row, r)
			cell.Detail = m.result(t.name, r, cell, steps)
			m.put(row, cell, r.Cost)
			number++
		}
	}
}

// head sets the place of a row to that of its assertion.
func (m *matrix) head(row int, r suite.Result) {
	if row < len(m.view.Rows) {
		m.view.Rows[row].Place = fmt.Sprintf("%s:%d", cmdline.Clipped(r.Place.File), r.Place.Line)
	}
}

func (m *matrix) name(assertion, suite string) string {
	if m.several {
		return cmdline.Clipped(assertion + " (" + suite + ")")
	}
	return cmdline.Clipped(assertion)
}

func matrixCell(r suite.Result, accepted bool) (cell page.MatrixCell) {
	switch {
	case r.Skipped && r.Status == attest.HardFail:
		return page.MatrixCell{Mark: page.Unanswered, Word: "skipped"}
	case r.Skipped:
		return page.MatrixCell{Mark: page.Plain, Word: "skipped"}
	case r.Status == attest.Pass:
		cell = page.MatrixCell{Mark: page.Good, Word: "pass"}
	case r.Status == attest.SoftFail:
		cell = page.MatrixCell{Mark: page.Caution, Word: "soft"}
	case r.Status == attest.Unanswerable:
		return page.MatrixCell{Mark: page.Unanswered, Word: "unanswerable"}
	case accepted:
		cell = page.MatrixCell{Mark: page.Caution, Word: "hard"}
	default:
		cell = page.MatrixCell{Mark: page.Bad, Word: "hard"}
	}
	if accepted {
		cell.Word += ", accepted"
	}
	if r.Score != 0 && r.Score != 1 {
		cell.Score = decimals(r.Score)
	}
	return cell
}

// decimals formats a score with few digits.
func decimals(score float64) string {
	return strconv.FormatFloat(math.Round(score*1000)/1000, 'f', -1, 64)
}

func (m *matrix) result(trace string, r suite.Result, cell page.MatrixCell, steps []json.RawMessage) int {
	d := page.MatrixDetail{
		Row: m.name(r.AssertionID, r.Place.File), Column: trace, Cell: cell, Says: r.Explanation, At: r.Pointer,
		Expected: r.Expected, Found: r.Actual, Advice: r.SuggestedAction,
		Score: decimals(r.Score), Duration: fmt.Sprintf("%d ms", r.DurationMS),
	}
	if r.Cost > 0 {
		d.Cost = dollars(r.Cost) + " USD"
	}
	if cell.Mark != page.Good {
		d.Step, d.StepText = stepAt(steps, r.Pointer)
	}
	return m.detail(d)
}

// detail stores a cell's detail and returns its number, or 0 beyond the limit.
func (m *matrix) detail(d page.MatrixDetail) int {
	list, more, most := &m.view.Failed, &m.view.MoreFailed, matrixFails
	if d.Cell.Mark == page.Good {
		list, more, most = &m.view.Passed, &m.view.MorePassed, matrixHolds
	}
	size := 0
	for _, text := range []*string{&d.Row, &d.Column, &d.Says, &d.At, &d.Step, &d.Expected, &d.Found, &d.Advice} {
		*text = strings.Clone(say.Preview(*text, matrixText))
		size += len(*text)
	}
	if size += len(d.StepText); m.columns > matrixSide || len(*list) >= most || size > m.room {
		*more++
		return 0
	}
	m.room -= size
	m.number++
	d.Number = m.number
	*list = append(*list, d)
	return d.Number
}

func (m *matrix) page() (page.View, error) {
	m.view.Total = m.total.sum()
	for i := range m.view.Rows {
		m.view.Rows[i].Sum = m.byRow[i].sum()
	}
	for i := range m.view.Columns {
		m.view.Columns[i].Sum = m.byTrace[i].sum()
	}
	m.view.MoreRows, m.view.MoreColumns = m.rows-len(m.view.Rows), m.columns-len(m.view.Columns)
	return &m.view, nil
}

// stepsOf returns a trace's steps as written, or nil for a converted trace, whose pointers refer to the source.
func stepsOf(t namedTrace) []json.RawMessage {
	var trace struct{ Steps []json.RawMessage }
	if t.Origin != nil || json.Unmarshal(t.Raw, &trace) != nil {
		return nil
	}
	return trace.Steps
}

func stepAt(steps []json.RawMessage, pointer string) (name, text string) {
	rest, inStep := strings.CutPrefix(pointer, "/steps/")
	number, _, _ := strings.Cut(rest, "/")
	at, err := strconv.Atoi(number)
	if !inStep || err != nil || at < 0 || at >= len(steps) {
		return "", ""
	}
	var step struct{ Type, Name string }
	_ = json.Unmarshal(steps[at], &step) // the engine has accepted the trace
	name = strings.TrimSpace(fmt.Sprintf("step %d: %s %s", at+1, step.Type, step.Name))
	return name, strings.Clone(say.Preview(string(steps[at]), matrixStep))
}

// dollars formats an amount with all its digits.
func dollars(usd float64) string { return strconv.FormatFloat(usd, 'f', -1, 64) }
