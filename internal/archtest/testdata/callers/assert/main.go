// Evaluate assertions on a trace that is built in Go, and print the results as the protocol writes them.
//
// Usage: assert
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"

	"github.com/cupel-dev/cupel/attest"
)

func main() {
	engine := attest.NewEngine(attest.Options{})
	trace := attest.Trace{
		SchemaVersion: attest.SchemaVersion, TraceID: "t1",
		Output: map[string]any{"message": "your refund is on its way"},
	}
	results, err := engine.Evaluate(context.Background(), trace, []attest.Assertion{
		{AssertionID: "refund", Type: attest.TypeContent, Spec: map[string]any{"target": "output.message", "check": "contains", "value": "refund"}},
		{AssertionID: "moon", Type: attest.TypeContent, Spec: map[string]any{"target": "output.message", "check": "contains", "value": "moon"}},
	})
	var refused *attest.Error
	if errors.As(err, &refused) {
		fmt.Fprintln(os.Stderr, "refused:", refused.Code, refused)
		os.Exit(2)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "no answer:", err)
		os.Exit(2)
	}
	for _, r := range results {
		text, err := json.Marshal(r)
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(2)
		}
		fmt.Println(string(text))
	}
	if !(attest.Suite{}).Holds(results) {
		os.Exit(1)
	}
}
