package capture_test

import (
	"fmt"
	"strings"

	"github.com/cupel-dev/cupel/oatf"
	"github.com/cupel-dev/cupel/oatf/capture"
)

// A JSON-RPC log: the response is of the method of its request.
func Example() {
	log := `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"read_file","arguments":{"path":"/etc/passwd"}}}
{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"root:x:0:0"}]}}
`
	r := capture.NewReader(strings.NewReader(log), capture.Options{})
	for m, err := r.Next(); err == nil; m, err = r.Next() {
		shows := oatf.MessageKinds("tool_arguments")[0].Covers(m.Kind)
		fmt.Printf("line %d: %s %s, shows tool_arguments: %v\n", m.Line, m.Protocol, m.Kind, shows)
	}
	// Output:
	// line 1: mcp tools/call request, shows tool_arguments: true
	// line 2: mcp tools/call response, shows tool_arguments: false
}
