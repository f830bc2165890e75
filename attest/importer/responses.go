package importer

import (
	"cmp"
	"slices"
	"strings"

	"github.com/cupel-dev/cupel/attest"
	"github.com/cupel-dev/cupel/attest/internal/wording"
	"github.com/cupel-dev/cupel/internal/strictjson"
)

func readResponses(c *conversation, root strictjson.Node) error {
	for _, x := range exchanges(root, isResponse, isItem) {
		c.exchange()
		if continues := x.request.Last("previous_response_id"); !continues.Missing() {
			clear(c.known) // the request repeats nothing
		}
		if err := readResponsesRequest(c, x.request); err != nil {
			return err
		}
		if err := readResponsesReply(c, x); err != nil {
			return err
		}
	}
	return nil
}

func isResponse(n strictjson.Node) bool { return n.Last("output").Is(strictjson.Array) }

// isItem reports whether a list element is an item: a message, or an object with a type.
func isItem(n strictjson.Node) bool {
	return n.Last("type").Is(strictjson.String) && !isResponse(n) || isMessage(n)
}

func readResponsesRequest(c *conversation, request strictjson.Node) error {
	if instructions := request.Last("instructions"); instructions.Is(strictjson.String) {
		c.instructed(instructions, readText(instructions, nil))
	}
	input := request
	if request.Is(strictjson.Object) {
		input = request.Last("input")
	}
	if input.Is(strictjson.String) {
		c.asked(input, readText(input, nil))
	}
	for n := range input.Children() {
		if err := readItem(c, n); err != nil {
			return err
		}
	}
	return nil
}

func readResponsesReply(c *conversation, x exchange) error {
	if !x.reply.Exists() {
		return nil
	}
	if !isResponse(x.reply) {
		return refuse(x.reply, "Give a reply of the Responses API with its list of items. Assemble streamed replies first.", `the reply has no list "output"`)
	}
	if instructions := x.reply.Last("instructions"); !x.request.Exists() && instructions.Is(strictjson.String) {
		c.instructed(instructions, readText(instructions, nil))
	}
	c.replied(x.reply, "created_at", &replyInfo{
		request: x.request, model: x.reply.Last("model"), finish: x.reply.Last("status"),
		usage: readUsage(x.reply.Last("usage"), []string{"input_tokens"}, []string{"output_tokens"}, "total_tokens"),
	})
	if x.reply.Last("output").Len() == 0 {
		c.answered(x.reply, message{})
	}
	for n := range x.reply.Last("output").Children() {
		if err := readItem(c, n); err != nil {
			return err
		}
	}
	return nil
}

// asides are types of items that are not actions of the agent.
var asides = []string{"item_reference", "mcp_list_tools", "mcp_approval_request", "mcp_approval_response", "compaction"}

func readItem(c *conversation, n strictjson.Node) error {
	typ, _ := n.Last("type").Text()
	switch {
	case typ == "message" || typ == "" && isMessage(n):
		return readItemMessage(c, n)
	case typ == "reasoning":
		c.reasoned(n, readText(n.Last("summary"), []string{"summary_text"}))
	case strings.HasSuffix(typ, "_call_output"):
		id := n.Last("call_id")
		if !id.Exists() {
			id = n.Last("id")
		}
		return c.returned(callResult{node: n, id: id, result: flat(n.Last("output"))})
	case strings.HasSuffix(typ, "_call"):
		return readItemCall(c, n, typ)
	case slices.Contains(asides, typ):
	default:
		c.unknown(n, typ)
	}
	return nil
}

// unknown keeps an item of unknown type as a step, because it can be a call.
func (c *conversation) unknown(n strictjson.Node, typ string) {
	id, _ := n.Last("id").Text()
	if c.fresh("unknown", []byte(typ), []byte(id)) {
		c.add(turn{node: n, typ: "unknown", name: cmp.Or(typ, "item"), of: n, args: n})
		c.lost = append(c.lost, loss{what: lostCalls, why: "an item of the unknown type '" + wording.Preview(typ) + "' may be a tool call", node: n})
	}
}

func readItemMessage(c *conversation, n strictjson.Node) error {
	role, _ := n.Last("role").Text()
	content := n.Last("content")
	says := readText(content, chatText)
	switch role {
	case "system", "developer":
		c.instructed(n, says)
	case "user":
		c.asked(n, says)
	case "assistant":
		var refusal text
		for part := range content.Children() {
			refusal = append(refusal, readText(part.Last("refusal"), nil)...)
		}
		c.answered(n, message{said: says, refusal: refusal})
	default:
		return noRole(n)
	}
	return nil
}

// reasoned adds the model's reasoning, which is not part of its answer.
func (c *conversation) reasoned(n strictjson.Node, says text) {
	id, _ := n.Last("id").Text()
	if c.fresh("reasoning", []byte(id), says.bytes()) {
		step := c.answer(n)
		step.thought = append(step.thought, says...)
	}
}

// readItemCall reads a tool call for the client, or one that the provider ran, with its result.
func readItemCall(c *conversation, n strictjson.Node, typ string) error {
	one := call{
		node: n, typ: attest.StepToolCall, id: n.Last("call_id"), name: n.Last("name"), fallback: strings.TrimSuffix(typ, "_call"),
		args: firstOf(n, "arguments", "input", "action", "operation", "code"),
	}
	if typ == "file_search_call" {
		one.typ, one.args = attest.StepRetrieval, firstOf(n, "queries")
	}
	if !one.id.Exists() {
		one.id = n.Last("id")
	}
	if err := c.called(n, one); err != nil {
		return err
	}
	result := firstOf(n, "results", "outputs", "output", "error")
	if id, _ := one.id.Text(); result.Missing() || c.closed[id] {
		return nil
	}
	return c.returned(callResult{node: n, id: one.id, result: result, inside: true})
}

// firstOf returns the first member of those names that is neither absent nor null.
func firstOf(n strictjson.Node, names ...string) strictjson.Node {
	for _, name := range names {
		if member := n.Last(name); !member.Missing() {
			return member
		}
	}
	return strictjson.Node{}
}
