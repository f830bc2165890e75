package capture

import "github.com/cupel-dev/cupel/internal/strictjson"

// Format is how the lines of an input hold messages.
type Format string

// The formats.
const (
	Auto    Format = ""        // told from the first line of an input that is JSON
	Plain   Format = "plain"   // each line is a message's payload
	JSONRPC Format = "jsonrpc" // each line is a JSON-RPC 2.0 message or a batch
	Runner  Format = "runner"  // each line is what a runner recorded of a message
)

// runnerMembers are the members by which a runner's line is known.
var runnerMembers = []string{"direction", "method", "content"}

// formatOf tells the format of an input from its first line: a member "jsonrpc", also in
// an element of a list, is that of an envelope, and nothing else has all of the
// runnerMembers.
func formatOf(n strictjson.Node) Format {
	switch {
	case n.Get("jsonrpc").Exists():
		return JSONRPC
	case n.Is(strictjson.Array):
		for element := range n.Children() {
			if element.Get("jsonrpc").Exists() {
				return JSONRPC
			}
		}
		return Plain
	}
	for _, name := range runnerMembers {
		if !n.Get(name).Exists() {
			return Plain
		}
	}
	return Runner
}
