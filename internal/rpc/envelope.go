package rpc

import (
	"bytes"
	"fmt"
	"unicode/utf8"

	"github.com/cupel-dev/cupel/internal/strictjson"
)

// span is a byte range of a line; the zero span is absent.
type span struct{ start, end int }

func (s span) of(line []byte) []byte {
	if s.end == 0 {
		return nil
	}
	return line[s.start:s.end:s.end]
}

// envelope holds the places of a request's members. Of a repeated member the last
// one counts; names are compared exactly; unknown members are ignored.
type envelope struct {
	version, id, method, params span

	head     bool // to be read up to params only
	atParams bool // params have been reached
	start    int  // where they begin
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

// null is the id of an answer to a line whose id is not known.
var null = []byte("null")

// parse reads the envelope of one line, for methods that unread names up to params
// only. The fault says why the line is not a request; request.ID is then the id to answer
// with: null where it could not be detected (JSON-RPC 2.0 §5).
func parse(line []byte, unread func(method string) bool) (request Request, fault *Fault) {
	if request, ok := parseHead(line); ok && unread(request.Method) {
		request.Line = line
		return request, nil
	}
	return parseLine(line)
}

// parseHead reads the members before params; ok says that they make a request.
func parseHead(line []byte) (request Request, ok bool) {
	e := envelope{head: true}
	_ = e.read(line)
	if !e.atParams || e.id.end == 0 { // the id may come after params
		return Request{}, false
	}
	request, fault := e.request(line)
	if end := len(bytes.TrimRight(line, " \t\r\n")) - 1; e.start < end && line[end] == '}' {
		request.Params = line[e.start:end:end]
	}
	return request, fault == nil
}

// parseLine reads the envelope and walks all of the line.
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

// ReadParams hands the params of a request to read; absent ones are {}. Of a Line that was
// read up to params only they are taken to reach as far as the line's last brace, as they
// nearly always do. Only when read refuses these, the line is walked: the fault says why
// it is not a request after all, and params that end elsewhere are read again. err is what
// read returned last.
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

// rest walks the line of a request that was read up to params.
func (r Request) rest() (params []byte, fault *Fault) {
	whole, fault := parseLine(r.Line)
	if fault == nil && (whole.Method != r.Method || !bytes.Equal(whole.ID, r.ID)) {
		fault = notRequest("id and method must not come again behind params")
	}
	return whole.Params, fault
}

// sender is what it takes to answer a request whose line is given back.
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
	if r.ID == nil { // no notification either: it must be answered
		r.ID = null
	}
	return r, notRequest(problem)
}

func notRequest(message string) *Fault {
	return &Fault{Kind: NotRequest, Message: message}
}

// textOf returns the text of a JSON string, "" for every other value.
func textOf(raw []byte) string {
	if raw[0] != '"' {
		return ""
	}
	if bytes.IndexByte(raw, '\\') < 0 {
		return string(raw[1 : len(raw)-1])
	}
	return string(strictjson.AppendUnescaped(nil, raw[1:len(raw)-1]))
}

// read walks the members of a line and notes where those of the envelope are. It walks
// the line to its end, unless only its head is to be read.
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
		return nil // where this fails, reading the whole line says why
	}
	return w.End()
}

// notJSON says where and why a line stops being JSON.
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

// brokenID is the id to answer a line with that is JSON only up to a place.
func (e *envelope) brokenID(line []byte, stop int) []byte {
	var seek idSeeker
	seek.feed(line)
	if id := seek.found(); id != nil {
		return id
	}
	return e.idBefore(line, stop)
}

// idBefore returns the id that was read to its end before a place; null when there is none,
// or when a bracket was closed before it: one too many would make it a member of params.
func (e *envelope) idBefore(line []byte, stop int) []byte {
	if id := e.id.of(line); id != nil && isID(id) && e.id.end < stop && !bytes.ContainsAny(line[:e.id.start], "]}") {
		return bytes.Clone(id)
	}
	return null
}

// longID is the id to answer a line with of which only the start was kept; sought is what
// was found in the whole line.
func longID(start, sought []byte) []byte {
	if sought != nil {
		return sought
	}
	var e envelope
	_ = e.read(start) // ends at the cut; what was complete before is noted
	return e.idBefore(start, len(start))
}
