package capture

import (
	"cmp"
	"strings"

	"github.com/cupel-dev/cupel/internal/strictjson"
	"github.com/cupel-dev/cupel/oatf/internal/protocol"
	"github.com/cupel-dev/cupel/oatf/model"
)

// ofSpans reads OpenTelemetry spans in JSON. Spans with MCP attributes are messages.
func ofSpans(r *collector, n strictjson.Node, c context) bool {
	list := n.Get("resourceSpans")
	if !list.Is(strictjson.Array) {
		return false
	}
	r.found(OpenTelemetry)
	before := len(r.queue)
	for resource := range list.Children() {
		name := attribute(resource.Get("resource"), "service.name")
		label, _ := name.Text()
		for scope := range resource.Get("scopeSpans").Children() {
			for span := range scope.Get("spans").Children() {
				c := c
				c.node, c.connection = span, "\x01"+label
				c.time = textOf(span, "startTimeUnixNano")
				readSpan(r, span, c)
			}
		}
	}
	if len(r.queue) == before {
		r.unknown("OpenTelemetry spans without the attributes of MCP calls (mcp.method.name, gen_ai.tool.name)")
	}
	return true
}

func attribute(n strictjson.Node, name string) (v strictjson.Node) {
	for a := range n.Get("attributes").Children() {
		if !a.Get("key").TextIs(name) {
			continue
		}
		for v := range a.Get("value").Children() {
			return v
		}
	}
	return v
}

// readSpan queues a span's request and answer. Arguments and results are optional attributes.
func readSpan(r *collector, n strictjson.Node, c context) {
	name, _ := attribute(n, "mcp.method.name").Text()
	tool, _ := attribute(n, "gen_ai.tool.name").Text()
	if name = cmp.Or(name, map[bool]string{true: "tools/call"}[tool != ""]); name == "" || !r.methods.named(name).known {
		return
	}
	if session, _ := attribute(n, "mcp.session.id").Text(); session != "" {
		c.connection = "\x01" + session
	}
	c.sender = protocol.Sender(name, false)
	key := textKey("o", c.connection, textOf(n, "spanId"))
	arguments, result := attribute(n, "gen_ai.tool.call.arguments"), attribute(n, "gen_ai.tool.call.result")
	at := len(r.queue)
	var params model.Object
	var recorded []string
	if tool != "" {
		params, recorded = model.Object{{Key: "name", Value: tool}}, []string{"name"}
	}
	if arguments.Exists() {
		params = append(params, model.Member{Key: "arguments", Value: attributeValue(r, arguments, c)})
	}
	q := call{method: name, role: model.RoleRequest, value: params, body: bodyParams, key: key}
	if strings.HasPrefix(name, "notifications/") {
		q.role, q.key = model.RoleNotification, ""
	}
	if params == nil {
		q.value = emptyObject
	}
	r.call(q, c)
	for i := at; i < len(r.queue) && !arguments.Exists(); i++ {
		r.queue[i].Partial, r.queue[i].Recorded = true, recorded
	}
	if !result.Exists() || q.key == "" {
		return
	}
	c.sender = c.sender.Other()
	r.answer(answer{key: key, value: toolResult(attributeValue(r, result, c)), body: bodyResult}, c)
}

// attributeValue returns the value of an attribute. It decodes JSON in strings, and lists of keys and values.
func attributeValue(r *collector, n strictjson.Node, c context) model.Value {
	switch n.Key() {
	case "kvlistValue":
		object := model.Object{}
		for entry := range n.Get("values").Children() {
			for v := range entry.Get("value").Children() {
				object = append(object, model.Member{Key: textOf(entry, "key"), Value: attributeValue(r, v, c)})
				break
			}
		}
		return object
	case "arrayValue":
		list := []model.Value{}
		for entry := range n.Get("values").Children() {
			for v := range entry.Children() {
				list = append(list, attributeValue(r, v, c))
				break
			}
		}
		return list
	}
	return r.jsonIn(n, c)
}

// jsonIn returns the JSON object or array in a string, or else the string.
func (r *collector) jsonIn(n strictjson.Node, c context) model.Value {
	if n.Is(strictjson.String) {
		text := n.TextBytes(nil)
		if v, ok := r.scanInner(text, c); ok && (v.Is(strictjson.Object) || v.Is(strictjson.Array)) {
			return r.build.value(v)
		}
	}
	return r.build.value(n)
}
