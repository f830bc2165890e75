package importer_test

import (
	"encoding/json"
	"fmt"
	"reflect"
	"testing"

	"pgregory.net/rapid"

	"github.com/cupel-dev/cupel/attest"
	"github.com/cupel-dev/cupel/attest/importer"
)

// object is a JSON object to be.
type object = map[string]any

// talk is a conversation whatever the API: what the user says, then answers, each with the
// calls that it asks for.
type talk struct {
	system, user string
	answers      []said
}

// said is an answer of the model.
type said struct {
	text  string
	calls []called
}

// called is a call of a tool with its result; none for a call that never came back.
type called struct {
	id, name string
	args     object
	result   any
	back     bool
}

// drawTalk draws a conversation that ends with an answer without calls.
func drawTalk(t *rapid.T) talk {
	word := rapid.SampledFrom([]string{"a", "b", "two words", "a \"quoted\" one", "ü\n", "{", "😀"})
	c := talk{system: rapid.SampledFrom([]string{"", "be kind"}).Draw(t, "system"), user: word.Draw(t, "user")}
	for i := range rapid.IntRange(0, 4).Draw(t, "answers with calls") {
		answer := said{text: rapid.SampledFrom([]string{"", "let me see", "a"}).Draw(t, "text")}
		for j := range rapid.IntRange(1, 3).Draw(t, "calls") {
			answer.calls = append(answer.calls, called{
				id: fmt.Sprintf("call_%d_%d", i, j), name: rapid.SampledFrom([]string{"f", "g"}).Draw(t, "tool"),
				args:   object{"x": word.Draw(t, "argument"), "n": json.Number("1.50")},
				result: rapid.SampledFrom([]any{"plain", object{"ok": true, "n": json.Number("2.0")}, "[not JSON"}).Draw(t, "result"),
				back:   rapid.IntRange(0, 5).Draw(t, "comes back") > 0,
			})
		}
		c.answers = append(c.answers, answer)
	}
	c.answers = append(c.answers, said{text: word.Draw(t, "last answer")})
	return c
}

// text returns a value as the JSON that tools and arguments have in strings, a string as it is.
func text(value any) string {
	if s, ok := value.(string); ok {
		return s
	}
	b, _ := json.Marshal(value)
	return string(b)
}

// chat renders a conversation for the Chat Completions API.
func (c talk) chat(upTo int) (messages []any) {
	if c.system != "" {
		messages = append(messages, object{"role": "system", "content": c.system})
	}
	messages = append(messages, object{"role": "user", "content": c.user})
	for _, answer := range c.answers[:upTo] {
		messages = append(messages, answer.chat())
		for _, call := range answer.calls {
			if call.back {
				messages = append(messages, object{"role": "tool", "tool_call_id": call.id, "content": text(call.result)})
			}
		}
	}
	return messages
}

func (a said) chat() object {
	message := object{"role": "assistant", "content": a.text}
	var calls []any
	for _, call := range a.calls {
		calls = append(calls, object{"id": call.id, "type": "function", "function": object{"name": call.name, "arguments": text(call.args)}})
	}
	if calls != nil {
		message["tool_calls"] = calls
	}
	return message
}

// chatLoop renders it as the requests that an agent sends one after the other, each with
// its response.
func (c talk) chatLoop() (exchanges []any) {
	for i, answer := range c.answers {
		exchanges = append(exchanges, object{
			"request":  object{"messages": c.chat(i)},
			"response": object{"choices": []any{object{"index": 0, "message": answer.chat()}}},
		})
	}
	return exchanges
}

// items renders it for the Responses API.
func (c talk) items() object {
	items := []any{object{"role": "user", "content": c.user}}
	for _, answer := range c.answers {
		if answer.text != "" || len(answer.calls) == 0 {
			items = append(items, object{"type": "message", "role": "assistant", "content": []any{object{"type": "output_text", "text": answer.text}}})
		}
		for _, call := range answer.calls {
			items = append(items, object{"type": "function_call", "call_id": call.id, "name": call.name, "arguments": text(call.args)})
		}
		for _, call := range answer.calls {
			if call.back {
				items = append(items, object{"type": "function_call_output", "call_id": call.id, "output": text(call.result)})
			}
		}
		items = append(items, object{"type": "message", "role": "developer", "content": "go on"}) // ends the answer, come what may
	}
	request := object{"input": items[:len(items)-1]}
	if c.system != "" {
		request["instructions"] = c.system
	}
	return request
}

// blocks renders it for the Messages API.
func (c talk) blocks() object {
	messages := []any{object{"role": "user", "content": c.user}}
	for _, answer := range c.answers {
		var content, results []any
		if answer.text != "" {
			content = append(content, object{"type": "text", "text": answer.text})
		}
		for _, call := range answer.calls {
			content = append(content, object{"type": "tool_use", "id": call.id, "name": call.name, "input": call.args})
			if call.back {
				results = append(results, object{"type": "tool_result", "tool_use_id": call.id, "content": text(call.result)})
			}
		}
		messages = append(messages, object{"role": "assistant", "content": content})
		if results != nil {
			messages = append(messages, object{"role": "user", "content": results})
		}
	}
	request := object{"messages": messages}
	if c.system != "" {
		request["system"] = c.system
	}
	return request
}

// want is what has to be made of it: the answers by their text, the calls with their args
// and results, in order.
func (c talk) want() (steps []string) {
	for _, answer := range c.answers {
		steps = append(steps, "chat "+answer.text)
		for _, call := range answer.calls {
			result := call.result
			if _, ok := result.(string); ok {
				result = object{"content": result}
			}
			if !call.back {
				result = nil
			}
			steps = append(steps, fmt.Sprintf("%s %s %s", call.name, text(call.args), text(result)))
		}
	}
	return steps
}

// got is the same of a trace.
func got(trace attest.Trace) (steps []string) {
	for _, step := range trace.Steps {
		if step.Type == attest.StepLLMCall {
			completion, _ := step.Result["completion"].(string)
			steps = append(steps, step.Name+" "+completion)
			continue
		}
		var result any
		if step.Result != nil {
			result = step.Result
		}
		steps = append(steps, fmt.Sprintf("%s %s %s", step.Name, text(step.Args), text(result)))
	}
	return steps
}

// TestOneTalkInAllAPIs: the same conversation makes the same steps, the same input and the
// same output, whichever API it went through, in one request or in one for each answer.
func TestOneTalkInAllAPIs(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := drawTalk(t)
		for _, rendered := range []struct {
			from  importer.Format
			value any
		}{
			{importer.OpenAI, object{"messages": c.chat(len(c.answers))}},
			{importer.OpenAI, c.chat(len(c.answers))},
			{importer.OpenAI, c.chatLoop()},
			{importer.OpenAI, c.items()},
			{importer.Anthropic, c.blocks()},
		} {
			input, err := json.Marshal(rendered.value)
			if err != nil {
				t.Fatal(err)
			}
			traces, err := imported("x.json", input, rendered.from)
			if err != nil || len(traces) != 1 || traces[0].Refused != nil {
				t.Fatalf("%s: %v %+v", input, err, traces)
			}
			var trace attest.Trace
			if err := json.Unmarshal(traces[0].Raw, &trace); err != nil {
				t.Fatal(err)
			}
			if want := c.want(); !reflect.DeepEqual(got(trace), want) {
				t.Errorf("%s\nmakes %q\nexpected %q", input, got(trace), want)
			}
			system, _ := trace.Input["system"].(string)
			if last := c.answers[len(c.answers)-1]; trace.Output["message"] != last.text || trace.Input["user_message"] != c.user || rendered.from == importer.Anthropic && system != c.system {
				t.Errorf("%s\nmakes %v of %v", input, trace.Output, trace.Input)
			}
		}
	})
}
