package attestcmd

import (
	"fmt"
	"strings"
	"testing"

	"github.com/cupel-dev/cupel/attest"
	"github.com/cupel-dev/cupel/attest/importer"
	"github.com/cupel-dev/cupel/attest/suite"
	"github.com/cupel-dev/cupel/internal/page"
)

// TestMatrixBounds checks the limits on a table's rows, columns and text; its totals are those of all results, and
// omitted ones are counted.
func TestMatrixBounds(t *testing.T) {
	const side = matrixSide + 7
	m := &matrix{rows: side, room: matrixRoom, starts: []int{0}}
	m.view.Rows, m.byRow = make([]page.MatrixRow, matrixSide), make([]sums, matrixSide)
	list, accepted := make([]suite.Result, side), make([]bool, side)
	for i := range list {
		list[i].Index = i
		list[i].AssertionID, list[i].Status, list[i].Explanation = fmt.Sprint("a", i), attest.HardFail, strings.Repeat("x", 10*matrixText)
		if i%2 == 0 {
			list[i].Status = attest.Pass
		}
	}
	for i := range side {
		m.take(namedTrace{Trace: importer.Trace{TraceText: attest.TraceText{Raw: []byte(`{}`)}}, name: fmt.Sprint("t", i)}, [][]suite.Result{list}, accepted, make([]*change, side))
	}
	shown, err := m.page()
	if err != nil {
		t.Fatal(err)
	}
	v := shown.(*page.Matrix)
	if len(v.Rows) != matrixSide || len(v.Columns) != matrixSide || v.MoreRows != 7 || v.MoreColumns != 7 {
		t.Errorf("%d rows and %d columns, %d and %d more", len(v.Rows), len(v.Columns), v.MoreRows, v.MoreColumns)
	}
	if good := (side + 1) / 2; v.Total.All != side*side || v.Total.Good != good*side || v.Columns[0].Sum.Good != good || v.Rows[0].Sum.Good != side {
		t.Errorf("%+v, %+v, %+v", v.Total, v.Columns[0].Sum, v.Rows[0].Sum)
	}
	if all := len(v.Failed) + v.MoreFailed + len(v.Passed) + v.MorePassed; all != side*side || m.room < 0 || v.MoreFailed == 0 {
		t.Errorf("%d results are shown or counted, of %d; %d bytes of room are left", all, side*side, m.room)
	}
}

// TestStepAt checks that a pointer into a trace leads to its step, or to nothing outside of steps.
func TestStepAt(t *testing.T) {
	steps := stepsOf(namedTrace{Trace: importer.Trace{TraceText: attest.TraceText{Raw: []byte(`{"steps":[{"type":"tool_call","name":"a"},{"type":"llm_call","name":"b"}]}`)}}})
	for pointer, want := range map[string]string{
		"/steps/0/args/x": "step 1: tool_call a", "/steps/1": "step 2: llm_call b",
		"/steps/2": "", "/steps/-1": "", "/steps": "", "/steps/": "", "": "", "/output/steps/0": "", "/steps/99999999999999999999": "",
	} {
		if name, text := stepAt(steps, pointer); name != want || (text == "") != (want == "") {
			t.Errorf("%q: %q %q, expected %q", pointer, name, text, want)
		}
	}
}
