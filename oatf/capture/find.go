package capture

import (
	"bytes"
	"slices"
	"strings"

	"github.com/cupel-dev/cupel/internal/strictjson"
	"github.com/cupel-dev/cupel/oatf/internal/protocol"
	"github.com/cupel-dev/cupel/oatf/model"
)

// context is what the containers around a value tell of the messages in it.
type context struct {
	node  strictjson.Node // that is being looked at
	outer strictjson.Node // the string in the frame that the value was a text in; absent in the frame itself

	sender     Side
	word       string // how the container names the direction, where that does not tell the sender
	connection string
	time       string
	texts      int  // strings that the value is a text in
	depth      int  // containers around the value
	sure       bool // the format was asked for: what is no message is an error
	wrapped    bool // in an object, or behind text, that is no message
}

// place is the byte of the frame where the value begins.
func (c context) place() int {
	n := c.node
	if c.outer.Exists() {
		n = c.outer
	}
	if !n.Exists() {
		return 0
	}
	start, _ := n.Span()
	return start
}

// The bounds of the search. Containers of messages are shallow; what is deeper is their
// content.
const (
	mostTexts  = 3
	mostLevels = 12
)

// find queues the messages in a value. known says that the value is of a known kind, whether
// or not it has messages.
func (r *Reader) find(n strictjson.Node, c context) (known bool) {
	c.node = n
	if c.depth++; c.depth > mostLevels {
		return false
	}
	switch n.Kind() {
	case strictjson.Array:
		for child := range n.Children() {
			if k := child.Kind(); k == strictjson.Object || k == strictjson.Array || k == strictjson.String {
				known = r.find(child, c) || known
			}
		}
	case strictjson.String:
		return r.inString(n, c)
	case strictjson.Object:
		return r.inObject(n, c)
	}
	return known
}

// inObject finds the messages in an object: a record of a known kind, or what is around some.
func (r *Reader) inObject(n strictjson.Node, c context) bool {
	for _, recognize := range []func(n strictjson.Node, c context) bool{
		r.ofRunner, r.ofRPC, r.ofHAR, r.ofSpans, r.ofExchange, r.ofAGUI, r.ofTranscript, r.ofChat,
	} {
		if recognize(n, c) {
			return true
		}
	}
	if c, ok := r.around(n, c); ok {
		c.wrapped = true
		known := false
		for child := range n.Children() {
			switch child.Kind() {
			case strictjson.Object, strictjson.Array:
				known = r.find(child, c) || known
			case strictjson.String:
				known = r.inString(child, c) || known
			}
		}
		return known
	}
	return true // a record of a known kind that has no messages
}

// connectionMembers are the members by which containers name a connection.
var connectionMembers = map[string]bool{
	"session": true, "session_id": true, "sessionId": true, "conn": true, "conn_id": true, "connId": true, "connection": true,
	"connection_id": true, "connectionId": true, "server": true, "server_id": true, "serverId": true, "server_label": true,
	"serverLabel": true, "server_name": true, "serverName": true, "mcp_session_id": true, "mcp-session-id": true,
}

// around takes over what an object says of the messages in it. ok is false when it says that
// there are none.
func (r *Reader) around(n strictjson.Node, c context) (context, bool) {
	var scratch [32]byte
	for member := range n.Children() {
		if !member.Is(strictjson.String) && !member.Is(strictjson.Number) {
			continue
		}
		switch key := string(member.KeyBytes(scratch[:])); key {
		case "direction", "dir":
			word, _ := member.Text()
			if word = strings.ToLower(word); word == "stderr" || word == "meta" {
				return c, false
			}
			c.sender, c.word = senderOf(word), word
		case "message_type":
			if word, _ := member.Text(); word != "jsonrpc" && n.Get("content").Is(strictjson.String) {
				return c, false
			}
		case "ts", "time", "timestamp", "timestamp_micros", "startedDateTime":
			c.time = scalar(member)
		default:
			if connectionMembers[key] {
				c.connection += "\x01" + scalar(member)
			}
		}
	}
	return c, true
}

// scalar is the text of a string or the spelling of a number.
func scalar(n strictjson.Node) string {
	if text, ok := n.Text(); ok {
		return text
	}
	return string(n.Raw())
}

// senderOf is the side that a word for a direction names, "" for one that depends on whose log
// it is.
func senderOf(word string) Side {
	switch word {
	case "c2s", "client", "toserver", "to_server", "client-to-server", "client_to_server", "client->server", "clienttoserver", "request_to_server":
		return Client
	case "s2c", "server", "toclient", "to_client", "server-to-client", "server_to_client", "server->client", "servertoclient":
		return Server
	}
	return ""
}

// opposites are the words for directions that depend on whose log it is.
var opposites = map[string]string{
	"in": "out", "out": "in", "incoming": "outgoing", "outgoing": "incoming", "inbound": "outbound", "outbound": "inbound",
	"sent": "received", "received": "sent", "send": "receive", "receive": "send", "recv": "send", "tx": "rx", "rx": "tx",
	">": "<", "<": ">", "->": "<-", "<-": "->", "-->": "<--", "<--": "-->", ">>>": "<<<", "<<<": ">>>", "sending": "received",
	"read": "write", "write": "read",
}

// words remembers for each connection which side a word for a direction means.
type words map[string]Side

const mostWords = 1 << 10

// tell completes the sender of a message: by its method, or by what its direction's word has
// meant so far.
func (w *words) tell(c context, byMethod Side) Side {
	if c.sender != "" {
		return c.sender
	}
	opposite := opposites[c.word]
	if opposite == "" {
		return byMethod
	}
	key := c.connection + "\x00"
	if byMethod == "" {
		return (*w)[key+c.word]
	}
	if len(*w) < mostWords {
		if *w == nil {
			*w = words{}
		}
		(*w)[key+c.word], (*w)[key+opposite] = byMethod, byMethod.Other()
	}
	return byMethod
}

// contextOf is the context of a value in a line of text, given the text before it.
func contextOf(prefix string) (c context) {
	if prefix == "" {
		return c
	}
	c.wrapped = true
	prefix = strings.TrimRight(prefix, " \t:")
	lower := strings.ToLower(prefix)
	for _, p := range linePrefixes {
		if strings.HasSuffix(lower, p.text) {
			c.sender, c.word = p.sender, p.word
			break
		}
	}
	if date, _, ok := strings.Cut(prefix, " ["); ok && len(date) <= len("2006-01-02 15:04:05.000000000") {
		c.time = date
	}
	// A log of several servers names them in brackets: "TIME [info] [SERVER] Message from client".
	if _, name, ok := strings.Cut(prefix, "] ["); ok && strings.HasPrefix(c.word, "message from") {
		c.connection, _, _ = strings.Cut(name, "]")
	}
	return c
}

// linePrefixes are what is before a message in a line of text, in lower case.
var linePrefixes = []struct {
	text   string
	sender Side
	word   string
}{
	{"message from client", Client, "message from client"},
	{"message from server", Server, "message from server"},
	{"[editor -> server]", Client, ""},
	{"[server -> editor]", Server, ""},
	{"[client says]", Client, ""},
	{"[server says]", Server, ""},
	{"[client -> server]", Client, ""},
	{"[server -> client]", Server, ""},
	{"client -> server", Client, ""},
	{"server -> client", Server, ""},
	{"client->server", Client, ""},
	{"server->client", Server, ""},
	{"client to server", Client, ""},
	{"server to client", Server, ""},
	{"sending", "", "sent"},
	{"sent", "", "sent"},
	{"received", "", "received"},
	{"receiving", "", "received"},
	{"-->", "", "-->"},
	{"<--", "", "<--"},
	{">>>", "", ">>>"},
	{"<<<", "", "<<<"},
	{"->", "", "->"},
	{"<-", "", "<-"},
}

// inString looks for messages in a string that may hold JSON, such as the text of a log.
func (r *Reader) inString(n strictjson.Node, c context) bool {
	start, end := n.Span()
	raw := n.Document().Source[start:end]
	if end-start < len(`"{'id':1,'result':1}"`) || c.texts == mostTexts || !bytes.ContainsAny(raw, "{") || !mayHold(raw) {
		return false
	}
	text := n.TextBytes(nil)
	known := false
	for range mostStarts {
		at := bytes.IndexAny(text, "{[")
		if at < 0 {
			break
		}
		prefix := string(text[:at])
		text = text[at:]
		var b balance
		length := len(text)
		if end, p := feedText(&b, text); p == finished {
			length = end
		}
		inner, ok := r.scanInner(text[:length], c)
		if !ok {
			text = text[1:]
			continue
		}
		own := contextOf(prefix)
		next := c
		if own.sender != "" || own.word != "" {
			next.sender, next.word = own.sender, own.word
		}
		known = r.inText(inner, n, next) || known
		text = text[length:]
	}
	return known
}

// feedText feeds a text of several lines.
func feedText(b *balance, text []byte) (end int, p progress) {
	for offset := 0; ; {
		line, rest, more := bytes.Cut(text[offset:], []byte{'\n'})
		end, p = b.feed(line)
		if p != unfinished || !more {
			return offset + end, p
		}
		offset = len(text) - len(rest)
	}
}

// mayHold says whether JSON in a string can be a message.
func mayHold(raw []byte) bool {
	for _, word := range []string{"jsonrpc", "method", "result"} {
		if bytes.Contains(raw, []byte(word)) {
			return true
		}
	}
	return false
}

// scanInner scans JSON that is a text in the capture. ok is false for what is no JSON.
func (r *Reader) scanInner(text []byte, c context) (n strictjson.Node, ok bool) {
	if c.texts >= mostTexts || len(text) == 0 {
		return n, false
	}
	if r.inner[c.texts] == nil {
		r.inner[c.texts] = r.options.Limits.scanner()
	}
	doc, fault := scan(r.inner[c.texts], text)
	if fault != nil {
		return n, false
	}
	return doc.Root(), true
}

// inText finds the messages in the value of a text.
func (r *Reader) inText(value, text strictjson.Node, c context) bool {
	if !c.outer.Exists() {
		c.outer = text
	}
	c.texts++
	return r.find(value, c)
}

// payload takes a record in which there is no message for a bare payload, if it looks like
// one, or counts it.
func (r *Reader) payload(n strictjson.Node) {
	if n.Is(strictjson.Array) {
		for child := range n.Children() {
			r.payload(child)
		}
		return
	}
	if r.format != Auto && r.format != Plain || !n.Is(strictjson.Object) {
		r.unknown(looksLike(n))
		return
	}
	v := r.build.value(n)
	protocols := protocol.Payload(v)
	if len(protocols) == 0 {
		r.unknown(looksLike(n))
		return
	}
	r.found(Plain)
	r.stats.Payloads++
	m := r.message(context{node: n})
	if m.Value = v; len(protocols) == 1 {
		m.Protocol = protocols[0]
	}
	r.add(m)
}

// markers are the sides that records have shown to be captured.
func (r *Reader) marker(p model.Protocol, sender Side, c context) {
	m := r.message(c)
	m.Value, m.Protocol, m.Sender, m.Marker = emptyObject, p, sender, true
	r.add(m)
}

// textOf is the text of a member of an object; "" when it is no string.
func textOf(n strictjson.Node, name string) string {
	text, _ := n.Get(name).Text()
	return text
}

// isOneOf says whether a member of an object is one of some texts.
func isOneOf(n strictjson.Node, name string, list ...string) bool {
	text, ok := n.Get(name).Text()
	return ok && slices.Contains(list, text)
}
