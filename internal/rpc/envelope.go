package rpc

import (
	"bytes"
	"encoding/json"

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
// only. The fault says why the line is no request; request.ID is then the id to answer
// with: null where it could not be detected.
func parse(line []byte, unread func(method string) bool) (request Request, fault *Fault) {
	if request, ok := parseHead(line); ok && unread(request.Method) {
		request.Line = line
		return request, nil
	}
	return parseLine(line)
}

// parseHead reads the members before params; ok says that they make a request.
func parseHead(line []byte) (request Request, ok bool) {
	g, e := grammar{text: line}, envelope{head: true}
	if i := g.space(0); i < len(line) && line[i] == '{' {
		g.members(i+1, &e) // where this fails, reading the whole line says why
	}
	if !e.atParams || e.id.end == 0 { // the id may stand behind params
		return Request{}, false
	}
	request, fault := e.request(line)
	return request, fault == nil
}

// parseLine reads the envelope and walks all of the line.
func parseLine(line []byte) (request Request, fault *Fault) {
	unknown := Request{ID: null}
	g := grammar{text: line}
	var e envelope
	if bad := g.document(&e); bad != nil {
		return unknown, &Fault{Kind: NotJSON, Message: g.message(bad)}
	}
	switch line[g.space(0)] {
	case '{':
	case '[':
		return unknown, notRequest("batch arrays are not supported")
	default:
		return unknown, notRequest("a request must be an object")
	}
	return e.request(line)
}

// ScanParams scans the params of a request; absent ones are {}. Of a Line that was read
// up to params the scanner takes the whole in one pass, where nothing comes behind
// params; else the line is walked first. The fault says why the line is no request after
// all, err why the scanner refuses the params.
func (r Request) ScanParams(s *strictjson.Scanner) (params strictjson.Node, fault *Fault, err error) {
	raw := r.Params
	if r.Line != nil {
		if doc, err := s.Scan(r.Line); err == nil {
			if params = doc.Root().Get("params"); int(doc.Values[params.Index()].Next) == len(doc.Values) {
				return params, nil, nil
			}
		}
		if raw, fault = r.rest(); fault != nil {
			return params, fault, nil
		}
	}
	if raw == nil {
		raw = []byte("{}")
	}
	doc, err := s.Scan(raw)
	if err != nil {
		return params, nil, err
	}
	return doc.Root(), nil, nil
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

// isID says whether a JSON value may be an id (JSON-RPC 2.0 §4: a string, a number
// or null).
func isID(raw []byte) bool {
	switch raw[0] {
	case '{', '[', 't', 'f':
		return false
	}
	return true
}

// textOf returns the text of a JSON string, "" for every other value.
func textOf(raw []byte) (s string) {
	if raw[0] != '"' {
		return ""
	}
	if bytes.IndexByte(raw, '\\') < 0 {
		return string(raw[1 : len(raw)-1])
	}
	if err := json.Unmarshal(raw, &s); err != nil {
		return ""
	}
	return s
}

// document walks the whole line and, when it is an object, notes where the members
// of the envelope are.
func (g *grammar) document(e *envelope) *fault {
	i := g.space(0)
	var bad *fault
	if i < len(g.text) && g.text[i] == '{' {
		i, bad = g.members(i+1, e)
	} else {
		i, bad = g.value(i)
	}
	if bad == nil {
		if i = g.space(i); i < len(g.text) {
			bad = &fault{i, "the end of the line"}
		}
	}
	return bad
}

// members walks the members of the outermost object from behind its brace.
func (g *grammar) members(i int, e *envelope) (end int, bad *fault) {
	if i = g.space(i); i < len(g.text) && g.text[i] == '}' {
		return i + 1, nil
	}
	for {
		name := g.space(i)
		if i, bad = g.name(name); bad != nil {
			return i, bad
		}
		place := e.member(bytes.TrimRight(g.text[name:i-1], " \t\r\n"))
		start := g.space(i)
		if place == &e.params && e.head {
			e.atParams = true
			return start, nil
		}
		if i, bad = g.value(start); bad != nil {
			return i, bad
		}
		if place != nil {
			*place = span{start, i}
		}
		if i = g.space(i); i == len(g.text) {
			return i, &fault{i, "',' or '}'"}
		}
		switch g.text[i] {
		case '}':
			return i + 1, nil
		case ',':
			i++
		default:
			return i, &fault{i, "',' or '}'"}
		}
	}
}

// idOf finds the id in the beginning of a line that was too long to keep: the last
// complete member called id before the cut, null when there is none.
func idOf(start []byte) []byte {
	g := grammar{text: start}
	var e envelope
	if i := g.space(0); i < len(start) && start[i] == '{' {
		g.members(i+1, &e) // ends at the cut; what was complete before is noted
	}
	if id := e.id.of(start); id != nil && isID(id) && e.id.end < len(start) {
		return bytes.Clone(id)
	}
	return null
}
