package migrate_test

import (
	"fmt"

	"github.com/cupel-dev/cupel/finding"
	"github.com/cupel-dev/cupel/oatf"
	"github.com/cupel-dev/cupel/oatf/migrate"
)

// A document of the earlier revision becomes one of the later revision. Its comment stays.
func ExampleOptions_Migrate() {
	text := []byte(`oatf: "0.1"
attack:
  execution: {mode: mcp_server, state: {}}
  indicators:
    - surface: tool_arguments # by the agent
      pattern: {target: arguments.path, contains: id_rsa}
`)
	result, err := migrate.Options{To: oatf.V202603}.Migrate(text)
	if err != nil {
		fmt.Println(err)
		return
	}
	later, err := finding.Apply(text, result.Edits)
	fmt.Printf("%s%v %v\n", later, result.Lossy(), err)
	// Output:
	// oatf: "0.1"
	// attack:
	//   execution: {mode: mcp_server, state: {}}
	//   indicators:
	//     - surface: tools/call # by the agent
	//       target: arguments.path
	//       direction: request
	//       pattern: {contains: id_rsa}
	// false <nil>
}
