package lint_test

import (
	"fmt"

	"github.com/cupel-dev/cupel/oatf"
	"github.com/cupel-dev/cupel/oatf/lint"
)

// Find mistakes that the conformance rules allow.
func ExampleDocument() {
	doc, err := oatf.Parse([]byte(`oatf: "0.1"
attack:
  execution: {mode: mcp_server, state: {tools: []}}
  indicators:
    - surface: tool_arguments
      pattern: {target: arguments.count, condition: {gt: 9, lt: 1}}
`))
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, f := range lint.Document(doc) {
		fmt.Printf("%d:%d %s: %s\n", f.Line, f.Column, f.Rule, f.Message)
	}
	// Output: 6:42 L-104: the condition never holds: no number is between the bounds
}
