package transcript

import (
	"bytes"

	"github.com/cupel-dev/cupel/internal/strictjson"
)

// ATIF is one document {schema_version, agent, steps}. An agent's step contains its calls and their observations.

var atifPrefix = []byte("ATIF-v")

func isATIF(first map[string]strictjson.Node) bool {
	return bytes.HasPrefix(first["schema_version"].TextBytes(nil), atifPrefix) && isObject(first["agent"]) && first["steps"].Exists()
}

// The members allowed by ATIF; others belong in extra.
var (
	atifRoot        = set("schema_version", "session_id", "trajectory_id", "agent", "steps", "notes", "final_metrics", "continued_trajectory_ref", "subagent_trajectories", "extra")
	atifStep        = set("step_id", "timestamp", "source", "message", "model_name", "reasoning_effort", "reasoning_content", "tool_calls", "metrics", "observation", "is_copied_context", "llm_call_count", "extra")
	atifCall        = set("tool_call_id", "function_name", "arguments", "extra")
	atifResult      = set("source_call_id", "content", "subagent_trajectory_ref", "extra")
	atifObservation = set("results", "extra")
)

func readATIF(list string, root strictjson.Node, r *Record) {
	switch list {
	case "steps":
		atifReadStep(root, r)
	case "subagent_trajectories":
		r.Type = list
		r.Flags |= Known | Metadata | NoTime | Side
		r.ID = root.Last("trajectory_id")
	default:
		r.Type = list
		r.Flags |= Metadata | NoTime
		r.set(Known, atifRoot[list])
		if !atifRoot[list] {
			r.fault("shape", root, "the document has the member %q, which ATIF forbids outside extra", list)
		}
		switch list {
		case "session_id":
			r.Flags |= Header
			r.Session = root
		case "trajectory_id":
			r.ID = root
		case "final_metrics":
			r.Sum = usage(root, "total_prompt_tokens", "total_cached_tokens", "", "total_completion_tokens", "", "")
			r.Sum.Total = r.Sum.Input + r.Sum.Output
			r.Sum.Cost, _ = root.Last("total_cost_usd").Float()
		case "agent":
			r.Model = root.Last("model_name")
		}
	}
}

// only reports members that ATIF does not allow.
func (r *Record) only(n strictjson.Node, what string, allowed map[string]bool) {
	for m := range children(n) {
		if name := m.Key(); !allowed[name] {
			r.fault("shape", m, "%s has the member %q, which ATIF forbids outside extra", what, name)
		}
	}
}

func atifReadStep(root strictjson.Node, r *Record) {
	r.Type = text(root.Last("source"))
	r.Ordinal, r.Time = root.Last("step_id"), root.Last("timestamp")
	r.Model = root.Last("model_name")
	r.set(Copied, isTrue(root.Last("is_copied_context")))
	r.only(root, "the step", atifStep)
	message := root.Last("message")
	switch r.Type {
	case "user":
		r.Role = User
		r.Flags |= Known | Prompt
	case "system":
		r.Role = System
		r.Flags |= Known
	case "agent":
		r.Role = Assistant
		r.Flags |= Known
		calls, ok := root.Last("llm_call_count").Int()
		r.set(Model, !ok || calls > 0)
	default:
		r.fault("shape", root.Last("source"), "the source of the step is %.40q, expected system, user or agent", r.Type)
	}
	if !isString(message) && !message.Is(strictjson.Array) {
		r.fault("shape", message, "message is %s, expected a string or parts", article(message))
	}
	if says := root.Last("reasoning_content"); isString(says) {
		r.Parts = append(r.Parts, Part{Kind: Thought, Node: says, Value: says})
	}
	r.atifContent(message)
	for c := range children(root.Last("tool_calls")) {
		r.only(c, "the tool call", atifCall)
		if args := c.Last("arguments"); !isObject(args) {
			r.fault("shape", args, "arguments is %s, expected an object", article(args))
		}
		r.Parts = append(r.Parts, Part{Kind: Call, Node: c, ID: c.Last("tool_call_id"), Name: c.Last("function_name"), Value: c.Last("arguments")})
	}
	if r.Role != Assistant && (root.Last("tool_calls").Exists() || root.Last("metrics").Exists()) {
		r.fault("shape", root, "a step of the source %q has tool_calls or metrics, which only an agent has", r.Type)
	}
	observation := root.Last("observation")
	r.only(observation, "the observation", atifObservation)
	for res := range children(observation.Last("results")) {
		r.only(res, "the result", atifResult)
		id := res.Last("source_call_id")
		r.Parts = append(r.Parts, Part{Kind: Result, Node: res, ID: id, Value: res.Last("content"), NoPair: id.Missing()})
	}
	metrics := root.Last("metrics")
	r.Usage = usage(metrics, "prompt_tokens", "cached_tokens", "", "completion_tokens", "", "")
	r.Usage.Total = r.Usage.Input + r.Usage.Output
	r.Usage.Cost, _ = metrics.Last("cost_usd").Float()
}

// atifContent reads a message or content: a string or parts.
func (r *Record) atifContent(content strictjson.Node) {
	if isString(content) {
		r.Parts = append(r.Parts, Part{Kind: Text, Node: content, Value: content})
		return
	}
	for p := range children(content) {
		switch text(p.Last("type")) {
		case "text":
			r.Parts = append(r.Parts, Part{Kind: Text, Node: p, Value: p.Last("text")})
		case "image", "audio":
			source := p.Last("source")
			r.Parts = append(r.Parts, Part{Kind: Media, Node: p, Name: source.Last("media_type"), Value: source.Last("path"), Empty: text(source.Last("path")) == "" && text(source.Last("data")) == ""})
		}
	}
}
