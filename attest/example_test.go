package attest_test

import (
	"context"
	"errors"
	"fmt"

	"github.com/cupel-dev/cupel/attest"
)

// Evaluate a suite on a trace.
func ExampleEngine_Evaluate() {
	engine := attest.NewEngine(attest.Options{})
	suite := attest.Suite{MaxSoft: new(0), Assertions: []attest.Assertion{{
		AssertionID: "refund", Type: attest.TypeContent,
		Spec: map[string]any{"target": "output.message", "check": "contains", "value": "refund"},
	}}}
	trace := attest.Trace{SchemaVersion: attest.SchemaVersion, TraceID: "t", Output: map[string]any{"message": "Refund done."}}
	results, err := engine.Evaluate(context.Background(), trace, suite.Assertions)
	if err != nil {
		fmt.Println("not evaluated:", err)
		return
	}
	fmt.Println(suite.Holds(results), results[0].Status, results[0].Explanation)
	// Output: true pass output.message contains 'refund'.
}

// Find the protocol's error in an error.
func ExampleError() {
	engine := attest.NewEngine(attest.Options{})
	err := engine.ValidateTrace([]byte(`{"schema_version": 1, "trace_id": "", "output": {"message": "Refund done."}}`))
	if refused, ok := errors.AsType[*attest.Error](err); ok {
		fmt.Println(refused.Code, refused.Message)
	}
	// Output: 1001 trace missing required field: trace_id
}

// Answer a request of the protocol.
func ExampleEngine_EvaluateBatch() {
	engine := attest.NewEngine(attest.Options{})
	answer, err := engine.EvaluateBatch(context.Background(), []byte(`{
		"trace": {"schema_version": 1, "trace_id": "t", "output": {"message": "Refund done."}},
		"assertions": []}`))
	fmt.Println(string(answer), err)
	// Output: {"results":[],"total_cost":0.0,"total_duration_ms":0} <nil>
}
