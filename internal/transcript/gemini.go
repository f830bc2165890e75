package transcript

import (
	"github.com/cupel-dev/cupel/internal/strictjson"
)

// Gemini CLI writes metadata, messages and changes ({"$set":…}, {"$rewindTo":…}). A message with a known id
// replaces the earlier one. Before April 2026 a session was one document with the same messages.

var geminiTypes = set("user", "gemini", "info", "error", "warning")

func isGemini(root strictjson.Node) bool {
	switch {
	case isString(root.Last("sessionId")) && isString(root.Last("projectHash")):
		return true
	case root.Last("$set").Exists() || root.Last("$rewindTo").Exists():
		return root.Len() == 1
	}
	return isString(root.Last("id")) && root.Last("timestamp").Exists() && geminiTypes[text(root.Last("type"))] && root.Last("content").Exists() &&
		!root.Last("parentUuid").Exists() && !root.Last("parentId").Exists()
}

func provesGemini(root strictjson.Node) bool {
	return isGemini(root) && !isString(root.Last("id")) || isGemini(root) && root.Last("type").TextIs("gemini")
}

func isGeminiDocument(first map[string]strictjson.Node) bool {
	message := first["messages"]
	return isString(first["sessionId"]) && isString(first["projectHash"]) && first["messages"].Exists() &&
		(geminiTypes[text(message.Last("type"))] || message.Is(strictjson.Array))
}

func readGemini(list string, root strictjson.Node, r *Record) {
	switch {
	case list == "sessionId":
		r.Type, r.Session = "metadata", root
		r.Flags |= Header | Known | Metadata | NoTime
	case list != "" && list != "messages":
		r.Type = "metadata"
		r.Flags |= Known | Metadata | NoTime
	case isString(root.Last("sessionId")) && isString(root.Last("projectHash")):
		r.Type, r.Session = "metadata", root.Last("sessionId")
		r.Flags |= Header | Known | Metadata | NoTime
		if messages := root.Last("messages"); messages.Is(strictjson.Array) {
			r.Messages = messages
		}
	case root.Last("$set").Exists():
		r.Type = "$set"
		r.Flags |= Known | Metadata | NoTime
		if messages := root.Last("$set").Last("messages"); messages.Is(strictjson.Array) {
			r.Messages = messages
		}
	case root.Last("$rewindTo").Exists():
		r.Type, r.Rewind = "$rewindTo", root.Last("$rewindTo")
		r.Flags |= Known | Metadata | NoTime
	default:
		geminiMessage(root, r)
	}
}

// geminiInjected are prefixes of user texts that are not prompts.
var geminiInjected = [][]byte{[]byte("<session_context>"), []byte("<hook_context>"), []byte("/"), []byte("?")}

func geminiMessage(root strictjson.Node, r *Record) {
	r.Type = text(root.Last("type"))
	r.ID, r.Time = root.Last("id"), root.Last("timestamp")
	r.Flags |= Update
	r.set(Known, geminiTypes[r.Type])
	content := root.Last("content")
	if r.Has(Known) && !isString(content) && !content.Is(strictjson.Array) && !isObject(content) {
		r.fault("shape", content, "content is %s, expected a string or parts", article(content))
	}
	r.geminiParts(content)
	words := false
	for i := range r.Parts {
		p := &r.Parts[i]
		words = words || p.Kind == Media || p.Kind == Text && !hasPrefix(p.Value.TextBytes(nil), geminiInjected)
	}
	switch r.Type {
	case "user":
		r.Role = User
		r.set(Prompt, words)
	case "gemini":
		r.Role = Assistant
		r.Flags |= Model
		r.Response, r.Model = r.ID, root.Last("model")
		for t := range children(root.Last("thoughts")) {
			r.Parts = append(r.Parts, Part{Kind: Thought, Node: t, Value: t.Last("description")})
		}
		r.Usage = usage(root.Last("tokens"), "input", "cached", "", "output", "thoughts", "total")
		for c := range children(root.Last("toolCalls")) {
			geminiCall(c, r)
		}
	default:
		r.Role = System
	}
}

// geminiParts reads content: a string, a part or a list of parts.
func (r *Record) geminiParts(content strictjson.Node) {
	piece := func(p strictjson.Node) {
		switch {
		case isString(p):
			r.Parts = append(r.Parts, Part{Kind: Text, Node: p, Value: p})
		case isString(p.Last("text")):
			r.Parts = append(r.Parts, Part{Kind: Text, Node: p, Value: p.Last("text")})
		case p.Last("inlineData").Exists():
			data := p.Last("inlineData").Last("data")
			r.Parts = append(r.Parts, Part{Kind: Media, Node: p, Value: data, Empty: text(data) == ""})
		case p.Last("fileData").Exists():
			r.Parts = append(r.Parts, Part{Kind: Media, Node: p, Value: p.Last("fileData").Last("fileUri")})
		}
	}
	if !content.Is(strictjson.Array) {
		piece(content)
		return
	}
	for p := range content.Children() {
		piece(p)
	}
}

func geminiCall(c strictjson.Node, r *Record) {
	id := c.Last("id")
	p := Part{Kind: Call, Node: c, ID: id, Name: c.Last("name"), Value: c.Last("args"), Time: c.Last("timestamp"), Sub: !c.Last("agentId").Missing()}
	status := text(c.Last("status"))
	p.Open = status != "success" && status != "error" && status != "cancelled"
	r.Parts = append(r.Parts, p)
	result := c.Last("result")
	answered := false
	for piece := range children(result) {
		answer := piece.Last("functionResponse")
		if !answer.Exists() {
			continue
		}
		response := answer.Last("response")
		res := Part{Kind: Result, Node: answer, ID: answer.Last("id"), Value: response.Last("output")}
		if e := response.Last("error"); !e.Missing() {
			res.Error = e
			if res.Value.Missing() {
				res.Value = e
			}
		}
		if res.Value.Missing() {
			res.Value = response
		}
		if res.ID.Missing() {
			res.ID = id
		}
		if status == "error" && res.Error.Missing() {
			res.Error = c.Last("status")
		}
		answered = true
		r.Parts = append(r.Parts, res)
	}
	if isString(result) {
		answered = true
		r.Parts = append(r.Parts, Part{Kind: Result, Node: c, ID: id, Value: result})
	}
	if !answered && !p.Open {
		r.Parts = append(r.Parts, Part{Kind: Result, Node: c, ID: id, Value: c.Last("resultDisplay")})
	}
}
