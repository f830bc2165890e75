package capture

import (
	"slices"
	"strings"

	"github.com/cupel-dev/cupel/internal/strictjson"
	"github.com/cupel-dev/cupel/oatf/model"
)

// context is what the containers of a message say about it.
type context struct {
	node  strictjson.Node // that is being looked at
	outer strictjson.Node // the string in the frame that the value was a text in; absent in the frame itself

	sender     Side
	word       string // the container's word for the direction, if it does not imply the sender
	connection string
	time       string
	texts      int  // strings that the value is a text in
	depth      int  // containers around the value
	sure       bool // format was requested: anything but a message is an error
	wrapped    bool // inside an object or text that is not a message
}

// place returns the byte offset where the value starts.
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

// Limits of the search. Containers are shallow; deeper values are content.
const (
	mostTexts  = 3
	mostLevels = 12
)

// connectionMembers are members that name a connection.
var connectionMembers = map[string]bool{
	"session": true, "session_id": true, "sessionId": true, "conn": true, "conn_id": true, "connId": true, "connection": true,
	"connection_id": true, "connectionId": true, "server": true, "server_id": true, "serverId": true, "server_label": true,
	"serverLabel": true, "server_name": true, "serverName": true, "mcp_session_id": true, "mcp-session-id": true,
}

// around adds the data of an object that contains messages. ok is false if the object says that it contains none.
func around(n strictjson.Node, c context) (context, bool) {
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

func scalar(n strictjson.Node) string {
	if text, ok := n.Text(); ok {
		return text
	}
	return string(n.Raw())
}

// senderOf returns the side that a direction word names, or "" if it depends on who logged.
func senderOf(word string) Side {
	switch word {
	case "c2s", "client", "toserver", "to_server", "client-to-server", "client_to_server", "client->server", "clienttoserver", "request_to_server":
		return Client
	case "s2c", "server", "toclient", "to_client", "server-to-client", "server_to_client", "server->client", "servertoclient":
		return Server
	}
	return ""
}

// opposites pairs direction words whose meaning depends on who logged.
var opposites = map[string]string{
	"in": "out", "out": "in", "incoming": "outgoing", "outgoing": "incoming", "inbound": "outbound", "outbound": "inbound",
	"sent": "received", "received": "sent", "send": "receive", "receive": "send", "recv": "send", "tx": "rx", "rx": "tx",
	">": "<", "<": ">", "->": "<-", "<-": "->", "-->": "<--", "<--": "-->", ">>>": "<<<", "<<<": ">>>", "sending": "received",
	"read": "write", "write": "read",
}

// words remembers which side a direction word means, per connection.
type words map[string]Side

const mostWords = 1 << 10

// completeSender returns a message's sender from its method, or from the earlier meaning of its direction word.
func (w *words) completeSender(c context, byMethod Side) Side {
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

// contextOf returns the context of a value in a line, from the text before it.
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
	// Logs of several servers name them in brackets: "TIME [info] [SERVER] Message from client".
	if _, name, ok := strings.Cut(prefix, "] ["); ok && strings.HasPrefix(c.word, "message from") {
		c.connection, _, _ = strings.Cut(name, "]")
	}
	return c
}

// linePrefixes are texts before a message in a line, in lower case.
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

// scanInner parses a string as JSON; ok is false if it is not.
func (r *collector) scanInner(text []byte, c context) (n strictjson.Node, ok bool) {
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

// marker records that messages of a side were captured.
func (r *collector) marker(p model.Protocol, sender Side, c context) {
	m := r.message(c)
	m.Value, m.Protocol, m.Sender, m.Marker = emptyObject, p, sender, true
	r.add(m)
}

func textOf(n strictjson.Node, name string) string {
	text, _ := n.Get(name).Text()
	return text
}

// isOneOf reports whether a member is one of the given strings.
func isOneOf(n strictjson.Node, name string, list ...string) bool {
	text, ok := n.Get(name).Text()
	return ok && slices.Contains(list, text)
}
