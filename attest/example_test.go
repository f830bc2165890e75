package attest_test

import (
	"context"
	"fmt"

	"github.com/cupel-dev/cupel/attest"
)

func ExampleEngine_EvaluateBatch() {
	engine := attest.NewEngine(attest.Options{})
	_, err := engine.EvaluateBatch(context.Background(), []byte(`{
		"trace": {"schema_version": 1, "trace_id": "", "output": {"message": "Refund done."}},
		"assertions": []}`))
	fmt.Println(err.Code, err.Message)
	// Output: 1001 trace missing required field: trace_id
}

func ExampleEngine_EvaluateSuite() {
	engine := attest.NewEngine(attest.Options{})
	suite, faults := engine.ParseSuite("suite.yaml", []byte(`
- assertion_id: a1
  type: content
  spec: {target: output.message, check: contains, value: refund}
`))
	if len(faults) > 0 {
		fmt.Println(faults[0].Message)
		return
	}
	trace := []byte(`{"schema_version": 1, "trace_id": "t", "output": {"message": "Refund done."}}`)
	results, err := engine.EvaluateSuite(context.Background(), attest.TraceText{Raw: trace}, suite)
	if err != nil {
		fmt.Println(err.Message)
		return
	}
	for _, r := range results {
		fmt.Printf("%s:%d: %s %s\n", r.Place.File, r.Place.Line, r.Status, r.Explanation)
	}
	// Output: suite.yaml:2: pass output.message contains 'refund'.
}
