package importer

import (
	"cmp"
	"strings"
)

// dialect is a family of attribute names for agent spans. Each span is read with all dialects in order, because
// spans often mix them.
type dialect struct {
	name  string
	kinds map[string]map[string]kind // attribute → value → kind of span

	// Attributes that imply a kind if the kind attribute is missing.
	marks map[string]kind

	namespaces []string // prefixes of attributes that only spans of this dialect have
	context    []string // … except for these, which writers put on any span

	toolName, callID, args, result []string
	input, output                  []string // messages; a final dot means numbered attributes
	agent                          []string
	model, responseID, finish      []string
	tokensIn, tokensOut, tokensAll []string
	usage                          []string // an object with the counts
	cost                           []string
	failure                        []string
}

// dialects is the table of dialects. docs/attest-import.md shows it to users.
var dialects = []dialect{
	{
		name: "gen_ai", // the conventions of OpenTelemetry, old and new, and what follows them
		kinds: map[string]map[string]kind{"gen_ai.operation.name": {
			"chat": answering, "text_completion": answering, "generate_content": answering, "generate_text": answering,
			"embeddings": embedding, "execute_tool": calling, "retrieval": fetching, "invoke_agent": agent,
			"create_agent": setup, "invoke_workflow": wrapper, "execute_event_loop_cycle": wrapper, "agent_step": wrapper,
			"execute_task": wrapper, "handoff": wrapper, "plan": wrapper, "search_memory": wrapper, "create_memory": wrapper, "update_memory": wrapper, "delete_memory": wrapper,
		}},
		marks: map[string]kind{
			"gen_ai.tool.call.id": calling, "gen_ai.tool.call.arguments": calling, "gen_ai.tool.call.result": calling, "gen_ai.tool.name": calling,
			"gen_ai.response.id": answering, "gen_ai.output.messages": answering, "gen_ai.response.finish_reasons": answering,
			"gen_ai.usage.input_tokens": answering, "gen_ai.usage.output_tokens": answering, "gen_ai.response.model": answering,
			"gen_ai.retrieval.query.text": fetching, "gen_ai.retrieval.documents": fetching,
		},
		namespaces: []string{"gen_ai."},
		context:    []string{"gen_ai.conversation.id", "gen_ai.agent.", "gen_ai.system", "gen_ai.provider.name", "gen_ai.workflow.name", "gen_ai.task."},
		toolName:   []string{"gen_ai.tool.name"}, callID: []string{"gen_ai.tool.call.id"},
		args:   []string{"gen_ai.tool.call.arguments", "gen_ai.tool.args"},
		result: []string{"gen_ai.tool.call.result"},
		input:  []string{"gen_ai.input.messages"}, output: []string{"gen_ai.output.messages"},
		agent: []string{"gen_ai.agent.name", "gen_ai.agent.id"},
		model: []string{"gen_ai.response.model", "gen_ai.request.model"}, responseID: []string{"gen_ai.response.id"},
		finish:   []string{"gen_ai.response.finish_reasons", "gen_ai.response.finish_reason"},
		tokensIn: []string{"gen_ai.usage.input_tokens", "gen_ai.usage.prompt_tokens"}, tokensOut: []string{"gen_ai.usage.output_tokens", "gen_ai.usage.completion_tokens"},
		cost: []string{"gen_ai.usage.cost", "operation.cost"},
	},
	{
		name: "openinference",
		kinds: map[string]map[string]kind{"openinference.span.kind": {
			"LLM": answering, "TOOL": calling, "AGENT": agent, "RETRIEVER": fetching, "EMBEDDING": embedding,
			"CHAIN": wrapper, "PROMPT": wrapper, "RERANKER": wrapper, "GUARDRAIL": aside, "EVALUATOR": aside, "UNKNOWN": wrapper,
		}},
		marks: map[string]kind{
			"tool.name": calling, "tool.id": calling, "llm.token_count.total": answering, "llm.token_count.prompt": answering, "llm.token_count.completion": answering,
			"llm.model_name": answering, "llm.finish_reason": answering, "llm.output_messages.0.message.role": answering, "llm.invocation_parameters": answering, "embedding.model_name": embedding,
		},
		namespaces: []string{"openinference.", "llm.", "tool.", "input.value", "output.value", "retrieval.", "embedding.", "reranker."},
		toolName:   []string{"tool.name"}, callID: []string{"tool.id", "tool_call.id"},
		args: []string{"input.value"}, result: []string{"output.value"},
		input: []string{"llm.input_messages.", "input.value"}, output: []string{"llm.output_messages.", "output.value"},
		agent: []string{"agent.name", "graph.node.id"}, model: []string{"llm.model_name"}, finish: []string{"llm.finish_reason"},
		tokensIn: []string{"llm.token_count.prompt"}, tokensOut: []string{"llm.token_count.completion"}, tokensAll: []string{"llm.token_count.total"},
		cost: []string{"llm.cost.total"},
	},
	{
		name: "traceloop",
		kinds: map[string]map[string]kind{
			"traceloop.span.kind": {"workflow": wrapper, "task": wrapper, "agent": agent, "tool": calling, "handoff": wrapper},
			"llm.request.type":    {"chat": answering, "completion": answering, "embedding": embedding, "rerank": wrapper},
		},
		marks: map[string]kind{
			"gen_ai.completion.0.role": answering, "gen_ai.completion.0.content": answering, "gen_ai.prompt.0.content": answering, "gen_ai.completion.0.finish_reason": answering,
			"llm.usage.total_tokens": answering,
		},
		namespaces: []string{"traceloop."},
		context:    []string{"traceloop.association.", "traceloop.workflow.name", "traceloop.entity.path", "traceloop.prompt."},
		toolName:   []string{"traceloop.entity.name"}, args: []string{"traceloop.entity.input"}, result: []string{"traceloop.entity.output"},
		input: []string{"gen_ai.prompt."}, output: []string{"gen_ai.completion."},
		agent: []string{"traceloop.entity.name"}, finish: []string{"gen_ai.completion.0.finish_reason"},
		tokensIn: []string{"llm.usage.prompt_tokens"}, tokensOut: []string{"llm.usage.completion_tokens"}, tokensAll: []string{"llm.usage.total_tokens"},
	},
	{
		name: "vercel",
		kinds: map[string]map[string]kind{"ai.operationId": {
			"ai.generateText.doGenerate": answering, "ai.streamText.doStream": answering, "ai.generateObject.doGenerate": answering, "ai.streamObject.doStream": answering,
			"ai.toolCall": calling, "ai.embed.doEmbed": embedding, "ai.embedMany.doEmbed": embedding,
			"ai.generateText": wrapper, "ai.streamText": wrapper, "ai.generateObject": wrapper, "ai.streamObject": wrapper, "ai.embed": wrapper, "ai.embedMany": wrapper,
		}},
		marks:      map[string]kind{"ai.toolCall.name": calling, "ai.toolCall.id": calling, "ai.toolCall.args": calling, "ai.toolCall.result": calling, "ai.response.id": answering},
		namespaces: []string{"ai."},
		context:    []string{"ai.telemetry."},
		toolName:   []string{"ai.toolCall.name"}, callID: []string{"ai.toolCall.id"}, args: []string{"ai.toolCall.args"}, result: []string{"ai.toolCall.result"},
		input: []string{"ai.prompt.messages", "ai.prompt"}, output: []string{"ai.response.toolCalls", "ai.response.text", "ai.response.object"},
		model: []string{"ai.response.model", "ai.model.id"}, responseID: []string{"ai.response.id"}, finish: []string{"ai.response.finishReason"},
		tokensIn: []string{"ai.usage.promptTokens", "ai.usage.inputTokens"}, tokensOut: []string{"ai.usage.completionTokens", "ai.usage.outputTokens"},
	},
	{
		name: "langfuse",
		kinds: map[string]map[string]kind{"langfuse.observation.type": {
			"generation": answering, "tool": calling, "agent": agent, "retriever": fetching, "embedding": embedding,
			"span": wrapper, "chain": wrapper, "event": wrapper, "guardrail": aside, "evaluator": aside,
		}},
		marks:      map[string]kind{"langfuse.observation.usage_details": answering, "langfuse.observation.model.name": answering},
		namespaces: []string{"langfuse.observation."},
		args:       []string{"langfuse.observation.input"}, result: []string{"langfuse.observation.output"},
		input: []string{"langfuse.observation.input"}, output: []string{"langfuse.observation.output"},
		model: []string{"langfuse.observation.model.name"}, usage: []string{"langfuse.observation.usage_details"},
		failure: []string{"langfuse.observation.status_message"},
	},
	{
		name:  "pydantic-ai",
		marks: map[string]kind{"tool_arguments": calling, "tool_response": calling},
		args:  []string{"tool_arguments"}, result: []string{"tool_response"},
		input: []string{"events"}, output: []string{"events"},
		agent: []string{"agent_name"}, model: []string{"model_name"},
	},
	{
		name:       "adk",
		namespaces: []string{"gcp.vertex.agent."},
		context:    []string{"gcp.vertex.agent.event_id", "gcp.vertex.agent.invocation_id", "gcp.vertex.agent.session_id"},
		marks:      map[string]kind{"gcp.vertex.agent.tool_call_args": calling, "gcp.vertex.agent.tool_response": calling, "gcp.vertex.agent.llm_response": answering},
		args:       []string{"gcp.vertex.agent.tool_call_args"}, result: []string{"gcp.vertex.agent.tool_response"},
		input: []string{"gcp.vertex.agent.llm_request"}, output: []string{"gcp.vertex.agent.llm_response"},
	},
	{
		name:       "mcp",
		kinds:      map[string]map[string]kind{"mcp.method.name": {"tools/call": calling, "*": wrapper}},
		namespaces: []string{"mcp.request.argument"},
		toolName:   []string{"mcp.tool.name"},
	},
	{
		name: "mlflow",
		kinds: map[string]map[string]kind{"mlflow.spanType": {
			`"LLM"`: answering, `"CHAT_MODEL"`: answering, `"TOOL"`: calling, `"AGENT"`: agent, `"RETRIEVER"`: fetching, `"EMBEDDING"`: embedding,
			`"CHAIN"`: wrapper, `"UNKNOWN"`: wrapper, `"PARSER"`: wrapper, `"RERANKER"`: wrapper, `"EVALUATOR"`: aside, `"GUARDRAIL"`: aside,
			"LLM": answering, "CHAT_MODEL": answering, "TOOL": calling, "AGENT": agent, "RETRIEVER": fetching, "EMBEDDING": embedding, "CHAIN": wrapper, "UNKNOWN": wrapper,
		}},
		namespaces: []string{"mlflow.span"},
		args:       []string{"mlflow.spanInputs"}, result: []string{"mlflow.spanOutputs"},
		input: []string{"mlflow.spanInputs"}, output: []string{"mlflow.spanOutputs"},
		usage: []string{"mlflow.chat.tokenUsage"},
	},
}

func places(column func(*dialect) []string) (list []string) {
	for i := range dialects {
		list = append(list, column(&dialects[i])...)
	}
	return list
}

// The columns of the table.
var (
	toolNames   = places(func(d *dialect) []string { return d.toolName })
	callIDs     = places(func(d *dialect) []string { return d.callID })
	argPlaces   = places(func(d *dialect) []string { return d.args })
	results     = places(func(d *dialect) []string { return d.result })
	inputs      = places(func(d *dialect) []string { return d.input })
	outputs     = places(func(d *dialect) []string { return d.output })
	agentNames  = places(func(d *dialect) []string { return d.agent })
	models      = places(func(d *dialect) []string { return d.model })
	responseIDs = places(func(d *dialect) []string { return d.responseID })
	finishes    = places(func(d *dialect) []string { return d.finish })
	tokensIn    = places(func(d *dialect) []string { return d.tokensIn })
	tokensOut   = places(func(d *dialect) []string { return d.tokensOut })
	tokensAll   = places(func(d *dialect) []string { return d.tokensAll })
	usages      = places(func(d *dialect) []string { return d.usage })
	costs       = places(func(d *dialect) []string { return d.cost })
	failures    = places(func(d *dialect) []string { return d.failure })
)

// spanNames maps prefixes of span names to kinds, for spans without a kind attribute. By convention, the name
// starts with the operation.
var spanNames = []struct {
	prefix string
	kind   kind
}{
	{"execute_tool ", calling},
	{"running tool: ", calling},
	{"ai.toolCall", calling},
	{"invoke_agent ", agent},
	{"generate_content ", answering},
	{"ai.generateText.do", answering},
	{"ai.streamText.do", answering},
	{"Chat Completion with ", answering},
	{"tools/call ", calling},
}

// exactNames are span names that consist of the operation only.
var exactNames = map[string]kind{
	"running tool": calling, "execute_tool": calling, "running tools": wrapper, "AutoFunctionInvocationLoop": wrapper,
}

// toolScopes are the scopes of frameworks that write a span for every tool run. There, a model span without
// contents and without later tool spans made no calls.
var toolScopes = []string{"gcp.vertex.agent", "pydantic-ai", "agent_framework", "ai", "strands.telemetry.tracer", "semantic_kernel", "autogen-core", "@ai-sdk", agentsSDK}

// stopMeansNothing are the scopes of writers whose finish reason is "stop" even with tool calls.
var stopMeansNothing = []string{"gcp.vertex.agent", "openinference.instrumentation.openai_agents", "openinference.instrumentation.google"}

// hasScope reports whether a scope is in a list or below an entry of it.
func hasScope(scope string, list []string) bool {
	for _, s := range list {
		if scope == s || strings.HasPrefix(scope, s+".") || strings.HasPrefix(scope, s+"/") {
			return true
		}
	}
	return false
}

// evidence collects hints to a span's kind from its attributes.
type evidence struct {
	told, seen kind
	namespaced bool
	toolName   string
}

// see evaluates an attribute; value is "" unless it is text.
func (m *evidence) see(key, value string) {
	for i := range dialects {
		d := &dialects[i]
		if values, ok := d.kinds[key]; ok && value != "" {
			k, known := values[value]
			if !known {
				k = cmp.Or(values["*"], unknown)
			}
			m.told = stronger(m.told, k)
			continue
		}
		if k, ok := d.marks[key]; ok {
			m.seen = stronger(m.seen, k)
		}
		if !m.namespaced && hasPrefix(key, d.namespaces) && !hasPrefix(key, d.context) {
			m.namespaced = true
		}
	}
	if key == "gen_ai.tool.name" || key == "tool.name" {
		m.toolName = value
	}
}

func hasPrefix(key string, list []string) bool {
	for _, prefix := range list {
		if strings.HasPrefix(key, prefix) {
			return true
		}
	}
	return false
}

// strength ranks kinds: if a span matches two, the more specific one wins.
var strength = [...]int{other: 0, unknown: 1, unread: 2, wrapper: 2, setup: 3, aside: 4, embedding: 5, fetching: 6, answering: 7, agent: 8, calling: 9}

func stronger(a, b kind) kind {
	if strength[b] > strength[a] {
		return b
	}
	return a
}

func (m *evidence) kind(name, scope string) kind {
	k := m.told
	if k == other || k == unknown {
		k = stronger(k, m.byName(name))
	}
	switch {
	case k == calling && (m.toolName == "(merged tools)" || name == "execute_tool (merged)"):
		return wrapper // the responses of parallel calls, once more
	case k == calling && strings.HasPrefix(name, "handoff to ") && strings.Contains(scope, "openai_agents"):
		return wrapper
	case k == answering && strings.HasSuffix(name, "_prepare_chat_with_tools"):
		return wrapper // makes the request without asking a model
	}
	return k
}

// byName derives the kind from the presence of attributes or the span's name.
func (m *evidence) byName(name string) kind {
	if k, ok := exactNames[name]; ok {
		return k
	}
	for _, n := range spanNames {
		if strings.HasPrefix(name, n.prefix) {
			return n.kind
		}
	}
	switch {
	case m.seen != other && !(m.told == unknown && m.seen == answering):
		return m.seen
	case m.namespaced || m.seen != other:
		return unread
	}
	return other
}
