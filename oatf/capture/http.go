package capture

import (
	"bytes"
	"cmp"
	"encoding/base64"
	"net/url"
	"strings"

	"github.com/cupel-dev/cupel/internal/strictjson"
	"github.com/cupel-dev/cupel/oatf/internal/protocol"
	"github.com/cupel-dev/cupel/oatf/model"
)

// exchange is an HTTP request with its response.
type exchange struct {
	method, url, session string
	request, response    content
}

// content is a message body: JSON, or a string with JSON or server-sent events.
type content struct {
	node    strictjson.Node
	encoded bool // a string in base64
}

// ofHAR reads an HTTP archive.
func ofHAR(r *collector, n strictjson.Node, c context) bool {
	entries := n.Get("log").Get("entries")
	if !entries.Is(strictjson.Array) {
		return false
	}
	r.found(HAR)
	before := len(r.queue)
	for entry := range entries.Children() {
		c := c
		c.time, c.node = textOf(entry, "startedDateTime"), entry
		request, response := entry.Get("request"), entry.Get("response")
		body := response.Get("content")
		readExchange(r, exchange{
			method: textOf(request, "method"), url: textOf(request, "url"),
			session: cmp.Or(sessionHeader(request), sessionHeader(response)),
			request: content{node: request.Get("postData").Get("text")}, response: content{body.Get("text"), isOneOf(body, "encoding", "base64")},
		}, c)
	}
	if len(r.queue) == before {
		r.unknown("an HTTP archive (HAR) without the bodies of MCP, A2A or AG-UI messages")
	}
	return true
}

// ofExchange reads a request with its response, of HTTP or of a method.
func ofExchange(r *collector, n strictjson.Node, c context) bool {
	request, response := n.Get("request"), n.Get("response")
	if !request.Exists() {
		return false
	}
	c, _ = around(n, c)
	c.node = n
	if request.Is(strictjson.String) {
		text, outer := request.TextBytes(nil), request
		inner, ok := r.scanInner(text, c)
		if !ok || !asksMethod(r, inner) {
			return false
		}
		r.found(Log)
		c.outer = outer
		c.texts++
		methodPair(r, inner, response, c)
		return true
	}
	if asksMethod(r, request) && !request.Get("url").Exists() && !request.Get("jsonrpc").Exists() {
		r.found(Log)
		methodPair(r, request, response, c)
		return true
	}
	address := cmp.Or(textOf(request, "url"), textOf(request, "path"), textOf(request, "uri"))
	if address == "" {
		return false
	}
	before := len(r.queue)
	readExchange(r, exchange{
		method: textOf(request, "method"), url: address,
		session: cmp.Or(sessionHeader(request), sessionHeader(response)),
		request: content{node: bodyOf(request)}, response: content{node: bodyOf(response)},
	}, c)
	if len(r.queue) > before {
		r.found(HTTPLog)
	}
	return len(r.queue) > before
}

// bodyOf returns the body of a logged request or response.
func bodyOf(n strictjson.Node) strictjson.Node {
	for _, name := range []string{"body", "data", "payload", "content", "text"} {
		if body := n.Get(name); body.Exists() {
			return body
		}
	}
	return strictjson.Node{}
}

// asksMethod reports whether an object is {method, params} of a known protocol.
func asksMethod(r *collector, n strictjson.Node) bool {
	name, ok := n.Get("method").Text()
	return ok && len(name) <= mostMethodBytes && r.methods.named(name).known
}

// sessionHeader returns the header Mcp-Session-Id, from a list of headers (HAR) or an object (logs).
func sessionHeader(n strictjson.Node) string {
	headers := n.Get("headers")
	for h := range headers.Children() {
		key, value := h.Key(), h
		if headers.Is(strictjson.Array) {
			key, value = textOf(h, "name"), h.Get("value")
		}
		if strings.EqualFold(key, "mcp-session-id") {
			text, _ := value.Text()
			return text
		}
	}
	return ""
}

func methodPair(r *collector, request, response strictjson.Node, c context) {
	name, _ := request.Get("method").Text()
	params := request.Get("params")
	key := textKey("p", c.connection, "")
	if c.word = ""; c.sender == "" {
		c.sender = protocol.Sender(name, false)
	}
	r.call(call{method: name, role: model.RoleRequest, value: r.valueOf(params), absent: !params.Exists(), body: bodyParams, key: key}, c)
	c.sender = c.sender.Other()
	inContent(r, content{node: response}, c, func(n strictjson.Node, c context) { bareAnswer(r, n, key, c) })
}

// bareAnswer queues the answer to a known request: {result}, {error}, or the result itself.
func bareAnswer(r *collector, n strictjson.Node, key string, c context) {
	v, body := n, bodyResult
	switch e := openEnvelope(n); {
	case n.Get("isError").Exists() || e.bodies() != 1 || e.foreign:
	case e.result.Exists():
		v = e.result
	case e.failure.Exists():
		v, body = e.failure, bodyError
	}
	if !n.Is(strictjson.Null) {
		r.answer(answer{key: key, value: r.build.value(v), body: body}, c)
	}
}

// readExchange queues the messages of an HTTP request and response.
func readExchange(r *collector, x exchange, c context) {
	address, err := url.Parse(x.url)
	if err != nil {
		address = &url.URL{Path: x.url}
	}
	c.connection += "\x01" + cmp.Or(x.session, address.Host+address.Path)
	client, server := c, c
	client.sender, server.sender = Client, Server
	if address.Scheme == "mcp" {
		c.connection = "\x01" + address.Host
		readLabelled(r, x, strings.TrimPrefix(address.Path, "/"), c)
		return
	}
	before := len(r.queue)
	known := false
	inContent(r, x.request, client, func(n strictjson.Node, c context) {
		if e := openEnvelope(n); !e.method.Exists() && (e.result.Exists() || e.failure.Exists()) {
			c.word = ""
		}
		known = r.search(n, c) || known
	})
	if len(r.queue) > before {
		inContent(r, x.response, server, func(n strictjson.Node, c context) { r.search(n, c) })
		return
	}
	if operation := protocol.Rest(x.method, address.Path); operation != nil && readREST(r, operation, address, x, c) {
		return
	}
	inContent(r, x.response, server, func(n strictjson.Node, c context) { r.search(n, c) })
}

// readLabelled queues an exchange whose URL contains the method and whose bodies lack an envelope:
// mcp://SERVER/tools/call/NAME.
func readLabelled(r *collector, x exchange, path string, c context) {
	for name := path; name != ""; {
		if r.methods.named(name).known {
			key := textKey("p", c.connection, "")
			q := call{method: name, role: model.RoleRequest, value: emptyObject, absent: true, body: bodyParams, key: key}
			if strings.HasPrefix(name, "notifications/") {
				q.role, q.key = model.RoleNotification, ""
			}
			from := protocol.Sender(name, false)
			c.sender = from
			inContent(r, x.request, c, func(n strictjson.Node, _ context) { q.value, q.absent = r.build.value(n), false })
			r.call(q, c)
			c.sender = from.Other()
			inContent(r, x.response, c, func(n strictjson.Node, c context) { bareAnswer(r, n, key, c) })
			return
		}
		at := strings.LastIndexByte(name, '/')
		name = name[:max(at, 0)]
	}
}

// readREST queues an exchange of A2A's HTTP+JSON binding: the request body is the params, the response body the
// result. Ambiguous requests need a matching response.
func readREST(r *collector, o *protocol.Operation, address *url.URL, x exchange, c context) bool {
	var results []model.Value
	params := emptyObject
	absent := true
	inContent(r, x.request, c, func(n strictjson.Node, _ context) { params, absent = r.build.value(n), false })
	inContent(r, x.response, c, func(n strictjson.Node, _ context) { results = append(results, r.build.value(n)) })
	last := address.Path[strings.LastIndexByte(address.Path, '/')+1:]
	own := strings.Contains(last, ":") || strings.Contains(address.Path, "/.well-known/")
	for _, v := range results {
		own = own || protocol.Fit(o.Name, v) == protocol.Fitting
	}
	if !own || x.request.node.Exists() && absent {
		return false
	}
	c.connection = "\x01" + address.Host
	key := textKey("p", c.connection, "")
	c.sender = Client
	r.call(call{method: o.Name, role: model.RoleRequest, value: params, absent: absent, body: bodyParams, key: key}, c)
	c.sender = Server
	for _, v := range results {
		body := bodyResult
		if failed := members(v, "error"); len(failed) > 0 {
			v, body = failed, bodyError
		}
		r.answer(answer{key: key, method: o.Name, value: v, body: body}, c)
	}
	return true
}

// inContent calls visit for the JSON values in a body: the value itself, or those in a string or in server-sent
// events.
func inContent(r *collector, of content, c context, visit func(n strictjson.Node, c context)) {
	n := of.node
	switch n.Kind() {
	case strictjson.Object, strictjson.Array:
		visit(n, c)
		return
	case strictjson.String:
	default:
		return
	}
	text := n.TextBytes(nil)
	if of.encoded {
		decoded, err := base64.StdEncoding.DecodeString(string(text))
		if err != nil {
			return
		}
		text = decoded
	}
	if !c.outer.Exists() {
		c.outer = n
	}
	inner := c
	inner.texts++
	if v, ok := r.scanInner(text, c); ok {
		visit(v, inner)
		return
	}
	for data := range serverEvents(text) {
		if v, ok := r.scanInner(data, c); ok {
			visit(v, inner)
		}
	}
}

// serverEvents yields the data of each server-sent event in a text.
func serverEvents(text []byte) func(yield func([]byte) bool) {
	return func(yield func([]byte) bool) {
		var data []byte
		has := false
		for line := range bytes.Lines(append(bytes.TrimRight(text, "\r\n"), "\n\n"...)) {
			line = bytes.TrimRight(line, "\r\n")
			if part, is := bytes.CutPrefix(line, []byte("data:")); is {
				if has {
					data = append(data, '\n')
				}
				data, has = append(data, bytes.TrimPrefix(part, []byte(" "))...), true
			}
			if len(line) == 0 && has {
				if !yield(data) {
					return
				}
				data, has = nil, false
			}
		}
	}
}
