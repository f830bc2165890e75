package capture

// Format is the format of an input.
type Format string

// The formats that can be requested. The first three have a value per line. Auto detects all formats.
const (
	Auto    Format = ""        // messages are found wherever they are
	Plain   Format = "plain"   // each line is a message's payload
	JSONRPC Format = "jsonrpc" // each line is a JSON-RPC 2.0 message or a batch
	Runner  Format = "runner"  // each line is a runner's record of a message
)

// Other formats that Auto detects.
const (
	Log           Format = "log"            // JSON-RPC messages in records or text lines of a log
	HAR           Format = "har"            // HTTP archive
	HTTPLog       Format = "http-log"       // records of a request and its response
	SSE           Format = "sse"            // a transcript of server-sent events
	AGUI          Format = "ag-ui"          // events of AG-UI
	OpenAI        Format = "openai"         // a conversation or a stream of OpenAI's interfaces
	Anthropic     Format = "anthropic"      // a conversation or a stream of Anthropic's interface
	ClaudeCode    Format = "claude-code"    // a transcript of Claude Code
	Codex         Format = "codex"          // a transcript of Codex
	OpenTelemetry Format = "otlp"           // spans with the attributes of MCP calls
	Other         Format = "not-recognized" // no message was found
)

// runnerMembers identify a line of a runner's log.
var runnerMembers = []string{"direction", "method", "content"}
