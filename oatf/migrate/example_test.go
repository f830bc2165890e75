package migrate_test

import (
	"fmt"

	"github.com/cupel-dev/cupel/finding"
	"github.com/cupel-dev/cupel/oatf"
	"github.com/cupel-dev/cupel/oatf/migrate"
)

// A document of the later revision goes to the earlier one: what that cannot say is kept.
func ExampleOptions_Migrate() {
	text := []byte(`oatf: "0.1"
attack:
  execution: {mode: mcp_server, state: {}}
  indicators:
    - surface: tools/call # by the agent
      direction: request
      target: arguments.path
      tier: ingested
      pattern: {contains: id_rsa}
`)
	result, err := migrate.Options{To: oatf.SDK01}.Migrate(text)
	if err != nil {
		fmt.Println(err)
		return
	}
	earlier, err := finding.Apply(text, result.Edits)
	fmt.Printf("%s%v %v\n", earlier, result.Lossy(), err)
	// Output:
	// oatf: "0.1"
	// attack:
	//   execution: {mode: mcp_server, state: {}}
	//   indicators:
	//     - surface: tool_arguments # by the agent
	//       x-cupel-tier: ingested
	//       pattern: {target: arguments.path, contains: id_rsa}
	// true <nil>
}
