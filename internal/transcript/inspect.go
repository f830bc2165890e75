package transcript

import (
	"github.com/cupel-dev/cupel/internal/strictjson"
)

// Inspect writes one document {version, status, eval, plan, results, samples}, or a zip file with
// those members. Each sample is a separate conversation.

func isInspect(first map[string]strictjson.Node) bool {
	// A .eval has its status at its end, out of sight here.
	status, eval := first["status"], first["eval"]
	return first["version"].Is(strictjson.Number) && (isString(status) || status.Missing() && isString(eval.Last("run_id"))) &&
		isObject(eval) && isObject(first["plan"])
}

func readInspect(list string, root strictjson.Node, r *Record) {
	if list != "samples" {
		r.Type = list
		r.Flags |= Known | Metadata | NoTime
		if list == "eval" {
			r.Flags |= Header
			r.Session, r.Model = root.Last("eval_id"), root.Last("model")
		}
		return
	}
	r.Type = "sample"
	r.Flags |= Known | NoTime
	r.ID = root.Last("uuid")
	for m := range children(root.Last("messages")) {
		inspectMessage(m, r)
	}
	usages := Usage{Known: isObject(root.Last("model_usage")), Node: root.Last("model_usage")}
	for u := range children(root.Last("model_usage")) {
		one := usage(u, "input_tokens", "input_tokens_cache_read", "input_tokens_cache_write", "output_tokens", "reasoning_tokens", "total_tokens")
		usages = usages.Plus(one)
		r.part(u, one)
	}
	usages.Node = root.Last("model_usage")
	r.Usage = usages
}

func inspectMessage(m strictjson.Node, r *Record) {
	content := m.Last("content")
	switch text(m.Last("role")) {
	case "assistant":
		r.Parts = append(r.Parts, Part{Kind: Begin, Node: m})
		r.inspectText(m, content)
		for c := range children(m.Last("tool_calls")) {
			r.Parts = append(r.Parts, Part{Kind: Call, Node: c, ID: c.Last("id"), Name: c.Last("function"), Value: c.Last("arguments")})
		}
		r.Parts = append(r.Parts, Part{Kind: Finish, Node: m})
	case "tool":
		r.Parts = append(r.Parts, Part{Kind: Result, Node: m, ID: m.Last("tool_call_id"), Value: content, Error: m.Last("error").Last("message"), NoPair: m.Last("tool_call_id").Missing()})
	case "user":
		r.Parts = append(r.Parts, Part{Kind: Turn, Node: m})
		r.inspectText(m, content)
	case "system":
	default:
		r.fault("shape", m, "a message without a known role")
	}
}

func (r *Record) inspectText(m, content strictjson.Node) {
	if isString(content) {
		r.Parts = append(r.Parts, Part{Kind: Text, Node: m, Value: content})
		return
	}
	for p := range children(content) {
		switch text(p.Last("type")) {
		case "text":
			r.Parts = append(r.Parts, Part{Kind: Text, Node: p, Value: p.Last("text")})
		case "reasoning":
			r.Parts = append(r.Parts, Part{Kind: Thought, Node: p, Value: p.Last("reasoning")})
		}
	}
}
