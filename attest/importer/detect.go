package importer

import (
	"fmt"
	"slices"
	"strings"

	"github.com/cupel-dev/cupel/attest"
	"github.com/cupel-dev/cupel/attest/internal/scan"
	"github.com/cupel-dev/cupel/internal/strictjson"
)

// Format is an input format.
type Format string

// The formats. Auto detects the format from the first value; Attest is the native format.
const (
	Auto         Format = "auto"
	Attest       Format = "attest"
	OpenAI       Format = "openai"
	Anthropic    Format = "anthropic"
	OTel         Format = "otel"
	LangChain    Format = "langchain"
	Jaeger       Format = "jaeger"
	Zipkin       Format = "zipkin"
	Phoenix      Format = "phoenix" // and the console exporter of OpenTelemetry
	Langfuse     Format = "langfuse"
	OpenAIAgents Format = "openai-agents"
	ADK          Format = "adk"
	AutoGen      Format = "autogen"
	Bedrock      Format = "bedrock"
	Gemini       Format = "gemini-api"
	Ollama       Format = "ollama"
	Vercel       Format = "vercel"
)

type format struct {
	name  Format
	needs string // what its values have, for people
	fits  func(root strictjson.Node) bool

	converse func(*conversation, strictjson.Node) error       // of a format whose values are conversations
	gather   func(*spanBuffer, *value, strictjson.Node) error // of a format of spans
}

// formats lists the formats in detection order.
var formats = []format{
	{name: Attest, needs: `"schema_version", or "trace_id" and "output"`, fits: fitsAttest},
	{name: OTel, needs: `"resourceSpans"`, fits: fitsOTel, gather: gatherOTel},
	{name: Jaeger, needs: `"data" with traces that have "spans"`, fits: fitsJaeger, gather: gatherJaeger},
	{name: Zipkin, needs: `a list of spans with "traceId", "id" and "tags"`, fits: fitsZipkin, gather: gatherZipkin},
	{name: Phoenix, needs: `spans with a "context" that has "span_id", as the REST API of Phoenix and the console exporter write them`, fits: fitsContext, gather: gatherContext},
	{name: LangChain, needs: `"run_type" and "id", or a list of runs`, fits: fitsLangChain, gather: gatherLangChain},
	{name: OpenAIAgents, needs: `"object": "trace.span" and "span_data"`, fits: fitsAgents, gather: gatherAgents},
	{name: Langfuse, needs: `a trace with "observations"`, fits: fitsLangfuse, gather: gatherLangfuse},
	{name: ADK, needs: `a list of events with "author" and "content" with "parts"`, fits: fitsADK, converse: readTalk},
	{name: AutoGen, needs: `a list of messages whose "type" is TextMessage and the like`, fits: fitsAutoGen, converse: readTalk},
	{name: Bedrock, needs: `"messages" with blocks such as "toolUse" and "text" without a "type"`, fits: fitsBedrock, converse: readTalk},
	{name: Gemini, needs: `"contents" with "parts", or "candidates"`, fits: fitsGemini, converse: readTalk},
	{name: Ollama, needs: `"messages" with tool calls that have no id`, fits: fitsOllama, converse: readTalk},
	{name: Vercel, needs: `messages with parts such as "tool-call" and "tool-result", or "steps" with "toolCalls"`, fits: fitsVercel, converse: readTalk},
	{name: OpenAI, needs: `"messages" or "input", "choices" or a list "output", or a list of messages, items or requests with their responses`, fits: fitsOpenAI, converse: readOpenAI},
	{name: Anthropic, needs: `"messages" with content blocks, a reply whose "type" is "message", or a list of messages or of requests with their responses`, fits: fitsAnthropic, converse: readAnthropic},
}

// families are names of span dialects. All of them select the same reader, which uses the whole table.
var families = []Format{"openinference", "traceloop", Vercel, Langfuse, OTel}

func formatOf(name Format) (format, bool) {
	i := slices.IndexFunc(formats, func(f format) bool { return f.name == name })
	if i < 0 {
		return format{}, false
	}
	return formats[i], true
}

// Looks returns the name of the foreign format of a text, or "".
func Looks(text []byte) Format {
	doc, err := scan.New(attest.MaxJSONDepth, attest.MaxValues).Scan(text)
	if err != nil {
		return ""
	}
	for _, f := range formats {
		if f.fits(doc.Root()) {
			if f.name == Attest {
				break
			}
			return f.name
		}
	}
	return ""
}

// UnknownError reports an input in none of the known formats.
type UnknownError struct {
	Line  int // of the value, 1-based
	Tried []Attempt
}

// Attempt names a format and what the input lacks for it.
type Attempt struct {
	Format Format
	Needs  string // what its values have
}

func (e *UnknownError) Error() string {
	tried := make([]string, len(e.Tried))
	for i, a := range e.Tried {
		tried[i] = fmt.Sprintf("%s (no %s)", a.Format, a.Needs)
	}
	return "the input does not match any of these formats: " + strings.Join(tried, "; ")
}

func noFormat(line int, tried []format) *UnknownError {
	e := &UnknownError{Line: line}
	for _, f := range tried {
		e.Tried = append(e.Tried, Attempt{f.name, f.needs})
	}
	return e
}

func fitsAttest(root strictjson.Node) bool {
	return root.Last("schema_version").Exists() || root.Last("trace_id").Exists() && root.Last("output").Exists()
}

// readOpenAI reads conversations of both OpenAI APIs.
func readOpenAI(c *conversation, root strictjson.Node) error {
	if usesItems(root) {
		return readResponses(c, root)
	}
	return readChat(c, root)
}

func usesItems(root strictjson.Node) bool {
	for _, x := range exchanges(root, isResponse, isItem) {
		if isResponse(x.reply) || x.request.Last("input").Exists() {
			return true
		}
		for n := range x.request.Children() {
			if x.request.Is(strictjson.Array) && n.Last("type").Is(strictjson.String) {
				return true
			}
		}
	}
	return false
}

func fitsOpenAI(root strictjson.Node) bool {
	if usesItems(root) {
		return fitsItems(root)
	}
	list := exchanges(root, isChatReply, isMessage)
	for _, x := range list {
		t := traitsOf(x.request)
		if !t.shape && x.request.Exists() || t.anthropic || x.reply.Exists() && !isChatReply(x.reply) || !x.request.Exists() && !x.reply.Exists() {
			return false
		}
	}
	return len(list) > 0
}

func fitsItems(root strictjson.Node) bool {
	for _, x := range exchanges(root, isResponse, isItem) {
		request := x.request.Last("input")
		if x.request.Is(strictjson.Array) {
			request = x.request
		}
		known := request.Is(strictjson.String) || allItems(request)
		if x.request.Exists() && !known || x.reply.Exists() && !(isResponse(x.reply) && allItems(x.reply.Last("output"))) {
			return false
		}
	}
	return true
}

// allItems reports whether all elements of a list are items of the Responses API.
func allItems(list strictjson.Node) bool {
	for n := range list.Children() {
		if !isItem(n) {
			return false
		}
	}
	return list.Is(strictjson.Array)
}

func fitsAnthropic(root strictjson.Node) bool {
	list := exchanges(root, isAnthropicReply, isMessage)
	for _, x := range list {
		t := traitsOf(x.request)
		if !t.shape && x.request.Exists() || t.openai || x.reply.Exists() && !isAnthropicReply(x.reply) || !x.request.Exists() && !x.reply.Exists() {
			return false
		}
	}
	return len(list) > 0
}

// traits are features that distinguish two APIs with similar messages.
type traits struct {
	shape             bool // there is a list of messages
	openai, anthropic bool
}

func traitsOf(request strictjson.Node) (t traits) {
	messages := request
	if request.Is(strictjson.Object) {
		messages = request.Last("messages")
		t.anthropic = request.Last("system").Exists()
	}
	t.shape = messages.Is(strictjson.Array) && messages.Len() > 0
	for n := range messages.Children() {
		t.shape = t.shape && isMessage(n)
		role, _ := n.Last("role").Text()
		t.openai = t.openai || slices.Contains([]string{"system", "developer", "tool", "function"}, role) ||
			n.Last("tool_calls").Is(strictjson.Array) || n.Last("function_call").Is(strictjson.Object)
		for part := range n.Last("content").Children() {
			typ, _ := part.Last("type").Text()
			t.openai = t.openai || slices.Contains([]string{"image_url", "input_audio", "file", "refusal"}, typ)
			t.anthropic = t.anthropic || typ != "text" && !slices.Contains([]string{"image_url", "input_audio", "file", "refusal"}, typ)
		}
	}
	return t
}
