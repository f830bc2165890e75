package importer

import (
	"strings"

	"github.com/cupel-dev/cupel/attest"
	"github.com/cupel-dev/cupel/internal/strictjson"
)

// readAnthropic reads conversations of the Anthropic Messages API.
func readAnthropic(c *conversation, root strictjson.Node) error {
	for _, x := range exchanges(root, isAnthropicReply, isMessage) {
		c.exchange()
		if err := readAnthropicRequest(c, x.request); err != nil {
			return err
		}
		if err := readAnthropicReply(c, x); err != nil {
			return err
		}
	}
	return nil
}

func isAnthropicReply(n strictjson.Node) bool {
	return n.Last("type").TextIs("message") && n.Last("content").Is(strictjson.Array) && n.Last("role").TextIs("assistant")
}

func readAnthropicRequest(c *conversation, request strictjson.Node) error {
	if system := request.Last("system"); !system.Missing() {
		c.instructed(system, readText(system, anthropicText))
	}
	messages := request
	if request.Is(strictjson.Object) {
		messages = request.Last("messages")
	}
	if request.Exists() && !messages.Is(strictjson.Array) {
		return noMessages(request, "Messages API")
	}
	for n := range messages.Children() {
		if err := readAnthropicMessage(c, n); err != nil {
			return err
		}
	}
	return nil
}

func readAnthropicReply(c *conversation, x exchange) error {
	if !x.reply.Exists() {
		return nil
	}
	if !isAnthropicReply(x.reply) {
		return refuse(x.reply, "Give a reply of the Messages API: an assistant message with a list of content blocks. Assemble streamed replies first.", "the reply is not a message")
	}
	c.replied(x.reply, "created_at", &replyInfo{
		request: x.request, model: x.reply.Last("model"), finish: x.reply.Last("stop_reason"),
		usage: readUsage(x.reply.Last("usage"), []string{"input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens"}, []string{"output_tokens"}, ""),
	})
	return readAnthropicMessage(c, x.reply)
}

var anthropicText = []string{"text"}

func readAnthropicMessage(c *conversation, n strictjson.Node) error {
	content := n.Last("content")
	says := readText(content, anthropicText)
	role, _ := n.Last("role").Text()
	switch role {
	case "system":
		c.instructed(n, says)
	case "user":
		if err := readBlocks(c, n, false); err != nil {
			return err
		}
		if len(says) > 0 || !holdsResult(content) {
			c.asked(n, says)
		}
	case "assistant":
		var thought text
		for block := range content.Children() {
			thought = append(thought, readText(block.Last("thinking"), nil)...)
		}
		c.answering = false // each message is a separate answer
		c.answered(n, message{said: says, thought: thought})
		return readBlocks(c, n, true)
	default:
		return noRole(n)
	}
	return nil
}

func isResult(block strictjson.Node) bool {
	typ, _ := block.Last("type").Text()
	return strings.HasSuffix(typ, "tool_result")
}

func holdsResult(content strictjson.Node) bool {
	for block := range content.Children() {
		if isResult(block) {
			return true
		}
	}
	return false
}

// readBlocks reads the tool calls and results in a message's content blocks.
func readBlocks(c *conversation, n strictjson.Node, assistant bool) error {
	for block := range n.Last("content").Children() {
		typ, _ := block.Last("type").Text()
		var err error
		switch {
		case isResult(block):
			err = c.returned(callResult{
				node: block, id: block.Last("tool_use_id"), result: flat(block.Last("content")),
				failed: block.Last("is_error"), inside: assistant,
			})
		case strings.HasSuffix(typ, "tool_use"):
			err = c.called(n, call{node: block, typ: attest.StepToolCall, id: block.Last("id"), name: block.Last("name"), args: block.Last("input")})
		}
		if err != nil {
			return err
		}
	}
	return nil
}
