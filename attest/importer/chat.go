package importer

import (
	"github.com/cupel-dev/cupel/attest"
	"github.com/cupel-dev/cupel/attest/internal/wording"
	"github.com/cupel-dev/cupel/internal/strictjson"
)

// exchange is a model request and its reply; either can be missing.
type exchange struct{ request, reply strictjson.Node }

// exchanges returns the exchanges in a value: a single one, a list of them, or a request's list of messages or
// items.
func exchanges(root strictjson.Node, isReply, isItem func(strictjson.Node) bool) []exchange {
	if root.Is(strictjson.Array) && !isItem(root.At(0)) {
		var list []exchange
		for n := range root.Children() {
			list = append(list, oneExchange(n, isReply))
		}
		return list
	}
	if root.Is(strictjson.Array) {
		return []exchange{{request: root}}
	}
	return []exchange{oneExchange(root, isReply)}
}

func oneExchange(n strictjson.Node, isReply func(strictjson.Node) bool) exchange {
	request, reply := body(n.Last("request")), body(n.Last("response"))
	switch {
	case isReply(n) && (n.Last("messages").Exists() || n.Last("input").Exists()): // one object for both
		return exchange{n, n}
	case isReply(n):
		return exchange{reply: n}
	case request.Exists() || reply.Exists():
		if !request.Exists() && !isReply(body(n)) { // the request's members are next to the reply's
			request = body(n)
		}
		return exchange{request, reply}
	}
	return exchange{request: body(n)}
}

// body returns a logged request or response, unwrapped from a record with method, URL or status.
func body(n strictjson.Node) strictjson.Node {
	if inner := n.Last("body"); inner.Is(strictjson.Object) {
		return inner
	}
	return n
}

// readChat reads conversations of the Chat Completions API.
func readChat(c *conversation, root strictjson.Node) error {
	for _, x := range exchanges(root, isChatReply, isMessage) {
		c.exchange()
		if err := readChatRequest(c, x.request); err != nil {
			return err
		}
		if err := readChatReply(c, x); err != nil {
			return err
		}
	}
	return nil
}

func isChatReply(n strictjson.Node) bool { return n.Last("choices").Is(strictjson.Array) }

func isMessage(n strictjson.Node) bool { return n.Last("role").Is(strictjson.String) }

func readChatRequest(c *conversation, request strictjson.Node) error {
	messages := request
	if request.Is(strictjson.Object) {
		messages = request.Last("messages")
	}
	if request.Exists() && !messages.Is(strictjson.Array) {
		return noMessages(request, "Chat Completions API")
	}
	for n := range messages.Children() {
		if err := readChatMessage(c, n); err != nil {
			return err
		}
	}
	return nil
}

func readChatReply(c *conversation, x exchange) error {
	if !x.reply.Exists() {
		return nil
	}
	choices := x.reply.Last("choices")
	choice := firstChoice(choices)
	said := choice.Last("message")
	if !said.Is(strictjson.Object) {
		return refuse(x.reply, "Give a reply of the Chat Completions API with \"choices\", each with a message. Assemble streamed replies first.", "the reply has no message in its choices")
	}
	reply := &replyInfo{
		request: x.request, model: x.reply.Last("model"), finish: choice.Last("finish_reason"),
		usage: readUsage(x.reply.Last("usage"), []string{"prompt_tokens"}, []string{"completion_tokens"}, "total_tokens"),
	}
	if choices.Len() > 1 {
		reply.choices = choices
	}
	c.replied(x.reply, "created", reply)
	return readAssistant(c, said)
}

func firstChoice(choices strictjson.Node) strictjson.Node {
	for choice := range choices.Children() {
		if index, ok := choice.Last("index").Int(); ok && index == 0 {
			return choice
		}
	}
	return choices.At(0)
}

func (c *conversation) replied(n strictjson.Node, created string, reply *replyInfo) {
	if !c.id.Exists() {
		c.id, c.created = n.Last("id"), n.Last(created)
	}
	c.reply, c.answering = reply, false
}

func readChatMessage(c *conversation, n strictjson.Node) error {
	role, _ := n.Last("role").Text()
	content := n.Last("content")
	switch role {
	case "system", "developer":
		c.instructed(n, readText(content, chatText))
	case "user":
		c.asked(n, readText(content, chatText))
	case "assistant":
		return readAssistant(c, n)
	case "tool":
		return c.returned(callResult{node: n, id: n.Last("tool_call_id"), result: flat(content)})
	case "function":
		return c.returned(callResult{node: n, id: n.Last("name"), result: flat(content)})
	default:
		return noRole(n)
	}
	return nil
}

func noRole(n strictjson.Node) error {
	role := n.Last("role")
	if !role.Exists() {
		return refuse(n, "Every message has a role.", "a message has no role")
	}
	return refuse(role, "Keep only the messages of the conversation, or name another format with --from.", "a message has the unknown role %s", wording.ShowValue(role))
}

// chatText are the types of message parts with text.
var chatText = []string{"text", "input_text", "output_text"}

func readAssistant(c *conversation, n strictjson.Node) error {
	content := n.Last("content")
	says := message{said: readText(content, chatText), refusal: readText(n.Last("refusal"), nil), thought: readText(n.Last("reasoning_content"), nil)}
	for part := range content.Children() {
		says.refusal = append(says.refusal, readText(part.Last("refusal"), nil)...)
	}
	c.answering = false // each message is a separate answer
	c.answered(n, says)
	for one := range n.Last("tool_calls").Children() {
		function := one.Last("function")
		if !function.Is(strictjson.Object) {
			function = one.Last("custom")
		}
		args := function.Last("arguments")
		if !args.Exists() {
			args = function.Last("input")
		}
		if err := c.called(n, call{node: one, typ: attest.StepToolCall, id: one.Last("id"), name: function.Last("name"), args: args}); err != nil {
			return err
		}
	}
	if one := n.Last("function_call"); one.Is(strictjson.Object) {
		return c.called(n, call{node: one, typ: attest.StepToolCall, id: one.Last("name"), name: one.Last("name"), args: one.Last("arguments")})
	}
	return nil
}

// readText returns the text of a message's content: a string, or the text parts of the given types.
func readText(content strictjson.Node, types []string) (says text) {
	if content.Is(strictjson.String) {
		if content.TextIs("") {
			return nil
		}
		return text{content}
	}
	if !content.Is(strictjson.Array) {
		return nil
	}
	for part := range content.Children() {
		if part.Is(strictjson.String) {
			says = append(says, part)
		}
		piece := part.Last("text")
		for _, typ := range types {
			if part.Last("type").TextIs(typ) && piece.Is(strictjson.String) {
				says = append(says, piece)
			}
		}
	}
	return says
}

// flat returns the text of a list with a single text part, or the content unchanged.
func flat(content strictjson.Node) strictjson.Node {
	if content.Is(strictjson.Array) && content.Len() == 1 && content.At(0).Last("type").TextIs("text") && content.At(0).Last("text").Is(strictjson.String) {
		return content.At(0).Last("text")
	}
	return content
}
