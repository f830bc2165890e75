package trace_test

import (
	"context"
	"fmt"
	"strings"
	"testing/fstest"

	"github.com/cupel-dev/cupel/trace"
)

// Verify a stream and react to what is found in it.
func ExampleVerify() {
	log := strings.NewReader(`{"trace_schema_version":1}
{"idx":0,"kind":"step_started","step_id":"s1"}
{"idx":0,"kind":"step_finished","step_id":"s1","output":{"type":"gather"}}` + "\n")
	report, err := trace.Verify(context.Background(), log, trace.Options{Name: "run/trace.jsonl"})
	if err != nil {
		panic(err) // no answer could be given
	}
	for _, f := range report.Findings {
		if f.Severity == trace.SeverityError {
			fmt.Printf("%s:%d: %s [%s]\n", f.File, f.Line, f.Message, f.Rule)
		}
	}
	// Output:
	// run/trace.jsonl:3: idx 0 does not increase [order.idx_not_increasing]
}

// Verify a run that is not on disk: the trace, its plan and its evidence.
func ExampleVerifyRun() {
	folder := fstest.MapFS{
		"trace.jsonl": {Data: []byte(`{"trace_schema_version":1}
{"idx":0,"kind":"step_started","step_id":"s2"}
{"idx":1,"kind":"step_finished","step_id":"s2","output":{"type":"gather"}}
`)},
		"plan.json": {Data: []byte(`{"id":"p1","nodes":[{"id":"s1"},{"id":"s2","dependencies":["s1"]}]}`)},
	}
	report, err := trace.VerifyRun(context.Background(), folder, trace.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(report.Verdict, report.Findings[0].Message)
	// Output: invalid step "s2" starts before step "s1", which it depends on, has finished
}

// Verify a run folder on disk: the trace, its plan, its manifest and its evidence.
func ExampleVerifyDir() {
	report, err := trace.VerifyDir(context.Background(), "../testdata/examples/trace/incident", trace.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(report.Verdict)
	// Output: valid
}
