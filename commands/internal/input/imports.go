package input

import (
	"github.com/cupel-dev/cupel/attest/importer"
	"github.com/cupel-dev/cupel/commands/internal/cmdline"
)

// importMeans describes the values of --from.
var importMeans = map[string]string{
	"auto":      "detect it for each input",
	"attest":    "traces of the attest protocol",
	"openai":    "conversations with OpenAI's APIs",
	"anthropic": "conversations with Anthropic's API",
	"otel":      "spans of OpenTelemetry",
	"langchain": "runs of LangChain and LangSmith",

	"jaeger":        "spans from Jaeger",
	"zipkin":        "spans from Zipkin",
	"phoenix":       "spans from Phoenix and of OpenTelemetry's console exporter",
	"openai-agents": "traces of the OpenAI Agents SDK",
	"langfuse":      "traces and spans of Langfuse",
	"openinference": "spans of OpenInference, in any container",
	"traceloop":     "spans of Traceloop, in any container",
	"vercel":        "messages, results and spans of the AI SDK",
	"adk":           "events of Google's Agent Development Kit",
	"autogen":       "messages of AutoGen",
	"bedrock":       "conversations with Bedrock's Converse API",
	"gemini-api":    "conversations with the Gemini API",
	"ollama":        "conversations with Ollama",

	"claude-code": "transcripts of Claude Code and the Claude Agent SDK",
	"codex":       "rollouts of Codex",
	"gemini":      "sessions of Gemini CLI",
	"opencode":    "exports of OpenCode",
	"copilot":     "events of GitHub Copilot CLI",
	"atif":        "trajectories of Harbor (ATIF)",
	"inspect":     "logs of Inspect, as JSON",
}

// ImportFormats are the values of --from.
func ImportFormats() []string {
	names := make([]string, 0, len(importer.Formats()))
	for _, f := range importer.Formats() {
		names = append(names, string(f))
	}
	return names
}

// ImportWords are the values of --from with their meanings.
func ImportWords() []cmdline.Word { return cmdline.WordsOf(ImportFormats(), importMeans) }
