package capture

import (
	"cmp"

	"github.com/cupel-dev/cupel/internal/strictjson"
	"github.com/cupel-dev/cupel/oatf/internal/protocol"
	"github.com/cupel-dev/cupel/oatf/internal/value"
	"github.com/cupel-dev/cupel/oatf/model"
)

// envelope is the relevant members of a JSON-RPC message.
type envelope struct {
	version, id, method, params, result, failure strictjson.Node

	foreign bool // has other members
}

func openEnvelope(n strictjson.Node) (e envelope) {
	var scratch [16]byte
	for member := range n.Children() {
		switch string(member.KeyBytes(scratch[:])) {
		case "jsonrpc":
			e.version = member
		case "id":
			e.id = member
		case "method":
			e.method = member
		case "params":
			e.params = member
		case "result":
			e.result = member
		case "error":
			e.failure = member
		default:
			e.foreign = true
		}
	}
	// Some programs write both members in a response, one of them null.
	if e.failure.Is(strictjson.Null) && e.result.Exists() {
		e.failure = strictjson.Node{}
	} else if e.result.Is(strictjson.Null) && e.failure.Exists() {
		e.result = strictjson.Node{}
	}
	return e
}

// bodies counts the members that determine a message's kind. A valid message has one.
func (e *envelope) bodies() (n int) {
	for _, member := range []strictjson.Node{e.method, e.result, e.failure} {
		if member.Exists() {
			n++
		}
	}
	return n
}

// ofRPC reads a JSON-RPC message, recognized by its version, or by its members if the method belongs to a known
// protocol.
func ofRPC(r *collector, n strictjson.Node, c context) bool {
	if !n.Get("jsonrpc").Exists() && !unversioned(r, n) {
		return false
	}
	switch {
	case c.wrapped || c.texts > 0:
		r.found(Log)
	default:
		r.found(JSONRPC)
	}
	c, _ = around(n, c) // some recorders add members to the message
	c.node = n
	readRPC(r, n, c)
	return true
}

// unversioned reports whether an object is a message without a version.
func unversioned(r *collector, n strictjson.Node) bool {
	e := openEnvelope(n)
	if e.bodies() != 1 {
		return false
	}
	if method, ok := e.method.Text(); ok {
		return len(method) <= mostMethodBytes && r.methods.named(method).known && (e.params.Exists() || !e.foreign || !holdsMessage(n))
	}
	if k := e.id.Kind(); k != strictjson.String && k != strictjson.Number {
		return false
	}
	return e.result.Is(strictjson.Object) || e.failure.Is(strictjson.Object) && e.failure.Get("code").Exists()
}

// holdsMessage reports whether a record names the method of a message that one of its members contains.
func holdsMessage(n strictjson.Node) bool {
	for _, name := range []string{"content", "message", "raw", "payload", "data", "frame", "body"} {
		if n.Get(name).Exists() {
			return true
		}
	}
	return false
}

func rpcBatch(r *collector, n strictjson.Node, c context) {
	if n.Len() == 0 {
		r.refuse(r.bad1(n, c, "the batch has no message"))
	}
	for child := range n.Children() {
		c.node = child
		readRPC(r, child, c)
	}
}

func readRPC(r *collector, n strictjson.Node, c context) {
	if !n.Is(strictjson.Object) {
		r.refuse(r.bad1(n, c, "a JSON-RPC message is an object, found "+article(n)))
		return
	}
	e := openEnvelope(n)
	if bad := checkEnvelope(r, n, e, c); bad != nil {
		r.refuse(bad)
		return
	}
	if e.method.Exists() {
		name, _ := e.method.Text()
		rpcCall(r, e, c, name)
		return
	}
	body, of := bodyResult, e.result
	if e.failure.Exists() {
		body, of = bodyError, e.failure
	}
	rpcAnswer(r, e, c, r.build.value(of), body)
}

// checkEnvelope returns why an object is not a valid message.
func checkEnvelope(r *collector, n strictjson.Node, e envelope, c context) *LineError {
	switch {
	case e.version.Exists() && !e.version.TextIs("2.0"):
		return r.bad1(e.version, c, `jsonrpc is not "2.0"`)
	case e.bodies() != 1:
		return r.bad1(n, c, `a JSON-RPC message has one of "method", "result" and "error"`)
	case e.method.Exists() && !e.method.Is(strictjson.String):
		return r.noString(e.method, c)
	case !e.method.Exists() && !e.id.Exists():
		at := e.result
		if e.failure.Exists() {
			at = e.failure
		}
		return r.bad1(at, c, `a response has the member "id"`)
	}
	switch e.id.Kind() {
	case strictjson.Absent, strictjson.Null, strictjson.String, strictjson.Number:
		return nil
	}
	return r.bad1(e.id, c, "id is a string or a number, found "+article(e.id))
}

func rpcCall(r *collector, e envelope, c context, name string) {
	role := model.RoleRequest
	if !e.id.Exists() {
		role = model.RoleNotification
	}
	key := ""
	if e.id.Exists() && !e.id.Is(strictjson.Null) {
		key = string(r.open.key(c.connection, e.id))
	}
	r.call(call{method: name, role: role, value: r.valueOf(e.params), absent: !e.params.Exists(), body: bodyParams, key: key}, c)
}

// call is a request or notification.
type call struct {
	method string
	role   model.MessageRole
	value  model.Value
	absent bool // it has no params
	body   body
	key    string // of its id; "" when it is answered by none
}

// call queues a request or notification, and remembers a request.
func (r *collector) call(q call, c context) {
	of := r.methods.named(q.method)
	m := r.message(c)
	m.describe(of, q.role)
	m.Sender = r.words.completeSender(c, protocol.Sender(q.method, false))
	m.Value, m.body, m.absent = q.value, q.body, q.absent
	if q.key != "" {
		open := &request{id: q.key, sender: m.Sender, method: of, place: Place{r.input, m.Line}}
		if r.options.KeepParams && !q.absent {
			open.params = value.JSON(nil, q.value)
		}
		r.open.add(open)
	}
	if r.options.Known && !of.known {
		r.unknown("JSON-RPC of another protocol: " + q.method)
		return
	}
	if q.method == "" {
		return
	}
	r.add(m)
	r.carriedAnswers(q.value, c)
}

func rpcAnswer(r *collector, e envelope, c context, v model.Value, body body) {
	if e.id.Is(strictjson.Null) {
		r.answer(answer{value: v, body: body}, c)
		return
	}
	r.answer(answer{value: v, body: body, key: string(r.open.key(c.connection, e.id))}, c)
}

type answer struct {
	key    string // of its request; "" for none
	method string // method, if the container has it
	value  model.Value
	body   body
}

func (r *collector) answer(a answer, c context) {
	m := r.message(c)
	m.Value, m.body, m.IsError = a.value, a.body, a.body == bodyError
	m.Kind.Role = model.RoleResponse
	sender := r.words.completeSender(c, "")
	q, either := r.open.answered(a.key, sender, a.value, m.IsError)
	var of *method
	switch {
	case q != nil:
		of = q.method
		if m.params = q.params; either != nil {
			m.params, m.Ambiguous = nil, either.places
		}
		sender = cmp.Or(sender, q.sender.Other())
	case a.method != "":
		of = r.methods.named(a.method)
	default:
		r.stats.Uncorrelated++
		if names := protocol.Answers(a.value, ""); len(names) == 1 && !m.IsError {
			of = r.methods.named(names[0])
		}
	}
	if of == nil {
		m.Sender = sender
		if _, isObject := a.value.(model.Object); r.options.Known && !isObject {
			r.unknown("answers of JSON-RPC whose requests are not in the capture")
			return
		}
		r.add(m)
		return
	}
	m.describe(of, model.RoleResponse)
	if m.Sender = sender; sender == "" {
		m.Sender = protocol.Sender(of.name, true)
	}
	if either != nil && either.differ {
		m.Kind.Method, m.Method = "", ""
	}
	if r.options.Known && !of.known {
		r.unknown("JSON-RPC of another protocol: " + of.name)
		return
	}
	r.addAnswer(m)
	r.carriedRequests(a.value, c)
}

// carriedRequests queues the server's requests in an answer that needs more input (MCP 2026-07-28): each entry of
// inputRequests is a message.
func (r *collector) carriedRequests(v model.Value, c context) {
	for _, entry := range members(v, "inputRequests") {
		object, _ := entry.Value.(model.Object)
		method, _ := object.Get("method")
		name, ok := method.(string)
		if !ok || !r.methods.named(name).known {
			continue
		}
		params, is := object.Get("params")
		c := c
		c.sender = Server
		r.call(call{method: name, role: model.RoleRequest, value: params, absent: !is, body: bodyParams, key: textKey("i", c.connection, entry.Key)}, c)
	}
}

// carriedAnswers queues the client's answers to such requests, in the params of the repeated call.
func (r *collector) carriedAnswers(v model.Value, c context) {
	for _, entry := range members(v, "inputResponses") {
		c := c
		c.sender = Client
		r.answer(answer{key: textKey("i", c.connection, entry.Key), value: entry.Value, body: bodyResult}, c)
	}
}

// members returns the members of an object in a member, if it is one.
func members(v model.Value, name string) model.Object {
	object, _ := v.(model.Object)
	inner, _ := object.Get(name)
	list, _ := inner.(model.Object)
	return list
}

// bad1 returns an error about a value in the frame.
func (r *collector) bad1(n strictjson.Node, c context, message string) *LineError {
	offset, _ := n.Span()
	if c.outer.Exists() {
		offset = c.place()
	}
	e := &LineError{Message: message, Input: r.input}
	e.Line, e.Column = r.frame.placeOf(offset)
	return e
}

func (r *collector) noString(n strictjson.Node, c context) *LineError {
	return r.bad1(n, c, n.Key()+" is a string, found "+article(n))
}
