package transcript

import (
	"github.com/cupel-dev/cupel/internal/strictjson"
)

// `opencode export` writes {info, messages: [{info, parts}]}. A call and its result form one part.

func isOpenCode(first map[string]strictjson.Node) bool {
	message := first["messages"]
	if !isObject(first["info"]) || !message.Exists() {
		return false
	}
	if message.Is(strictjson.Array) { // not a message
		return isString(first["info"].Last("projectID")) || isString(first["info"].Last("directory"))
	}
	return isString(message.Last("info").Last("role")) && message.Last("parts").Is(strictjson.Array)
}

func readOpenCode(list string, root strictjson.Node, r *Record) {
	if list != "messages" {
		r.Type = list
		r.Flags |= Known | Metadata | NoTime
		if list == "info" {
			r.Flags |= Header
			r.Session, r.Parent, r.Folder = root.Last("id"), root.Last("parentID"), root.Last("directory")
			r.set(Forked, !r.Parent.Missing())
			r.Rewind = root.Last("revert").Last("messageID")
		}
		return
	}
	info := root.Last("info")
	r.Type = text(info.Last("role"))
	if !isObject(info) || !isString(info.Last("role")) {
		r.fault("shape", info, "a message without info and role")
		return
	}
	r.Flags |= Known
	r.ID, r.Session, r.Time = info.Last("id"), info.Last("sessionID"), info.Last("time").Last("created")
	if r.Type == "assistant" {
		r.Role = Assistant
		r.Flags |= Model
		r.Flags |= Chained
		r.Parent, r.Model = info.Last("parentID"), info.Last("modelID")
		r.Folder = info.Last("path").Last("cwd")
		r.Sum = openCodeUsage(info)
		r.set(Abort, info.Last("error").Last("name").TextIs("MessageAbortedError"))
	} else {
		r.Role = User
	}
	parts := root.Last("parts")
	if !parts.Is(strictjson.Array) {
		r.fault("shape", parts, "parts is %s, expected a list", article(parts))
	}
	for p := range children(parts) {
		before := len(r.Parts)
		openCodePart(p, r)
		if len(r.Parts) > before {
			r.Parts[before].Session = p.Last("sessionID")
		}
	}
}

func openCodePart(p strictjson.Node, r *Record) {
	own := p.Last("id")
	switch text(p.Last("type")) {
	case "text":
		if isTrue(p.Last("synthetic")) || isTrue(p.Last("ignored")) {
			return
		}
		r.set(Prompt, r.Role == User)
		r.Parts = append(r.Parts, Part{Kind: Text, Node: p, Own: own, Value: p.Last("text")})
	case "reasoning":
		r.Parts = append(r.Parts, Part{Kind: Thought, Node: p, Own: own, Value: p.Last("text")})
	case "tool":
		openCodeTool(p, r)
	case "file":
		url := p.Last("url")
		r.set(Prompt, r.Role == User)
		r.Parts = append(r.Parts, Part{Kind: Media, Node: p, Own: own, Name: p.Last("mime"), Value: url, Empty: !isString(url) || url.TextIs("")})
	case "step-start":
		r.Parts = append(r.Parts, Part{Kind: Begin, Node: p, Own: own})
	case "step-finish":
		r.Parts = append(r.Parts, Part{Kind: Finish, Node: p, Own: own, Usage: openCodeUsage(p)})
	case "compaction":
		r.Flags |= Compacted
	default:
		r.Parts = append(r.Parts, Part{Node: p, Own: own})
	}
}

// openCodeUsage reads tokens and cost. Input excludes cached tokens.
func openCodeUsage(n strictjson.Node) Usage {
	tokens := n.Last("tokens")
	u := usage(tokens, "input", "", "", "output", "reasoning", "")
	read, okRead := count(tokens.Last("cache"), "read")
	write, okWrite := count(tokens.Last("cache"), "write")
	u.CacheRead, u.CacheWrite, u.Known = read, write, u.Known && okRead && okWrite
	u.Total = u.Input + u.Output + u.Reasoning + read + write
	u.Cost, _ = n.Last("cost").Float()
	return u
}

func openCodeTool(p strictjson.Node, r *Record) {
	state, id := p.Last("state"), p.Last("callID")
	status := text(state.Last("status"))
	call := Part{Kind: Call, Node: p, Own: p.Last("id"), ID: id, Name: p.Last("tool"), Value: state.Last("input"), Open: status != "completed" && status != "error", Sub: p.Last("tool").TextIs("task")}
	if call.Value.Missing() {
		call.Value = state.Last("raw")
	}
	r.Parts = append(r.Parts, call)
	result := Part{Kind: Result, Node: p, ID: id, Value: state.Last("output"), Cut: !state.Last("time").Last("compacted").Missing()}
	switch status {
	case "error":
		result.Error = state.Last("error")
		if result.Value.Missing() {
			result.Value = result.Error
		}
		r.Parts = append(r.Parts, result)
	case "completed":
		r.Parts = append(r.Parts, result)
	}
	for a := range children(state.Last("attachments")) {
		url := a.Last("url")
		r.Parts = append(r.Parts, Part{Kind: Media, Node: a, Value: url, Empty: url.TextIs("")})
	}
}
