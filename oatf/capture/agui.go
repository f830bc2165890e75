package capture

import (
	"github.com/cupel-dev/cupel/internal/strictjson"
	"github.com/cupel-dev/cupel/oatf/internal/protocol"
	"github.com/cupel-dev/cupel/oatf/model"
)

// ofAGUI reads an AG-UI event, recognized by its type, or the body of a request that starts a run.
func ofAGUI(r *collector, n strictjson.Node, c context) bool {
	if n.Get("threadId").Is(strictjson.String) && n.Get("runId").Is(strictjson.String) && n.Get("messages").Is(strictjson.Array) {
		r.found(AGUI)
		c.sender = Client
		c.connection = "\x01" + textOf(n, "threadId")
		m := r.message(c)
		m.describe(r.methods.named("run_agent_input"), model.RoleRequest)
		m.Value = r.build.value(n)
		r.add(m)
		return true
	}
	kind, ok := n.Get("type").Text()
	if !ok || len(kind) > mostMethodBytes || !isEvent(kind) || kind == "RAW" && !n.Get("event").Exists() || kind == "CUSTOM" && !n.Get("name").Exists() {
		return false
	}
	r.found(AGUI)
	c, _ = around(n, c)
	c.node = n
	if thread := textOf(n, "threadId"); thread != "" {
		r.chats.thread = "\x01" + thread
	}
	c.sender, c.connection = Server, r.chats.thread
	m := r.message(c)
	of := r.methods.named(kind)
	m.describe(of, of.role)
	m.Value = r.build.value(n)
	r.add(m)
	r.pieces(&r.queue[len(r.queue)-1])
	return true
}

// isEvent reports whether a type is that of an AG-UI event.
func isEvent(kind string) bool {
	list := protocol.Operations(kind)
	return len(list) > 0 && list[0].Wire == kind
}
