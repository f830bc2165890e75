package importer_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"testing"

	"github.com/cupel-dev/cupel/attest"
	"github.com/cupel-dev/cupel/attest/importer"
)

// one is a span of the program in all dialects: a user asks to pay 1, the model calls the tool pay, which says
// {"paid":true}, and the model answers "paid". Both answers take 100 and 20 tokens.
type one struct {
	scope, name string
	attributes  map[string]any
	events      []map[string]any
}

const (
	payCall   = `{"n":1}`
	payResult = `{"paid":true}`
)

// merged returns the union of attributes.
func told(list ...map[string]any) map[string]any {
	all := map[string]any{}
	for _, one := range list {
		maps.Copy(all, one)
	}
	return all
}

// program lists the spans in a dialect: the first answer, the tool, the second answer.
type program struct{ first, tool, second one }

// event returns an event of a span.
func event(name string, attributes map[string]any) map[string]any {
	return map[string]any{"name": name, "attributes": attributes}
}

var (
	genai = map[string]any{"gen_ai.operation.name": "chat", "gen_ai.request.model": "m", "gen_ai.usage.input_tokens": 100, "gen_ai.usage.output_tokens": 20}
	llm   = map[string]any{"openinference.span.kind": "LLM", "llm.model_name": "m", "llm.token_count.prompt": 100, "llm.token_count.completion": 20, "llm.token_count.total": 120}
	old   = map[string]any{"llm.request.type": "chat", "gen_ai.request.model": "m", "gen_ai.usage.prompt_tokens": 100, "gen_ai.usage.completion_tokens": 20, "llm.usage.total_tokens": 120}
	ai    = map[string]any{"ai.operationId": "ai.generateText.doGenerate", "ai.model.id": "m", "ai.usage.promptTokens": 100, "ai.usage.completionTokens": 20}
	fuse  = map[string]any{"langfuse.observation.type": "generation", "langfuse.observation.model.name": "m", "langfuse.observation.usage_details": `{"input":100,"output":20,"total":120}`}
)

const (
	userPart = `{"role":"user","parts":[{"type":"text","content":"pay 1"}]}`
	callPart = `{"role":"assistant","parts":[{"type":"tool_call","id":"c1","name":"pay","arguments":{"n":1}}]}`
	backPart = `{"role":"tool","parts":[{"type":"tool_call_response","id":"c1","response":{"paid":true}}]}`
	chatCall = `{"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function","function":{"name":"pay","arguments":"{\"n\":1}"}}]}`
	chatUser = `{"role":"user","content":"pay 1"}`
	chatBack = `{"role":"tool","tool_call_id":"c1","content":"{\"paid\":true}"}`
)

var genaiTool = map[string]any{"gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": "pay"}

// programs are the dialects.
var programs = map[string]program{
	"gen_ai": {
		one{"x", "chat m", told(genai, map[string]any{"gen_ai.input.messages": "[" + userPart + "]", "gen_ai.output.messages": "[" + callPart + "]", "gen_ai.response.finish_reasons": []any{"tool_calls"}}), nil},
		one{"x", "execute_tool pay", told(genaiTool, map[string]any{"gen_ai.tool.call.id": "c1", "gen_ai.tool.call.arguments": payCall, "gen_ai.tool.call.result": payResult}), nil},
		one{"x", "chat m", told(genai, map[string]any{"gen_ai.input.messages": "[" + userPart + "," + callPart + "," + backPart + "]", "gen_ai.output.messages": `[{"role":"assistant","parts":[{"type":"text","content":"paid"}]}]`}), nil},
	},
	"events of 1.36": {
		one{"x", "chat m", genai, []map[string]any{event("gen_ai.user.message", map[string]any{"content": "pay 1"}), event("gen_ai.choice", map[string]any{"index": 0, "finish_reason": "tool_calls", "message": chatCall})}},
		one{"x", "execute_tool pay", told(genaiTool, map[string]any{"gen_ai.tool.call.id": "c1"}), []map[string]any{event("gen_ai.tool.message", map[string]any{"id": "c1", "content": payCall}), event("gen_ai.choice", map[string]any{"message": `[{"text":"{\"paid\":true}"}]`})}},
		one{"x", "chat m", genai, []map[string]any{
			event("gen_ai.user.message", map[string]any{"content": "pay 1"}), event("gen_ai.assistant.message", map[string]any{"tool_calls": `[{"id":"c1","function":{"name":"pay","arguments":"{\"n\":1}"}}]`}),
			event("gen_ai.tool.message", map[string]any{"id": "c1", "content": payResult}), event("gen_ai.choice", map[string]any{"message": `{"role":"assistant","content":"paid"}`}),
		}},
	},
	"details event": {
		one{"x", "chat m", genai, []map[string]any{event("gen_ai.client.inference.operation.details", map[string]any{"gen_ai.input.messages": "[" + userPart + "]"}), event("gen_ai.client.inference.operation.details", map[string]any{"gen_ai.output.messages": "[" + callPart + "]"})}},
		one{"x", "execute_tool pay", told(genaiTool, map[string]any{"gen_ai.tool.call.id": "c1"}), []map[string]any{event("gen_ai.client.inference.operation.details", map[string]any{"gen_ai.input.messages": "[" + callPart + "]", "gen_ai.output.messages": "[" + backPart + "]"})}},
		one{"x", "chat m", told(genai, map[string]any{"gen_ai.input.messages": "[" + userPart + "," + callPart + "," + backPart + "]", "gen_ai.output.messages": `[{"role":"assistant","parts":[{"type":"text","content":"paid"}]}]`}), nil},
	},
	"openinference": {
		one{"openinference", "ChatCompletion", told(llm, map[string]any{
			"llm.input_messages.0.message.role": "user", "llm.input_messages.0.message.content": "pay 1", "llm.output_messages.0.message.role": "assistant",
			"llm.output_messages.0.message.tool_calls.0.tool_call.id": "c1", "llm.output_messages.0.message.tool_calls.0.tool_call.function.name": "pay", "llm.output_messages.0.message.tool_calls.0.tool_call.function.arguments": payCall,
		}), nil},
		one{"openinference", "pay", map[string]any{"openinference.span.kind": "TOOL", "tool.name": "pay", "input.value": payCall, "output.value": payResult}, nil},
		one{"openinference", "ChatCompletion", told(llm, map[string]any{
			"llm.input_messages.0.message.role": "user", "llm.input_messages.0.message.content": "pay 1", "llm.input_messages.1.message.role": "assistant",
			"llm.input_messages.1.message.tool_calls.0.tool_call.id": "c1", "llm.input_messages.1.message.tool_calls.0.tool_call.function.name": "pay", "llm.input_messages.1.message.tool_calls.0.tool_call.function.arguments": payCall,
			"llm.input_messages.2.message.role": "tool", "llm.input_messages.2.message.tool_call_id": "c1", "llm.input_messages.2.message.content": payResult,
			"llm.output_messages.0.message.role": "assistant", "llm.output_messages.0.message.content": "paid",
		}), nil},
	},
	"traceloop": {
		one{"traceloop", "openai.chat", told(old, map[string]any{
			"gen_ai.prompt.0.role": "user", "gen_ai.prompt.0.content": "pay 1", "gen_ai.completion.0.role": "assistant", "gen_ai.completion.0.finish_reason": "tool_calls",
			"gen_ai.completion.0.tool_calls.0.id": "c1", "gen_ai.completion.0.tool_calls.0.name": "pay", "gen_ai.completion.0.tool_calls.0.arguments": payCall,
		}), nil},
		one{"traceloop", "pay.tool", map[string]any{"traceloop.span.kind": "tool", "traceloop.entity.name": "pay", "traceloop.entity.input": `{"args":[],"kwargs":{"n":1}}`, "traceloop.entity.output": payResult}, nil},
		one{"traceloop", "openai.chat", told(old, map[string]any{
			"gen_ai.prompt.0.role": "user", "gen_ai.prompt.0.content": "pay 1", "gen_ai.prompt.1.role": "assistant", "gen_ai.prompt.1.tool_calls.0.id": "c1", "gen_ai.prompt.1.tool_calls.0.name": "pay", "gen_ai.prompt.1.tool_calls.0.arguments": payCall,
			"gen_ai.prompt.2.role": "tool", "gen_ai.prompt.2.tool_call_id": "c1", "gen_ai.prompt.2.content": payResult, "gen_ai.completion.0.role": "assistant", "gen_ai.completion.0.content": "paid",
		}), nil},
	},
	"vercel": {
		one{"ai", "ai.generateText.doGenerate", told(ai, map[string]any{"ai.prompt.messages": "[" + chatUser + "]", "ai.response.finishReason": "tool-calls", "ai.response.toolCalls": `[{"toolCallId":"c1","toolName":"pay","input":"{\"n\":1}"}]`}), nil},
		one{"ai", "ai.toolCall", map[string]any{"ai.operationId": "ai.toolCall", "ai.toolCall.name": "pay", "ai.toolCall.id": "c1", "ai.toolCall.args": payCall, "ai.toolCall.result": payResult}, nil},
		one{"ai", "ai.generateText.doGenerate", told(ai, map[string]any{
			"ai.prompt.messages": "[" + chatUser + `,{"role":"assistant","content":[{"type":"tool-call","toolCallId":"c1","toolName":"pay","input":{"n":1}}]},{"role":"tool","content":[{"type":"tool-result","toolCallId":"c1","toolName":"pay","output":{"type":"json","value":{"paid":true}}}]}]`,
			"ai.response.text":   "paid", "ai.response.finishReason": "stop",
		}), nil},
	},
	"langfuse": {
		one{"langfuse-sdk", "generation", told(fuse, map[string]any{"langfuse.observation.input": "[" + chatUser + "]", "langfuse.observation.output": chatCall}), nil},
		one{"langfuse-sdk", "pay", map[string]any{"langfuse.observation.type": "tool", "langfuse.observation.input": `{"args":[],"kwargs":{"n":1}}`, "langfuse.observation.output": payResult}, nil},
		one{"langfuse-sdk", "generation", told(fuse, map[string]any{"langfuse.observation.input": "[" + chatUser + "," + chatCall + "," + chatBack + "]", "langfuse.observation.output": "paid"}), nil},
	},
	"pydantic-ai 1": {
		one{"pydantic-ai", "chat m", told(genai, map[string]any{"events": `[{"event.name":"gen_ai.user.message","role":"user","content":"pay 1"},{"event.name":"gen_ai.choice","index":0,"message":` + chatCall + `}]`}), nil},
		one{"pydantic-ai", "running tool", map[string]any{"gen_ai.tool.name": "pay", "gen_ai.tool.call.id": "c1", "tool_arguments": payCall, "tool_response": payResult}, nil},
		one{"pydantic-ai", "chat m", told(genai, map[string]any{"events": `[{"event.name":"gen_ai.user.message","role":"user","content":"pay 1"},{"event.name":"gen_ai.assistant.message","role":"assistant","tool_calls":[{"id":"c1","function":{"name":"pay","arguments":"{\"n\":1}"}}]},` +
			`{"event.name":"gen_ai.tool.message","role":"tool","id":"c1","content":"{\"paid\":true}"},{"event.name":"gen_ai.choice","message":{"role":"assistant","content":"paid"}}]`}), nil},
	},
	"tools of MCP": {
		one{"x", "chat m", told(genai, map[string]any{"gen_ai.input.messages": "[" + userPart + "]", "gen_ai.output.messages": "[" + callPart + "]"}), nil},
		one{"mcp", "tools/call pay", map[string]any{"mcp.method.name": "tools/call", "gen_ai.tool.name": "pay", "gen_ai.tool.call.arguments": payCall, "gen_ai.tool.call.result": payResult}, nil},
		one{"x", "chat m", told(genai, map[string]any{"gen_ai.input.messages": "[" + userPart + "," + callPart + "," + backPart + "]", "gen_ai.output.messages": `[{"role":"assistant","parts":[{"type":"text","content":"paid"}]}]`}), nil},
	},
}

// otlp returns a program as an export.
func otlp(p program) []byte {
	var spans []any
	for i, s := range []one{p.first, p.tool, p.second} {
		span := map[string]any{
			"traceId": fmt.Sprintf("%032x", 7), "spanId": fmt.Sprintf("%016x", i+1), "name": s.name,
			"startTimeUnixNano": fmt.Sprint(1_764_000_000_000_000_000 + i*1000), "endTimeUnixNano": fmt.Sprint(1_764_000_000_000_000_500 + i*1000), "attributes": attributesOf(s.attributes),
		}
		var events []any
		for _, e := range s.events {
			events = append(events, map[string]any{"name": e["name"], "attributes": attributesOf(e["attributes"].(map[string]any))})
		}
		if events != nil {
			span["events"] = events
		}
		spans = append(spans, map[string]any{"scope": map[string]any{"name": s.scope}, "spans": []any{span}})
	}
	out, _ := json.Marshal(map[string]any{"resourceSpans": []any{map[string]any{"scopeSpans": spans}}})
	return out
}

func attributesOf(list map[string]any) (attributes []any) {
	for _, key := range slices.Sorted(maps.Keys(list)) {
		var value map[string]any
		switch v := list[key].(type) {
		case string:
			value = map[string]any{"stringValue": v}
		case int:
			value = map[string]any{"intValue": fmt.Sprint(v)}
		case []any:
			value = map[string]any{"arrayValue": map[string]any{"values": []any{map[string]any{"stringValue": v[0]}}}}
		}
		attributes = append(attributes, map[string]any{"key": key, "value": value})
	}
	return attributes
}

// tale is the content of the program's trace.
type tale struct {
	Steps         []string
	Args, Result  string
	Tokens        any
	Input, Output any
	Complete      bool
}

func taleOf(t *testing.T, name string, text []byte) tale {
	t.Helper()
	traces, err := imported(name, text, importer.Auto)
	if err != nil || len(traces) != 1 || traces[0].Refused != nil {
		t.Fatalf("%s: %v %+v", name, err, traces)
	}
	var trace attest.Trace
	if err := json.Unmarshal(traces[0].Raw, &trace); err != nil {
		t.Fatal(err)
	}
	told := tale{Tokens: fmt.Sprint(trace.Metadata["total_tokens"]), Input: trace.Input["user_message"], Output: trace.Output["message"], Complete: traces[0].Coverage.Complete}
	for _, s := range trace.Steps {
		told.Steps = append(told.Steps, string(s.Type)+" "+s.Name)
		if s.Type == attest.StepToolCall {
			args, _ := json.Marshal(s.Args)
			result, _ := json.Marshal(s.Result)
			told.Args, told.Result = string(args), string(result)
		}
	}
	return told
}

// TestDialects: one program is one trace, whatever dialect its spans have.
func TestDialects(t *testing.T) {
	want := tale{[]string{"llm_call chat", "tool_call pay", "llm_call chat"}, payCall, payResult, "240", "pay 1", "paid", true}
	for name, p := range programs {
		if got := taleOf(t, name+".json", otlp(p)); !reflect.DeepEqual(got, want) {
			t.Errorf("%s:\n%+v, want\n%+v", name, got, want)
		}
	}
}

// talks is the program in each conversation format.
var talks = map[string]string{
	"bedrock": `{"modelId":"m","messages":[{"role":"user","content":[{"text":"pay 1"}]},{"role":"assistant","content":[{"toolUse":{"toolUseId":"c1","name":"pay","input":{"n":1}}}]},` +
		`{"role":"user","content":[{"toolResult":{"toolUseId":"c1","content":[{"json":{"paid":true}}]}}]},{"role":"assistant","content":[{"text":"paid"}]}]}`,
	"gemini": `{"contents":[{"role":"user","parts":[{"text":"pay 1"}]},{"role":"model","parts":[{"functionCall":{"name":"pay","args":{"n":1}}}]},` +
		`{"role":"user","parts":[{"functionResponse":{"name":"pay","response":{"paid":true}}}]},{"role":"model","parts":[{"text":"paid"}]}]}`,
	"ollama": `{"messages":[` + chatUser + `,{"role":"assistant","content":"","tool_calls":[{"function":{"name":"pay","arguments":{"n":1}}}]},{"role":"tool","tool_name":"pay","content":"{\"paid\":true}"},{"role":"assistant","content":"paid"}]}`,
	"vercel": `[` + chatUser + `,{"role":"assistant","content":[{"type":"tool-call","toolCallId":"c1","toolName":"pay","input":{"n":1}}]},{"role":"tool","content":[{"type":"tool-result","toolCallId":"c1","toolName":"pay","output":{"type":"json","value":{"paid":true}}}]},{"role":"assistant","content":[{"type":"text","text":"paid"}]}]`,
	"vercel UI": `[{"id":"1","role":"user","parts":[{"type":"text","text":"pay 1"}]},{"id":"2","role":"assistant","parts":[{"type":"step-start"},{"type":"tool-pay","toolCallId":"c1","state":"output-available","input":{"n":1},"output":{"paid":true}}]},` +
		`{"id":"3","role":"assistant","parts":[{"type":"text","text":"paid"}]}]`,
	"adk": `[{"author":"user","content":{"role":"user","parts":[{"text":"pay 1"}]}},{"author":"a","invocation_id":"e","content":{"role":"model","parts":[{"function_call":{"id":"c1","name":"pay","args":{"n":1}}}]}},` +
		`{"author":"a","content":{"role":"user","parts":[{"function_response":{"id":"c1","name":"pay","response":{"paid":true}}}]}},{"author":"a","content":{"role":"model","parts":[{"text":"paid"}]}}]`,
	"autogen": `[{"type":"TextMessage","source":"user","content":"pay 1"},{"type":"ToolCallRequestEvent","source":"a","content":[{"id":"c1","name":"pay","arguments":"{\"n\":1}"}]},` +
		`{"type":"ToolCallExecutionEvent","source":"a","content":[{"call_id":"c1","name":"pay","content":"{\"paid\":true}","is_error":false}]},{"type":"TextMessage","source":"a","content":"paid"}]`,
	"openai":    `{"messages":[` + chatUser + `,` + chatCall + `,` + chatBack + `,{"role":"assistant","content":"paid"}]}`,
	"anthropic": `{"messages":[` + chatUser + `,{"role":"assistant","content":[{"type":"tool_use","id":"c1","name":"pay","input":{"n":1}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"c1","content":"{\"paid\":true}"}]},{"role":"assistant","content":[{"type":"text","text":"paid"}]}]}`,
}

// TestTalks checks that the program gives the same trace from each conversation format.
func TestTalks(t *testing.T) {
	want := tale{[]string{"llm_call chat", "tool_call pay", "llm_call chat"}, payCall, payResult, "<nil>", "pay 1", "paid", true}
	for name, text := range talks {
		if got := taleOf(t, name+".json", []byte(text)); !reflect.DeepEqual(got, want) {
			t.Errorf("%s:\n%+v, want\n%+v", name, got, want)
		}
	}
}
