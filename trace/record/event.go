package record

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/cupel-dev/cupel/internal/digest"
	"github.com/cupel-dev/cupel/internal/jcs"
	"github.com/cupel-dev/cupel/internal/recorder"
	"github.com/cupel-dev/cupel/internal/strictjson"
)

const (
	sessionStart = "SESSION_START"
	sessionEnd   = "SESSION_END"
	llmCall      = "LLM_CALL"
	llmResponse  = "LLM_RESPONSE"
	toolCall     = "TOOL_CALL"
	toolResult   = "TOOL_RESULT"
	toolError    = "TOOL_ERROR"
	logDrop      = "LOG_DROP"
)

// Types returns the types of events that an agent can record.
func Types() []string {
	return []string{sessionStart, sessionEnd, llmCall, llmResponse, toolCall, toolResult, toolError, logDrop}
}

// IsType reports whether an agent can record events of a type. CHAIN_SEAL, CHAIN_BROKEN, REDACTION and
// FORENSIC_FREEZE are written by the server that collects logs.
func IsType(name string) bool { return slices.Contains(Types(), name) }

// Append appends the lines of an event to dst: its own, a SESSION_START before it if the session has none yet, and
// the second line of a step. The event is one of
//
//   - a session event: an object with event_type and payload. Its session_id and timestamp are kept; seq, prev_hash,
//     event_hash and signature are computed
//   - a step of a trace for tests: an object with a type such as tool_call, and a name
//   - the input of a hook command: an object with hook_event_name
//   - with Options.Type, any other object, which becomes the payload
//
// Payloads without the hash that their type requires get it, if they have the hashed value. The error describes a
// malformed event, or is ErrNext or that of Options.Payload.
func (c *Chain) Append(dst, event []byte) ([]byte, error) {
	doc, err := c.in.Scan(event)
	if err != nil {
		return dst, err
	}
	if err := recorder.Object(doc.Root()); err != nil {
		return dst, err
	}
	before, size := c.state, len(dst)
	if dst, err = c.take(dst, doc.Root()); err != nil {
		c.state = before
		return dst[:size], err
	}
	return dst, nil
}

func (c *Chain) take(dst []byte, root strictjson.Node) ([]byte, error) {
	switch {
	case root.Get("event_type").Exists():
		e, err := readEvent(root)
		if err != nil {
			return dst, err
		}
		return c.event(dst, e)
	case c.opt.Type != "":
		return c.event(dst, one{eventType: c.opt.Type, payload: root})
	case hookName(root) != "":
		eventType, payload := hookEvent(root)
		return c.made(dst, eventType, payload)
	case recorder.IsStep(root):
		return c.step(dst, root)
	case root.Get("specversion").Exists():
		return dst, ErrEvidence
	}
	return dst, ErrKind
}

// ErrEvidence is returned for an event of an evidence stream.
var ErrEvidence = errors.New("the line is an evidence event, which a session log cannot hold")

// ErrKind is returned for an object of no known kind.
var ErrKind = errors.New("the object has no event_type, and no type of a step")

// computed are the members of a session event that a Chain computes.
var computed = []string{"seq", "prev_hash", "event_hash", "signature"}

// one is an event to append. payload is an object.
type one struct {
	eventType string
	payload   strictjson.Node
	session   string // "": any
	at        string // timestamp, or ""
}

// readEvent reads a session event.
func readEvent(root strictjson.Node) (e one, err error) {
	for m := range root.Children() {
		text, isText := m.Text()
		name := m.Key()
		switch {
		case name == "payload":
			e.payload = m
			continue
		case slices.Contains(computed, name), m.Missing():
			continue
		case !slices.Contains([]string{"event_type", "session_id", "timestamp"}, name):
			return e, fmt.Errorf("%q is not a member of a session event; put it into the payload", name)
		case !isText || text == "":
			return e, fmt.Errorf("%s is %s, expected a text", name, m.Kind())
		}
		switch name {
		case "event_type":
			e.eventType = text
		case "session_id":
			e.session = text
		case "timestamp":
			e.at = text
		}
	}
	switch {
	case !IsType(e.eventType):
		return e, fmt.Errorf("event_type is %q, expected %s", e.eventType, strings.Join(Types(), ", "))
	case !e.payload.Is(strictjson.Object):
		return e, fmt.Errorf("%s has no payload, expected an object", e.eventType)
	}
	return e, nil
}

// event appends an event, and SESSION_START before the first.
func (c *Chain) event(dst []byte, e one) ([]byte, error) {
	at := c.now()
	if e.at != "" {
		var err error
		if at, err = readStamp(e.at); err != nil {
			return dst, err
		}
	}
	payload, err := c.payload(e)
	if err != nil {
		return dst, err
	}
	switch {
	case c.ended, c.bare && c.seq > 0, e.eventType == sessionStart && c.seq > 0:
		return dst, ErrNext
	case e.eventType == sessionStart:
		return c.start(dst, e.session, payload, at)
	case c.seq == 0:
		if dst, err = c.start(dst, e.session, []byte("{}"), at); err != nil {
			return dst, err
		}
	case e.session != "" && e.session != c.session:
		return dst, fmt.Errorf("session_id is %q, but the session of the log is %q", e.session, c.session)
	}
	if e.eventType == logDrop {
		if payload, err = dropped(c.whole, payload, c.seq+1); err != nil {
			return dst, err
		}
	}
	return c.line(dst, e.eventType, payload, at)
}

// hashed are the members whose hash a payload needs: the first that a payload has is hashed. params and result are
// members of JSON-RPC messages, tool_input, tool_response and last_assistant_message those of hooks.
var hashed = map[string]struct {
	hash string
	of   [][]string // paths
}{
	llmCall:     {"prompt_hash", [][]string{{"prompt"}, {"messages"}, {"params"}}},
	llmResponse: {"content_hash", [][]string{{"content"}, {"result"}, {"last_assistant_message"}}},
	toolCall:    {"args_hash", [][]string{{"args"}, {"params", "arguments"}, {"params"}, {"tool_input"}}},
	toolResult:  {"result_hash", [][]string{{"result"}, {"tool_response"}}},
}

// payload returns the text of a payload after Options.Payload, with the hash that its type requires.
func (c *Chain) payload(e one) ([]byte, error) {
	text, node := e.payload.Raw(), e.payload
	if c.opt.Payload != nil {
		replaced, err := c.opt.Payload(e.eventType, text)
		if err != nil {
			return nil, err
		}
		doc, err := c.whole.Scan(replaced)
		if err != nil {
			return nil, err
		}
		text, node = replaced, doc.Root()
	}
	need, ok := hashed[e.eventType]
	if !ok || node.Get(need.hash).Exists() {
		return text, nil
	}
	for _, path := range need.of {
		value := node
		for _, name := range path {
			value = value.Get(name)
		}
		if value.Exists() {
			return c.withHash(node, need.hash, value), nil
		}
	}
	return text, nil
}

// withHash appends a member with the SHA-256 of a value's canonical JSON.
func (c *Chain) withHash(object strictjson.Node, name string, value strictjson.Node) []byte {
	c.buf = c.writer.Append(c.buf[:0], value)
	start, end := object.Span()
	out := append(make([]byte, 0, end-start+len(name)+80), object.Raw()...)
	out = append(out[:len(out)-1], ',')
	out = append(jcs.AppendText(out, name), ':', '"')
	return append(digest.Of(c.buf).AppendHex(out), '"', '}')
}

// step appends the two events of a step: the call, and its result if there is one. The members of the step are
// those of the payloads; type and name are also the members that the event requires.
func (c *Chain) step(dst []byte, root strictjson.Node) ([]byte, error) {
	call, result, named := toolCall, toolResult, "tool_name"
	if root.Get("type").TextIs("llm_call") {
		call, result, named = llmCall, llmResponse, "model_id"
	}
	first, second := []byte{'{'}, []byte{'{'}
	add := func(dst []byte, name string, m strictjson.Node) []byte {
		return append(append(append(jcs.AppendText(dst, name), ':'), m.Raw()...), ',')
	}
	for m := range root.Children() {
		switch name := m.Key(); {
		case m.Missing():
		case name == "result":
			second = add(second, stepMember(call, name), m)
		case name == "type":
			first = add(first, "step_type", m)
		case name == "name":
			first = add(first, named, m)
			if call == toolCall {
				second = add(second, named, m)
			}
		default:
			first = add(first, stepMember(call, name), m)
		}
	}
	if call == llmCall {
		reason := root.Get("result").Get("finish_reason")
		if reason.Is(strictjson.String) {
			second = add(second, "finish_reason", reason)
		} else {
			second = append(second, `"finish_reason":"unknown",`...)
		}
	}
	dst, err := c.made(dst, call, closeObject(first))
	if err != nil || root.Get("result").Missing() {
		return dst, err
	}
	return c.made(dst, result, closeObject(second))
}

// stepMember returns the name in the payload for a member of a step.
func stepMember(call, name string) string {
	switch {
	case call == llmCall && name == "args":
		return "prompt"
	case call == llmCall && name == "result":
		return "content"
	}
	return name
}

// made appends an event with a payload that is not part of the input.
func (c *Chain) made(dst []byte, eventType string, payload []byte) ([]byte, error) {
	doc, err := c.steps.Scan(payload)
	if err != nil {
		return dst, err
	}
	return c.event(dst, one{eventType: eventType, payload: doc.Root()})
}
