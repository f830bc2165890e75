package importer

import (
	"slices"
	"strings"

	"github.com/cupel-dev/cupel/internal/strictjson"
)

// chatMessage is a message in a common form for all APIs and frameworks.
type chatMessage struct {
	node    strictjson.Node
	role    string // system, user, assistant or tool; "" if unknown
	text    text
	thought text
	calls   []callPart
	results []resultPart
	finish  strictjson.Node
	usage   usage
	model   strictjson.Node
}

// speech is a list of messages and of the parts that could not be read.
type speech struct {
	list []chatMessage
	lost []loss
}

type callPart struct {
	node, id, name, args strictjson.Node
	typ                  string          // of a hosted tool: its name where it has no other
	result               strictjson.Node // of a call that brings its result along
	failed               strictjson.Node
}

// resultPart is a call's result in the messages.
type resultPart struct {
	node, id, name, result, failed strictjson.Node
}

func first(kept *text, says text) {
	if len(*kept) == 0 {
		*kept = says
	}
}

// hear reads messages: a list, a nested list (its first element), one message, or a text by the user. An object can
// contain the list, for example as "messages".
func (m *maker) hear(n strictjson.Node, role string) (s speech) {
	n = m.parsed(n)
	switch {
	case n.Is(strictjson.String):
		if !n.TextIs("") {
			s.add(chatMessage{node: n, role: role, text: text{n}})
		}
		s.masked(n)
	case n.Is(strictjson.Array):
		if n.At(0).Is(strictjson.Array) && n.Len() == 1 || n.At(0).Is(strictjson.Array) && n.At(0).At(0).Is(strictjson.Object) {
			return m.hear(n.At(0), role)
		}
		if isParts(n) {
			s.message(m, n, role, n)
			return s
		}
		for one := range n.Children() {
			s.hear(m, one, role)
		}
	case n.Is(strictjson.Object):
		s.object(m, n, role)
	}
	return s
}

// masked records a text that its writer redacted or shortened.
func (s *speech) masked(n strictjson.Node) {
	if isMasked(n) {
		s.lost = append(s.lost, loss{what: lostMessages, why: "a text was redacted or cut by its writer", node: n})
	}
}

// object reads an object that is a message or contains messages.
func (s *speech) object(m *maker, n strictjson.Node, role string) {
	if system := firstOf(n, "system", "instructions", "system_instruction", "systemInstruction"); !system.Missing() && !n.Last("role").Exists() {
		s.join(m.hear(system, "system"), "system")
	}
	for _, name := range []string{"messages", "contents", "input", "prompt", "prompts"} {
		if list := n.Last(name); !list.Missing() && !n.Last("role").Exists() && !n.Last("toolCallId").Exists() && !n.Last("name").Exists() {
			s.join(m.hear(list, role), "")
			return
		}
	}
	switch {
	case n.Last("choices").Is(strictjson.Array):
		choice := firstChoice(n.Last("choices"))
		s.hear(m, firstOf(choice, "message", "delta"), "assistant")
		s.reply(choice.Last("finish_reason"), usageOfNode(n.Last("usage")), n.Last("model"))
	case n.Last("candidates").Is(strictjson.Array):
		candidate := n.Last("candidates").At(0)
		s.hear(m, candidate.Last("content"), "assistant")
		s.reply(firstOf(candidate, "finishReason", "finish_reason"), usageOfNode(firstOf(n, "usageMetadata", "usage_metadata")), firstOf(n, "modelVersion", "model_version"))
	case n.Last("generations").Is(strictjson.Array):
		generation := n.Last("generations").At(0)
		if generation.Is(strictjson.Array) {
			generation = generation.At(0)
		}
		if message := generation.Last("message"); message.Is(strictjson.Object) {
			s.hear(m, message, "assistant")
		} else if text := generation.Last("text"); text.Is(strictjson.String) {
			s.add(chatMessage{node: generation, role: "assistant", text: readText(text, nil)})
		}
		s.reply(generation.Last("generation_info").Last("finish_reason"), usage{}, strictjson.Node{})
	case n.Last("output").Is(strictjson.Array) && !n.Last("role").Exists():
		s.join(m.hear(n.Last("output"), "assistant"), "")
		s.reply(strictjson.Node{}, usageOfNode(n.Last("usage")), n.Last("model"))
	case n.Last("output").Last("message").Is(strictjson.Object):
		s.hear(m, n.Last("output").Last("message"), "assistant")
		s.reply(n.Last("stopReason"), usageOfNode(n.Last("usage")), n.Last("modelId"))
	default:
		s.hear(m, n, role)
	}
}

// join appends the messages of another speech.
func (s *speech) join(other speech, role string) {
	for _, one := range other.list {
		if role != "" {
			one.role = role
		}
		s.list = append(s.list, one)
	}
	s.lost = append(s.lost, other.lost...)
}

// reply adds reply data to the last message.
func (s *speech) reply(finish strictjson.Node, u usage, model strictjson.Node) {
	if len(s.list) == 0 {
		return
	}
	last := &s.list[len(s.list)-1]
	if last.finish.Missing() {
		last.finish = finish
	}
	if !last.usage.known {
		last.usage = u
	}
	if last.model.Missing() {
		last.model = model
	}
}

func (s *speech) add(one chatMessage) { s.list = append(s.list, one) }

// hear reads one message, or an item of the Responses API, which is part of a message.
func (s *speech) hear(m *maker, n strictjson.Node, role string) {
	if pair := n; pair.Is(strictjson.Array) && pair.Len() == 2 && pair.At(0).Is(strictjson.String) { // ("user", "text")
		who, _ := pair.At(0).Text()
		s.add(chatMessage{node: n, role: roleNamed(who), text: readText(pair.At(1), chatText)})
		return
	}
	if n.Is(strictjson.String) {
		s.add(chatMessage{node: n, role: role, text: readText(n, nil)})
		return
	}
	if !n.Is(strictjson.Object) {
		return
	}
	inner := n
	if message := n.Last("message"); message.Is(strictjson.Object) && !n.Last("role").Exists() {
		inner = message
	}
	inner = constructed(inner)
	who := roleNamed(roleOf(n, inner))
	if who == "" {
		who = role
	}
	s.message(m, n, who, inner)
}

func (s *speech) message(m *maker, n strictjson.Node, role string, inner strictjson.Node) {
	one := chatMessage{node: n, role: role}
	c := partReader{m: m, said: &one, speech: s}
	switch {
	case inner.Is(strictjson.Array):
		c.parts(inner)
	case isItemPart(inner):
		c.part(inner)
		if one.role != "tool" && (len(one.calls) > 0 || len(one.thought) > 0) {
			one.role = "assistant"
		}
		if len(one.results) > 0 && len(one.calls) == 0 {
			one.role = "tool"
		}
	default:
		c.members(inner)
	}
	s.add(one)
}

func roleNamed(word string) string {
	switch strings.ToLower(word) {
	case "system", "developer":
		return "system"
	case "user", "human":
		return "user"
	case "assistant", "ai", "model", "aimessagechunk", "agent":
		return "assistant"
	case "tool", "function", "toolmessage", "tool-response", "ipython":
		return "tool"
	}
	return ""
}

// isItemPart reports whether an object without role is a separate call or result: a Responses API item or a single
// message part.
func isItemPart(n strictjson.Node) bool {
	if n.Last("role").Is(strictjson.String) {
		return false
	}
	typ, _ := n.Last("type").Text()
	if _, call := callOf(n, typ); call {
		return true
	}
	return isResultType(typ) || typ == "reasoning" && !n.Last("content").Is(strictjson.String) || n.Last("toolCallId").Is(strictjson.String) && n.Last("toolName").Is(strictjson.String)
}

// isParts reports whether a list holds the parts of one message: blocks without roles.
func isParts(n strictjson.Node) bool {
	for part := range n.Children() {
		if !part.Is(strictjson.Object) || part.Last("role").Exists() || part.Last("message").Exists() || part.Last("kwargs").Exists() || part.Last("data").Is(strictjson.Object) {
			return false
		}
		typ, _ := part.Last("type").Text()
		switch typ {
		case "human", "ai", "system", "tool", "message":
			return false
		}
		_, call := callOf(part, typ)
		if !call && !isResultType(typ) && !part.Last("text").Exists() && typ != "text" && !part.Last("toolResult").Exists() && !part.Last("function_response").Exists() && !part.Last("functionResponse").Exists() {
			return false
		}
	}
	return n.Len() > 0
}

func (s *speech) user() (says text)   { return s.firstOf("user") }
func (s *speech) system() (says text) { return s.firstOf("system") }

func (s *speech) firstOf(role string) (says text) {
	for _, one := range s.list {
		if one.role == role {
			first(&says, one.text)
		}
	}
	return says
}

// answers returns the assistant's last message, with the calls and results of all its messages.
func (s *speech) answers() (a chatMessage) {
	for _, one := range s.list {
		if one.role == "user" || one.role == "system" {
			continue
		}
		if one.role != "tool" && len(one.text) > 0 {
			a.text = one.text
		}
		a.thought = append(a.thought, one.thought...)
		a.calls, a.results = append(a.calls, one.calls...), append(a.results, one.results...)
		if !one.finish.Missing() {
			a.finish = one.finish
		}
		if one.usage.known {
			a.usage = one.usage
		}
		if !one.model.Missing() {
			a.model = one.model
		}
	}
	return a
}

func (s *speech) results() (list []resultPart) {
	for _, one := range s.list {
		list = append(list, one.results...)
	}
	return list
}

func (s *speech) calls() (list []callPart) {
	for _, one := range s.list {
		list = append(list, one.calls...)
	}
	return list
}

// usageOfNode reads token counts under all names used by APIs. Subtotals, such as cached tokens, are not added.
func usageOfNode(n strictjson.Node) usage {
	if !n.Is(strictjson.Object) {
		return usage{}
	}
	input := firstOf(n, "input_tokens", "prompt_tokens", "inputTokens", "promptTokens", "promptTokenCount", "prompt_token_count", "input")
	output := firstOf(n, "output_tokens", "completion_tokens", "outputTokens", "completionTokens", "candidatesTokenCount", "candidates_token_count", "output")
	total := firstOf(n, "total_tokens", "totalTokens", "totalTokenCount", "total_token_count", "total")
	if input.Missing() && output.Missing() && total.Missing() {
		return usage{}
	}
	if input.Is(strictjson.Object) {
		input = input.Last("total")
	}
	if output.Is(strictjson.Object) {
		output = output.Last("total")
	}
	u := usageOf(input, output, total)
	for _, cached := range []string{"cache_creation_input_tokens", "cache_read_input_tokens"} { // Anthropic counts them separately
		if count, ok := n.Last(cached).Int(); ok && count > 0 && total.Missing() && n.Last("input_tokens").Exists() {
			u.input, u.total = u.input+count, u.total+count
		}
	}
	return u
}

// knownParts are types of parts without calls, results or text.
var knownParts = []string{
	"image", "image_url", "input_image", "input_audio", "audio", "file", "input_file", "document", "blob", "uri", "video", "refusal", "compaction",
	"step-start", "step-finish", "source", "source-url", "source-document", "redacted_thinking", "redacted-reasoning", "media", "json", "data", "custom",
	"item_reference", "mcp_list_tools", "mcp_approval_request", "mcp_approval_response", "summary_text", "output_audio", "container_upload", "search_result",
}

func isKnownPart(typ string) bool {
	return slices.Contains(knownParts, typ) || strings.HasPrefix(typ, "data-")
}
