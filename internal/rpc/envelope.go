package rpc

import (
	"bytes"
	"fmt"
	"unicode/utf8"

	"github.com/cupel-dev/cupel/internal/strictjson"
)

// span is a byte range of a line. The zero span means absent.
type span struct{ start, end int }

func (s span) of(line []byte) []byte {
	if s.end == 0 {
		return nil
	}
	return line[s.start:s.end:s.end]
}

// envelope holds the positions of a request's members. For repeated members the last one counts, names are compared
// exactly, unknown members are ignored.
type envelope struct {
	version, id, method, params span

	head     bool // read up to params only
	atParams bool // params reached
	start    int  // start of params
}

func (e *envelope) member(name []byte) *span {
	switch string(name) {
	case `"jsonrpc"`:
		return &e.version
	case `"id"`:
		return &e.id
	case `"method"`:
		return &e.method
	case `"params"`:
		return &e.params
	}
	return nil
}

// null is the id in answers to lines without a known id.
var null = []byte("null")

// parse parses the envelope of a line, only up to params for methods selected by unread. A fault says why the line
// is not a request; request.ID is then the id for the answer, null if unknown (JSON-RPC 2.0 §5).
func parse(line []byte, unread func(method string) bool) (request Request, fault *Fault) {
	if request, ok := parseHead(line); ok && unread(request.Method) {
		request.Line = line
		return request, nil
	}
	return parseLine(line)
}

// parseHead parses the members before params. ok means that they form a request.
func parseHead(line []byte) (request Request, ok bool) {
	e := envelope{head: true}
	_ = e.read(line)
	if !e.atParams || e.id.end == 0 { // the id can follow params
		return Request{}, false
	}
	request, fault := e.request(line)
	if end := len(bytes.TrimRight(line, " \t\r\n")) - 1; e.start < end && line[end] == '}' {
		request.Params = line[e.start:end:end]
	}
	return request, fault == nil
}

// parseLine parses the envelope and checks the whole line.
func parseLine(line []byte) (request Request, fault *Fault) {
	unknown := Request{ID: null}
	var e envelope
	if bad := e.read(line); bad != nil {
		return Request{ID: e.brokenID(line, bad.Stop)}, notJSON(line, bad)
	}
	switch bytes.TrimLeft(line, " \t\r\n")[0] {
	case '{':
	case '[':
		return unknown, notRequest("batch arrays are not supported")
	default:
		return unknown, notRequest("a request must be an object")
	}
	return e.request(line)
}

// ReadParams calls read with the request's params, {} if absent. For a line read only up to params, it first
// assumes that params extend to the last brace. If read rejects those, the whole line is parsed: fault says why it
// is not a request, otherwise read is called again with the actual params. err is the last result of read.
func (r Request) ReadParams(read func(params []byte) error) (fault *Fault, err error) {
	switch {
	case r.Params != nil:
		if err = read(r.Params); err == nil || r.Line == nil {
			return nil, err
		}
	case r.Line == nil:
		return nil, read([]byte("{}"))
	}
	params, fault := r.rest()
	if fault != nil || len(params) == len(bytes.TrimRight(r.Params, " \t\r\n")) {
		return fault, err
	}
	return nil, read(params)
}

func (r Request) rest() (params []byte, fault *Fault) {
	whole, fault := parseLine(r.Line)
	if fault == nil && (whole.Method != r.Method || !bytes.Equal(whole.ID, r.ID)) {
		fault = notRequest("id and method must not repeat after params")
	}
	return whole.Params, fault
}

// sender returns the part of a request that is needed for an answer after its line is released.
func (r Request) sender() Request {
	return Request{ID: bytes.Clone(r.ID), Method: r.Method}
}

// request checks the members of the envelope (JSON-RPC 2.0 §4).
func (e *envelope) request(line []byte) (Request, *Fault) {
	r := Request{ID: e.id.of(line), Params: e.params.of(line)}
	if r.ID != nil && !isID(r.ID) {
		return Request{ID: null}, notRequest("id must be a string, a number or null")
	}
	var problem string
	switch version, method := e.version.of(line), e.method.of(line); {
	case version == nil:
		problem = "request without the member jsonrpc"
	case textOf(version) != "2.0":
		problem = `jsonrpc must be "2.0"`
	case method == nil:
		problem = "request without the member method"
	case method[0] != '"':
		problem = "method must be a string"
	default:
		r.Method = textOf(method)
		return r, nil
	}
	if r.ID == nil { // not a notification: it must be answered
		r.ID = null
	}
	return r, notRequest(problem)
}

func notRequest(message string) *Fault {
	return &Fault{Kind: NotRequest, Message: message}
}

func textOf(raw []byte) string {
	if raw[0] != '"' {
		return ""
	}
	if bytes.IndexByte(raw, '\\') < 0 {
		return string(raw[1 : len(raw)-1])
	}
	return string(strictjson.AppendUnescaped(nil, raw[1:len(raw)-1]))
}

// read stores the positions of the members, up to params or the end of the line.
func (e *envelope) read(line []byte) *strictjson.Error {
	w := strictjson.NewWalker(line)
	for name, ok := w.Member(); ok; name, ok = w.Member() {
		place := e.member(name)
		if place == &e.params && e.head {
			e.atParams, e.start = true, w.Offset()
			return nil
		}
		start, end := w.Value()
		if place != nil && end > start {
			*place = span{start, end}
		}
	}
	if e.head {
		return nil // parsing the whole line finds the reason
	}
	return w.End()
}

// notJSON returns the fault for a syntax error.
func notJSON(line []byte, e *strictjson.Error) *Fault {
	want := e.Want
	if e.Code == strictjson.Trailing {
		want = "the end of the line"
	}
	r, size := utf8.DecodeRune(line[e.Stop:])
	message := ""
	switch {
	case size == 0:
		message = fmt.Sprintf("unexpected end of the line at byte %d, expected %s", e.Stop, want)
	case r == utf8.RuneError && size == 1:
		message = fmt.Sprintf("byte 0x%02x at byte %d is not UTF-8", line[e.Stop], e.Stop)
	default:
		message = fmt.Sprintf("unexpected %q at byte %d, expected %s", r, e.Stop, want)
	}
	return &Fault{Kind: NotJSON, Message: "invalid JSON: " + message}
}

// brokenID returns the id in a line that is valid JSON only up to stop.
func (e *envelope) brokenID(line []byte, stop int) []byte {
	var seek idSeeker
	seek.feed(line)
	if id := seek.found(); id != nil {
		return id
	}
	return e.idBefore(line, stop)
}

// idBefore returns the complete id before a position. It returns null without an id, or if a bracket was closed
// before it, because the id could then belong to params.
func (e *envelope) idBefore(line []byte, stop int) []byte {
	if id := e.id.of(line); id != nil && isID(id) && e.id.end < stop && !bytes.ContainsAny(line[:e.id.start], "]}") {
		return bytes.Clone(id)
	}
	return null
}

// longID returns the id of a truncated line. sought is the id found in the whole line.
func longID(start, sought []byte) []byte {
	if sought != nil {
		return sought
	}
	var e envelope
	_ = e.read(start) // stops at the cut; records what was complete
	return e.idBefore(start, len(start))
}
