package recordcmd

import (
	"bytes"
	"encoding/base64"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/cupel-dev/cupel/internal/jcs"
	"github.com/cupel-dev/cupel/internal/say"
	"github.com/cupel-dev/cupel/internal/strictjson"
)

// side is a side of an MCP connection, as the direction of its messages.
type side string

const (
	fromClient side = "c2s"
	fromServer side = "s2c"
)

func (s side) other() side {
	if s == fromClient {
		return fromServer
	}
	return fromClient
}

// messages turns the lines of an MCP connection into session events. The payload of an event is the message itself
// with members that the event's type requires. A line that is not a message is a TOOL_ERROR with the line as text.
type messages struct {
	scanner *strictjson.Scanner
	open    map[string]request // unanswered, by the side that sent them and their id
}

// request is what a response does not say about itself.
type request struct {
	tool     string // tool_name of the event
	sampling bool   // the client's model answers
}

// maxOpen limits the requests that wait for a response. The responses to further ones do not name their method.
const maxOpen = 10_000

func newMessages() *messages {
	return &messages{
		scanner: strictjson.NewScanner(strictjson.Limits{Depth: maxDepth, Values: maxValues}),
		open:    map[string]request{},
	}
}

// Limits of messages. Lines beyond them are recorded as text. The depth is less than that of a log's lines, because
// an event contains the message.
const (
	maxDepth  = 120
	maxValues = 1 << 20
)

// events returns the events of a line without its end.
func (m *messages) events(from side, line []byte) (list [][]byte) {
	if line = bytes.TrimSpace(line); len(line) == 0 {
		return nil
	}
	doc, err := m.scanner.Scan(line)
	if err != nil {
		return [][]byte{notMessage(from, line, err.Error())}
	}
	root := doc.Root()
	if !root.Is(strictjson.Array) {
		return [][]byte{m.event(from, root)}
	}
	for message := range root.Children() { // a batch
		list = append(list, m.event(from, message))
	}
	if list == nil {
		list = [][]byte{notMessage(from, line, "a batch without messages")}
	}
	return list
}

// added are members of payloads that messages cannot have.
var added = []string{
	"direction", "tool_name", "args", "args_hash", "result_hash", "model_id", "prompt", "messages", "prompt_hash", "content",
	"content_hash", "finish_reason", "error_type", "error_message",
}

// event returns the event of a message.
func (m *messages) event(from side, message strictjson.Node) []byte {
	method, isCall := message.Get("method").Text()
	id := message.Get("id")
	failure, result := message.Get("error"), message.Get("result")
	switch {
	case !message.Is(strictjson.Object):
		return notMessage(from, message.Raw(), "expected an object, found "+say.Article(message.Kind().String()))
	case slices.ContainsFunc(added, func(name string) bool { return message.Get(name).Exists() }):
		return notMessage(from, message.Raw(), "the message has a member that is reserved for the log")
	case isCall:
		return m.call(from, message, method, id)
	case id.Missing() && failure.Missing() || result.Missing() && !failure.Is(strictjson.Object):
		return notMessage(from, message.Raw(), "the message has no method, and no id with a result or an error")
	}
	key := openKey(from.other(), id)
	asked, known := m.open[key]
	delete(m.open, key)
	if !known {
		asked.tool = protocolPrefix + "unknown"
	}
	e := newEvent(from, message)
	switch {
	case failure.Is(strictjson.Object):
		e.add("error_type", "jsonrpc "+string(failure.Get("code").Raw()))
		text, _ := failure.Get("message").Text()
		return e.errorMessage(text).add("tool_name", asked.tool).of("TOOL_ERROR")
	case asked.sampling:
		return e.add("finish_reason", textOr(result.Get("stopReason"), unknown)).of("LLM_RESPONSE")
	}
	if failed, ok := result.Get("isError").Bool(); ok && failed {
		var text []string
		for part := range result.Get("content").Children() {
			if t, ok := part.Get("text").Text(); ok {
				text = append(text, t)
			}
		}
		return e.add("error_type", "tool").errorMessage(strings.Join(text, "\n")).add("tool_name", asked.tool).of("TOOL_ERROR")
	}
	return e.add("tool_name", asked.tool).of("TOOL_RESULT")
}

// protocolPrefix starts the tool_name of messages that are not tool calls.
const protocolPrefix = "mcp:"

// unknown is written for required members that a message does not have.
const unknown = "unknown"

func (m *messages) call(from side, message strictjson.Node, method string, id strictjson.Node) []byte {
	asked := request{tool: protocolPrefix + method}
	params := message.Get("params")
	if method == "tools/call" {
		asked.tool = textOr(params.Get("name"), asked.tool)
	}
	asked.sampling = method == "sampling/createMessage"
	if !id.Missing() && len(m.open) < maxOpen {
		m.open[openKey(from, id)] = asked
	}
	e := newEvent(from, message)
	if asked.sampling {
		model := params.Get("modelPreferences").Get("hints").At(0).Get("name")
		return e.add("model_id", textOr(model, unknown)).of("LLM_CALL")
	}
	if params.Missing() || method == "tools/call" && params.Get("arguments").Missing() {
		e.args() // args_hash covers it
	}
	return e.add("tool_name", asked.tool).of("TOOL_CALL")
}

// openKey returns the key of a request in messages.open.
func openKey(from side, id strictjson.Node) string {
	if text, ok := id.Text(); ok {
		return string(from) + `"` + text
	}
	return string(from) + string(id.Raw())
}

// textOr returns a text, or a default if a value is not one.
func textOr(n strictjson.Node, fallback string) string {
	if text, ok := n.Text(); ok && text != "" {
		return text
	}
	return fallback
}

// payload is the text of a payload without its last brace.
type payload []byte

// newEvent returns the payload with a message's members and its direction.
func newEvent(from side, message strictjson.Node) *payload {
	raw := message.Raw()
	p := payload(append(make([]byte, 0, len(raw)+200), `{"direction":"`+string(from)+`"`...))
	if inner := bytes.TrimSpace(raw[1 : len(raw)-1]); len(inner) > 0 {
		p = append(append(p, ','), inner...)
	}
	return &p
}

func (p *payload) add(name, text string) *payload {
	*p = jcs.AppendText(append(append(*p, `,"`+name...), `":`...), text)
	return p
}

func (p *payload) args() { *p = append(*p, `,"args":{}`...) }

// maxErrorMessage is the limit of error_message, in characters.
const maxErrorMessage = 500

func (p *payload) errorMessage(text string) *payload {
	return p.add("error_message", say.Clip(text, maxErrorMessage))
}

// of returns the event of a type.
func (p *payload) of(eventType string) []byte {
	out := append(make([]byte, 0, len(*p)+64), `{"event_type":"`+eventType+`","payload":`...)
	return append(append(out, *p...), '}', '}')
}

// notMessage returns the event of a line that is not a message.
func notMessage(from side, line []byte, why string) []byte {
	p := payload(`{"direction":"` + string(from) + `"`)
	p.add("error_type", "not a message").errorMessage(why)
	if utf8.Valid(line) {
		p.add("text", string(line))
	} else {
		p.add("base64", base64.StdEncoding.EncodeToString(line))
	}
	return p.of("TOOL_ERROR")
}

// dropped returns the event that says that messages are missing.
func dropped(count int64, reason string) []byte {
	return []byte(`{"event_type":"LOG_DROP","payload":{"count":` + strconv.FormatInt(count, 10) + `,"reason":"` + reason + `"}}`)
}
