package importer_test

import (
	"fmt"
	"strings"

	"github.com/cupel-dev/cupel/attest"
	"github.com/cupel-dev/cupel/attest/importer"
)

func ExampleTraces() {
	input := `[{"role": "user", "content": "Hello"}, {"role": "assistant", "content": "Hi there", "tool_calls": []}]`
	engine := attest.NewEngine(attest.Options{})
	for trace, err := range importer.Traces(engine, strings.NewReader(input), importer.Options{}) {
		if err != nil || trace.Refused != nil {
			fmt.Println(err, trace.Refused)
			return
		}
		fmt.Println(trace.From, engine.ValidateText(trace.TraceText))
		fmt.Println(trace.Origin.Pointer(strings.LastIndex(string(trace.Raw), `"Hi there"`)))
	}
	// Output:
	// openai <nil>
	// /1/content
}
