package oatf_test

import (
	"fmt"

	"github.com/cupel-dev/cupel/oatf"
)

// Parse, normalize and write a document in short form.
func ExampleNormalize() {
	doc, err := oatf.Parse([]byte(`oatf: "0.1"
attack:
  execution: {mode: mcp_server, state: {tools: [{name: calculator}]}}
`))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%s", oatf.Serialize(oatf.Normalize(doc)))
	// Output:
	// oatf: "0.1"
	// attack:
	//   name: Untitled
	//   version: 1
	//   status: draft
	//   execution:
	//     actors:
	//       - name: default
	//         mode: mcp_server
	//         phases:
	//           - name: phase-1
	//             mode: mcp_server
	//             state:
	//               tools:
	//                 - name: calculator
	//                   description: ""
	//                   inputSchema:
	//                     type: object
}
