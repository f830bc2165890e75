package page

// Matrix is what came out where each of some cases, a row, met each of some subjects, a column.
// A cell leads to what there is to say about it.
type Matrix struct {
	Columns []MatrixHead
	Rows    []MatrixRow
	Total   MatrixSum // of all cells, also of those that are not shown
	Costs   bool      // something has cost something

	Failed []MatrixDetail // of the cells that are not good
	Passed []MatrixDetail // of the others

	MoreRows, MoreColumns  int // that are not shown
	MoreFailed, MorePassed int // cells about which nothing more is said
}

// MatrixHead is what a row or a column is about.
type MatrixHead struct {
	Name  string
	Place string // where that stands; "" for nowhere
	Sum   MatrixSum
}

// MatrixSum is how the cells of a row or a column came out.
type MatrixSum struct {
	Mark      Mark // the most serious one
	Good, All int
	Cost      string
}

// MatrixRow is a row with a cell for each column.
type MatrixRow struct {
	MatrixHead
	Cells []MatrixCell
}

// MatrixCell is how one case came out at one subject.
type MatrixCell struct {
	Mark   Mark
	Word   string // "pass"; "" for what was not tried
	Score  string // where the word does not say it
	Detail int    // the number of its detail; 0: there is none
	Change string // since an earlier run: "worse", "better", "lower", "higher", "new"; "" for none
	Was    string // how it came out then
}

// Sign is the icon of the change.
func (c MatrixCell) Sign() string {
	return map[string]string{"worse": "▼", "better": "▲", "lower": "↓", "higher": "↑", "new": "+"}[c.Change]
}

// MatrixDetail is what there is to say about a cell.
type MatrixDetail struct {
	Number          int // of all details, from 1
	Row, Column     string
	Cell            MatrixCell
	Says            string
	At              string // where in the subject, as a path
	Step            string // what stands there, in words
	StepText        string // … and as it stands
	Expected, Found string
	Advice          string
	Score, Cost     string
	Duration        string
}

// Kind implements [View].
func (*Matrix) Kind() string { return "matrix" }

// manyColumns is how many columns have their names written level.
const manyColumns = 6

// Narrow reports whether the names of the columns stand upright, for there are many.
func (m *Matrix) Narrow() bool { return len(m.Columns) > manyColumns }

// Details are all of them, those of failures first.
func (m *Matrix) Details() int { return len(m.Failed) + len(m.Passed) }
