package page

// Matrix is a table of results: rows are cases, columns are subjects. Cells link to details.
type Matrix struct {
	Columns []MatrixHead
	Rows    []MatrixRow
	Total   MatrixSum // over all cells, including hidden ones
	Costs   bool      // at least one cell has a cost

	Failed []MatrixDetail // details of failed cells
	Passed []MatrixDetail // details of other cells

	MoreRows, MoreColumns  int // not shown
	MoreFailed, MorePassed int // cells without details
}

// MatrixHead is the heading of a row or column.
type MatrixHead struct {
	Name  string
	Place string // its location, or ""
	Sum   MatrixSum
}

// MatrixSum sums up the cells of a row or column.
type MatrixSum struct {
	Mark      Mark // most severe mark
	Good, All int
	Cost      string
}

// MatrixRow is a row with a cell for each column.
type MatrixRow struct {
	MatrixHead
	Cells []MatrixCell
}

// MatrixCell is the result of a case on a subject.
type MatrixCell struct {
	Mark   Mark
	Word   string // "pass"; "" if not run
	Score  string // unless implied by the word
	Detail int    // number of its detail, or 0
	Change string // since an earlier run: "worse", "better", "lower", "higher", "new" or ""
	Was    string // earlier result
}

// Sign returns the icon of the change.
func (c MatrixCell) Sign() string {
	return map[string]string{"worse": "▼", "better": "▲", "lower": "↓", "higher": "↑", "new": "+"}[c.Change]
}

// MatrixDetail is the explanation of a cell.
type MatrixDetail struct {
	Number          int // from 1, over all details
	Row, Column     string
	Cell            MatrixCell
	Says            string
	At              string // path in the subject
	Step            string // the step at the path, in words
	StepText        string // its source text
	Expected, Found string
	Advice          string
	Score, Cost     string
	Duration        string
}

func (*Matrix) Kind() string { return "matrix" }

// manyColumns is the largest number of columns with horizontal headings.
const manyColumns = 6

// Narrow reports whether column headings are vertical.
func (m *Matrix) Narrow() bool { return len(m.Columns) > manyColumns }

// Details returns the number of details.
func (m *Matrix) Details() int { return len(m.Failed) + len(m.Passed) }
