package suite_test

import (
	"context"
	"fmt"

	"github.com/cupel-dev/cupel/attest"
	"github.com/cupel-dev/cupel/attest/suite"
)

func ExampleParse() {
	file, faults := suite.Parse(attest.NewEngine(attest.Options{}), "suite.yaml", []byte(`
- assertion_id: a1
  type: content
  spec: {target: output.message, check: contains, value: refund}
`), nil)
	trace := []byte(`{"schema_version": 1, "trace_id": "t", "output": {"message": "Refund done."}}`)
	results, err := file.Evaluate(context.Background(), "", attest.TraceText{Raw: trace})
	if len(faults) > 0 || err != nil {
		fmt.Println(faults, err)
		return
	}
	fmt.Printf("%s:%d: %s %s\n", results[0].Place.File, results[0].Place.Line, results[0].Status, results[0].Explanation)
	// Output: suite.yaml:2: pass output.message contains 'refund'.
}
