package capture

import (
	"bytes"

	"github.com/cupel-dev/cupel/internal/strictjson"
	"github.com/cupel-dev/cupel/oatf/internal/protocol"
)

// find queues the messages in a value. known means that the kind of the value is known, even if it has no messages.
func find(r *collector, n strictjson.Node, c context) (known bool) {
	c.node = n
	if c.depth++; c.depth > mostLevels {
		return false
	}
	switch n.Kind() {
	case strictjson.Array:
		for child := range n.Children() {
			if k := child.Kind(); k == strictjson.Object || k == strictjson.Array || k == strictjson.String {
				known = find(r, child, c) || known
			}
		}
	case strictjson.String:
		return inString(r, n, c)
	case strictjson.Object:
		return inObject(r, n, c)
	}
	return known
}

// inObject reads an object: a record of a known kind, or a container.
func inObject(r *collector, n strictjson.Node, c context) bool {
	for _, recognize := range []func(r *collector, n strictjson.Node, c context) bool{
		ofRunner, ofRPC, ofHAR, ofSpans, ofExchange, ofAGUI, ofTranscript, ofChat,
	} {
		if recognize(r, n, c) {
			return true
		}
	}
	if c, ok := around(n, c); ok {
		c.wrapped = true
		known := false
		for child := range n.Children() {
			switch child.Kind() {
			case strictjson.Object, strictjson.Array:
				known = find(r, child, c) || known
			case strictjson.String:
				known = inString(r, child, c) || known
			}
		}
		return known
	}
	return true // a record of a known kind that has no messages
}

// inString searches a string that can contain JSON, such as text of a log.
func inString(r *collector, n strictjson.Node, c context) bool {
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
		known = inText(r, inner, n, next) || known
		text = text[length:]
	}
	return known
}

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

// mayHold reports whether a string can contain a JSON message.
func mayHold(raw []byte) bool {
	for _, word := range []string{"jsonrpc", "method", "result"} {
		if bytes.Contains(raw, []byte(word)) {
			return true
		}
	}
	return false
}

func inText(r *collector, value, text strictjson.Node, c context) bool {
	if !c.outer.Exists() {
		c.outer = text
	}
	c.texts++
	return find(r, value, c)
}

// addPayload queues a record without messages if it looks like a payload. Otherwise it only counts it.
func addPayload(r *collector, n strictjson.Node) {
	if n.Is(strictjson.Array) {
		for child := range n.Children() {
			addPayload(r, child)
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
