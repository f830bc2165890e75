package capture

import (
	"github.com/cupel-dev/cupel/internal/strictjson"
	"github.com/cupel-dev/cupel/oatf/model"
)

// envelope is the members of a JSON-RPC message that matter; those that it lacks are
// absent.
type envelope struct {
	version, id, method, params, result, failure strictjson.Node

	foreign bool // it has other members, too
}

// openEnvelope finds the members of a message.
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
	// Some writers give a response both members, one of them null.
	if e.failure.Is(strictjson.Null) && e.result.Exists() {
		e.failure = strictjson.Node{}
	} else if e.result.Is(strictjson.Null) && e.failure.Exists() {
		e.result = strictjson.Node{}
	}
	return e
}

// bodies counts the members that say what a message is; a message has one of them.
func (e *envelope) bodies() (n int) {
	for _, member := range []strictjson.Node{e.method, e.result, e.failure} {
		if member.Exists() {
			n++
		}
	}
	return n
}

// readJSONRPC reads one message of a JSON-RPC log.
func (r *Reader) readJSONRPC(n strictjson.Node) (value strictjson.Node, bad *LineError) {
	if !n.Is(strictjson.Object) {
		return value, r.bad(n, "a JSON-RPC message is an object, found "+article(n))
	}
	e := openEnvelope(n)
	if bad := r.checkEnvelope(n, e); bad != nil {
		return value, bad
	}
	if e.method.Exists() {
		return e.params, r.readCall(e)
	}
	value, r.msg.body = e.result, bodyResult
	if e.failure.Exists() {
		value, r.msg.body, r.msg.IsError = e.failure, bodyError, true
	}
	return value, r.readAnswer(e, value)
}

// checkEnvelope says what keeps an object from being a message. A log that was said to be
// JSON-RPC may leave the version out.
func (r *Reader) checkEnvelope(n strictjson.Node, e envelope) *LineError {
	switch {
	case e.version.Exists() && !e.version.TextIs("2.0"):
		return r.bad(e.version, `jsonrpc is not "2.0"`)
	case !e.version.Exists() && r.options.Format != JSONRPC:
		return r.notLikeFirst(n, `a JSON-RPC message has the member "jsonrpc"`)
	case e.bodies() != 1:
		return r.bad(n, `a JSON-RPC message has one of "method", "result" and "error"`)
	case e.method.Exists() && !e.method.Is(strictjson.String):
		return r.badMethod(e.method)
	}
	return nil
}

// readCall reads a request or a notification.
func (r *Reader) readCall(e envelope) *LineError {
	var scratch [mostMethodBytes]byte
	m := r.methods.of(e.method.TextBytes(scratch[:]))
	r.msg.body, r.msg.absent = bodyParams, !e.params.Exists()
	if !e.id.Exists() {
		r.msg.describe(m, model.RoleNotification)
		return nil
	}
	r.msg.describe(m, model.RoleRequest)
	key, bad := r.id(e.id)
	if bad != nil || key == nil {
		return bad
	}
	request := &request{id: string(key), method: m, place: Place{r.input, r.line.Number}}
	if r.options.KeepParams && e.params.Exists() {
		request.params = append(request.params, e.params.Raw()...)
	}
	r.open.add(request)
	return nil
}

// readAnswer reads a response.
func (r *Reader) readAnswer(e envelope, value strictjson.Node) *LineError {
	r.msg.Kind.Role = model.RoleResponse
	if !e.id.Exists() {
		return r.bad(value, `a response has the member "id"`)
	}
	key, bad := r.id(e.id)
	if bad != nil {
		return bad
	}
	request := r.open.answered(key, value, r.msg.IsError)
	if request == nil {
		r.stats.Uncorrelated++
		return nil
	}
	r.msg.describe(request.method, model.RoleResponse)
	r.msg.params = request.params
	return nil
}

// id returns the key of an id, nil for null, which names no request.
func (r *Reader) id(n strictjson.Node) (key []byte, bad *LineError) {
	switch n.Kind() {
	case strictjson.Null:
		return nil, nil
	case strictjson.String, strictjson.Number:
		return r.open.key(n), nil
	}
	return nil, r.bad(n, "id is a string or a number, found "+article(n))
}

// article names a value's kind with its article.
func article(n strictjson.Node) string {
	switch k := n.Kind(); k {
	case strictjson.Null:
		return "null"
	case strictjson.Array, strictjson.Object:
		return "an " + k.String()
	default:
		return "a " + k.String()
	}
}
