package transcript

import (
	"bytes"

	"github.com/cupel-dev/cupel/internal/strictjson"
)

// Claude Code writes one record per content block. Records with a uuid form a tree by parentUuid;
// others describe the session.

// claudeTypes maps types of records without a uuid to their required member.
var claudeTypes = map[string]string{
	"summary": "leafUuid", "file-history-snapshot": "messageId", "queue-operation": "operation",
	"mode": "sessionId", "permission-mode": "sessionId", "ai-title": "sessionId", "custom-title": "sessionId",
	"last-prompt": "sessionId", "agent-name": "sessionId", "agent-setting": "sessionId", "tag": "sessionId",
	"pr-link": "sessionId", "worktree-state": "sessionId", "relocated": "relocatedCwd",
	"content-replacement": "replacements", "attribution-snapshot": "sessionId", "history-suppression": "sessionId",
	"tools-used": "sessionId", "session-owner": "sessionId",
}

func isClaude(root strictjson.Node) bool {
	typ := root.Last("type")
	if !isString(typ) {
		return false
	}
	if isString(root.Last("uuid")) && root.Last("parentUuid").Exists() && isString(root.Last("sessionId")) {
		return true
	}
	member, ok := claudeTypes[text(typ)]
	return ok && root.Last(member).Exists() && !root.Last("projectHash").Exists()
}

func readClaude(_ string, root strictjson.Node, r *Record) {
	r.Type = text(root.Last("type"))
	r.Session = root.Last("sessionId")
	r.set(Side, isTrue(root.Last("isSidechain")))
	r.Agent = root.Last("agentId")
	r.Folder = root.Last("cwd")
	if !isString(root.Last("uuid")) {
		_, known := claudeTypes[r.Type]
		r.set(Known, known)
		r.Flags |= Metadata | NoTime
		return
	}
	r.ID, r.Parent, r.Time = root.Last("uuid"), root.Last("parentUuid"), root.Last("timestamp")
	r.Flags |= Chained
	r.set(Copied, isObject(root.Last("forkedFrom")))
	message := root.Last("message")
	switch r.Type {
	case "user":
		r.Flags |= Known
		r.Role = User
		if claudeMessage(r, message) {
			claudeUser(r, root, message)
		}
	case "assistant":
		r.Flags |= Known
		r.Role = Assistant
		if claudeMessage(r, message) {
			claudeAssistant(r, root, message)
		}
	case "system":
		r.Flags |= Known
		r.Role = System
		if subtype := text(root.Last("subtype")); subtype != "" {
			r.Type += "/" + subtype
			r.set(MayRoot|Compacted, subtype == "compact_boundary")
		}
	case "attachment", "progress":
		r.Flags |= Known
	}
}

func claudeMessage(r *Record, message strictjson.Node) bool {
	content := message.Last("content")
	switch {
	case !message.Exists():
		r.fault("shape", message, "a record of the type %q has no message", r.Type)
	case !isObject(message):
		r.fault("shape", message, "message is %s, expected an object with role and content", article(message))
	case !isString(message.Last("role")) && message.Last("0").Exists():
		r.fault("shape", message, "message is split into %d characters, expected an object with a role", message.Len())
	case !isString(message.Last("role")):
		r.fault("shape", message, "message has no role")
	case !isString(content) && !content.Is(strictjson.Array):
		r.fault("shape", message, "content is %s, expected a string or a list of blocks", article(content))
	default:
		return true
	}
	return false
}

// injected are prefixes of user texts written by Claude Code itself.
var injected = [][]byte{
	[]byte("<command-name>"), []byte("<command-message>"), []byte("<command-args>"), []byte("<local-command-stdout>"), []byte("<local-command-stderr>"),
	[]byte("<local-command-caveat>"), []byte("Caveat: The messages below"), []byte("<bash-input>"), []byte("<bash-stdout>"),
	[]byte("<system-reminder>"), []byte("<task-notification>"),
}

var interrupted = []byte("[Request interrupted by user")

func claudeUser(r *Record, root, message strictjson.Node) {
	content := message.Last("content")
	results := false
	if isString(content) {
		r.Parts = append(r.Parts, Part{Kind: Text, Node: content, Value: content})
	}
	if content.Is(strictjson.Array) {
		for block := range content.Children() {
			results = claudeUserBlock(r, block) || results
		}
	}
	words, abort := false, false
	for i := range r.Parts {
		p := &r.Parts[i]
		if p.Kind == Media {
			words = true
		}
		if p.Kind != Text {
			continue
		}
		says := p.Value.TextBytes(nil)
		switch {
		case bytes.HasPrefix(says, interrupted):
			abort = true
		case !hasPrefix(says, injected):
			words = true
		}
	}
	r.set(Abort, abort)
	r.set(Prompt, words && !results && !abort && !isTrue(root.Last("isMeta")) && !isTrue(root.Last("isCompactSummary")) && !isTrue(root.Last("isVisibleInTranscriptOnly")))
}

// claudeUserBlock reads a block of a user record and reports whether it is a result.
func claudeUserBlock(r *Record, block strictjson.Node) bool {
	switch text(block.Last("type")) {
	case "text":
		r.Parts = append(r.Parts, Part{Kind: Text, Node: block, Value: block.Last("text")})
	case "tool_result":
		p := Part{Kind: Result, Node: block, ID: block.Last("tool_use_id"), Value: block.Last("content")}
		if isTrue(block.Last("is_error")) {
			p.Error = block.Last("is_error")
		}
		p.Cut = bytes.HasPrefix(bytes.TrimSpace(p.Value.TextBytes(nil)), []byte("<persisted-output>"))
		r.Parts = append(r.Parts, p)
		if p.Value.Is(strictjson.Array) {
			for inner := range p.Value.Children() {
				if kind := text(inner.Last("type")); kind == "image" || kind == "document" {
					r.Parts = append(r.Parts, claudeMedia(inner))
				}
			}
		}
		return true
	case "image", "document":
		r.Parts = append(r.Parts, claudeMedia(block))
	}
	return false
}

func claudeMedia(block strictjson.Node) Part {
	source := block.Last("source")
	p := Part{Kind: Media, Node: block, Name: source.Last("media_type"), Value: source.Last("data")}
	p.Empty = text(source.Last("type")) == "base64" && text(p.Value) == ""
	return p
}

func claudeAssistant(r *Record, root, message strictjson.Node) {
	r.Flags |= Model
	r.Response, r.Request, r.Model = message.Last("id"), root.Last("requestId"), message.Last("model")
	if r.Response.Missing() {
		r.Response = r.ID
	}
	r.set(Synthetic, r.Model.TextIs("<synthetic>"))
	r.Usage = usage(message.Last("usage"), "input_tokens", "cache_read_input_tokens", "cache_creation_input_tokens", "output_tokens", "", "")
	r.Usage.Total = r.Usage.Input + r.Usage.CacheRead + r.Usage.CacheWrite + r.Usage.Output
	content := message.Last("content")
	if isString(content) {
		r.Parts = append(r.Parts, Part{Kind: Text, Node: content, Value: content})
		return
	}
	for block := range content.Children() {
		switch text(block.Last("type")) {
		case "text":
			r.Parts = append(r.Parts, Part{Kind: Text, Node: block, Value: block.Last("text")})
		case "thinking":
			r.Parts = append(r.Parts, Part{Kind: Thought, Node: block, Value: block.Last("thinking")})
		case "tool_use":
			name := block.Last("name")
			sub := name.TextIs("Task") || name.TextIs("Agent")
			r.Parts = append(r.Parts, Part{Kind: Call, Node: block, ID: block.Last("id"), Name: name, Value: block.Last("input"), Sub: sub})
		case "server_tool_use":
			r.Parts = append(r.Parts, Part{Kind: Call, Node: block, ID: block.Last("id"), Name: block.Last("name"), Value: block.Last("input"), Server: true})
		}
	}
}

func hasPrefix(text []byte, list [][]byte) bool {
	text = bytes.TrimLeft(text, " \t\r\n")
	for _, prefix := range list {
		if bytes.HasPrefix(text, prefix) {
			return true
		}
	}
	return false
}
