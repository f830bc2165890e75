package importer

import (
	"encoding/hex"
	"iter"
	"time"

	"github.com/cupel-dev/cupel/attest"
	"github.com/cupel-dev/cupel/internal/strictjson"
)

func (c *conversation) write(m *maker) error {
	const detail = "A trace must contain the agent's answer: keep the reply of the model."
	switch {
	case c.over.Exists():
		return refuse(c.over, "Split the conversation, or leave out what no assertion needs.", "trace exceeds max steps: more than %d", c.most)
	case len(c.steps) == 0:
		return refuse(c.root, detail, "the conversation has no message from the model")
	}
	m.open('{', c.root)
	m.member("schema_version")
	m.int(c.root, attest.SchemaVersion)
	m.member("trace_id")
	if id, ok := c.id.Text(); ok && id != "" {
		m.copy(c.id)
	} else {
		m.text(c.root, "trc_"+hex.EncodeToString(c.all.Sum(nil)[:8]))
	}
	c.writeInput(m)
	m.member("steps")
	m.open('[', c.root)
	for i := range c.steps {
		c.steps[i].write(m)
	}
	m.close(']')
	if c.ends {
		c.steps[c.latest].writeOutput(m)
	} else { // the last message was not answered
		m.member("output")
		m.open('{', c.root)
		m.member("status")
		m.text(c.root, "unanswered")
		m.close('}')
	}
	c.writeMetadata(m)
	m.close('}')
	return nil
}

func (c *conversation) writeInput(m *maker) {
	if len(c.user) == 0 && len(c.system) == 0 {
		return
	}
	m.member("input")
	m.open('{', c.root)
	if len(c.user) > 0 {
		m.member("user_message")
		m.joined(c.user)
	}
	if len(c.system) > 0 {
		m.member("system")
		m.joined(c.system)
	}
	m.close('}')
}

// writeMetadata writes the totals of the replies. If one answer lacks tokens, the total is omitted, because a
// smaller total could pass a budget check.
func (c *conversation) writeMetadata(m *maker) {
	var total usage
	var model strictjson.Node
	first := true
	for i := range c.steps {
		step := &c.steps[i]
		if step.typ != attest.StepLLMCall {
			continue
		}
		var own usage
		if step.reply != nil {
			own = step.reply.usage
			if step.reply.model.Is(strictjson.String) {
				model = step.reply.model
			}
		}
		if first {
			total, first = own, false
		} else {
			total = total.plus(own)
		}
	}
	m.member("metadata")
	m.open('{', c.root)
	if total.known {
		m.member("total_tokens")
		m.int(total.node, total.total)
	}
	if model.Exists() {
		m.member("model")
		m.copy(model)
	}
	if seconds, ok := c.created.Float(); ok && seconds >= 0 && seconds < maxSeconds {
		m.member("timestamp")
		m.text(c.created, time.Unix(int64(seconds), 0).UTC().Format(time.RFC3339))
	}
	m.close('}')
}

// maxSeconds is the end of year 9999, the last of RFC 3339, in seconds since 1970.
const maxSeconds = 253_402_300_800

func (t *turn) write(m *maker) {
	m.open('{', t.node)
	m.member("type")
	m.text(t.node, string(t.typ))
	m.member("name")
	m.text(t.of, t.name)
	if t.typ == attest.StepLLMCall {
		t.writeAnswer(m)
	} else {
		t.writeCall(m)
	}
	m.close('}')
}

func (t *turn) writeAnswer(m *maker) {
	reply := t.reply
	if reply == nil {
		reply = new(replyInfo)
	}
	m.member("args")
	m.open('{', t.node)
	for member := range settings(reply.request) {
		m.member(member.Key())
		m.copy(member)
	}
	m.member("messages")
	m.list(t.node, t.news)
	m.close('}')
	m.member("result")
	m.open('{', t.node)
	for _, said := range []struct {
		name string
		text text
	}{{"completion", t.said}, {"refusal", t.refusal}, {"reasoning", t.thought}} {
		if len(said.text) > 0 {
			m.member(said.name)
			m.joined(said.text)
		}
	}
	if len(t.calls) > 0 {
		m.member("tool_calls")
		m.list(t.node, t.calls)
	}
	for _, member := range []struct {
		name string
		node strictjson.Node
	}{{"finish_reason", reply.finish}, {"choices", reply.choices}} {
		if !member.node.Missing() {
			m.member(member.name)
			m.copy(member.node)
		}
	}
	m.close('}')
	m.member("metadata")
	m.open('{', t.node)
	reply.usage.write(m)
	if !reply.model.Missing() {
		m.member("model")
		m.copy(reply.model)
	}
	m.close('}')
}

// settings yields the scalar members of a request, such as model and temperature.
func settings(request strictjson.Node) iter.Seq[strictjson.Node] {
	return func(yield func(strictjson.Node) bool) {
		if !request.Is(strictjson.Object) {
			return
		}
		for n := range request.Children() {
			if said := n.KeyIs("messages") || n.KeyIs("input") || n.KeyIs("instructions") || n.KeyIs("system"); said || n.Missing() || n.Kind() >= strictjson.Array {
				continue
			}
			if !yield(n) {
				return
			}
		}
	}
}

func (t *turn) writeCall(m *maker) {
	m.member("args")
	if t.args.Exists() {
		m.object(t.args, "arguments")
	} else {
		m.open('{', t.node)
		m.close('}')
	}
	if t.done {
		m.member("result")
		m.object(t.result, "content")
	}
	m.member("metadata")
	m.open('{', t.node)
	m.optional("tool_call_id", t.id)
	if !t.failed.Missing() {
		m.member("is_error")
		m.copy(t.failed)
	}
	m.close('}')
}

// writeOutput writes the trace's output from its last answer.
func (t *turn) writeOutput(m *maker) {
	m.member("output")
	m.open('{', t.node)
	switch {
	case len(t.said) > 0:
		m.member("message")
		m.joined(t.said)
		if len(t.said) == 1 {
			if inner, kind := m.held(t.said[0]); kind == strictjson.Object {
				m.member("structured")
				m.begins(t.said[0], 0)
				m.put(inner)
			}
		}
	case len(t.refusal) > 0:
		m.member("refusal")
		m.joined(t.refusal)
	default:
		m.member("tool_calls")
		m.list(t.node, t.calls)
	}
	m.close('}')
}
