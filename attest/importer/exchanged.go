package importer

import (
	"bytes"
	"encoding/json"
	"io"

	"github.com/cupel-dev/cupel/attest"
	"github.com/cupel-dev/cupel/internal/strictjson"
)

// dialogValue is one value of a conversation, for example a logged call on a line.
type dialogValue struct {
	value *value
	doc   strictjson.Document
	size  int64
}

// talk adds a value of a conversation. Lines whose messages continue those of the previous line form one run. Its
// trace is built when another value follows.
func (im *streamImporter) talk(text attest.TraceText, doc *strictjson.Document) bool {
	if n := len(im.talking); n > 0 && !continues(im.talking[n-1].doc.Root(), doc.Root()) && !im.hush() {
		return false
	}
	raw := bytes.Clone(text.Raw) // it outlives the next read
	kept, err := im.newScanner().Scan(raw)
	if err != nil {
		return im.deliver(im.refused(text, err))
	}
	held := len(raw)
	for _, x := range im.talking {
		held += len(x.value.text)
	}
	if held > im.limits.TraceBytes && !im.hush() {
		return false
	}
	copied, _ := kept.Copy(nil)
	im.talking = append(im.talking, dialogValue{value: &value{text: raw, line: text.Line, index: im.values - 1}, doc: copied, size: text.Size})
	if !hasReply(copied.Root()) {
		return im.hush()
	}
	return true
}

// hush builds the trace of the collected lines.
func (im *streamImporter) hush() bool {
	list := im.talking
	im.talking = nil
	if len(list) == 0 {
		return true
	}
	return im.deliver(im.converse(list))
}

// converse builds a trace from the values of one conversation.
func (im *streamImporter) converse(list []dialogValue) Trace {
	m := im.newMaker()
	text := attest.TraceText{Raw: list[0].value.text, Line: list[0].value.line, Size: list[0].size}
	c := newConversation(m, list[0].doc.Root(), im.limits.Steps)
	var parts []part
	weight := 0
	for i := range list {
		x := &list[i]
		p := part{value: x.value, end: len(x.value.text)}
		if len(list) > 1 {
			p.pointer = x.value.numbered(true)
			m.parts[&x.doc] = int32(i)
		}
		parts = append(parts, p)
		weight += len(x.value.text) + len(x.doc.Values)*strictjson.ValueBytes
		if err := im.format.converse(c, x.doc.Root()); err != nil {
			return im.refused(text, err)
		}
	}
	if err := c.write(m); err != nil {
		return im.refused(text, err)
	}
	made := im.made(m, parts)
	made.Line = text.Line
	made.Weight += weight
	made.Coverage = c.account()
	return made
}

// hasReply reports whether a value is a logged call: a request and its reply.
func hasReply(root strictjson.Node) bool {
	return root.Is(strictjson.Object) && root.Last("request").Is(strictjson.Object) && root.Last("response").Is(strictjson.Object)
}

// continues reports whether the messages of a call start with all messages of the previous call.
func continues(before, root strictjson.Node) bool {
	if !hasReply(before) || !hasReply(root) {
		return false
	}
	earlier, list := messagesOf(before), messagesOf(root)
	if earlier.Len() == 0 || list.Len() <= earlier.Len() {
		return false
	}
	for i := range earlier.Len() {
		if !bytes.Equal(earlier.At(i).Raw(), list.At(i).Raw()) {
			return false
		}
	}
	return true
}

func messagesOf(root strictjson.Node) strictjson.Node {
	request := body(root.Last("request"))
	for _, name := range []string{"messages", "input", "contents"} {
		if list := request.Last(name); list.Is(strictjson.Array) {
			return list
		}
	}
	return strictjson.Node{}
}

// sequence splits a text into consecutive JSON values, as written by the console exporter. It returns nil for other
// texts.
func sequence(text attest.TraceText) (list []attest.TraceText) {
	d := json.NewDecoder(bytes.NewReader(text.Raw))
	line, at := text.Line, 0
	for {
		var raw json.RawMessage
		err := d.Decode(&raw)
		if err == io.EOF {
			return list
		}
		if err != nil || raw[0] != '{' && raw[0] != '[' {
			return nil
		}
		start := int(d.InputOffset()) - len(raw)
		line += bytes.Count(text.Raw[at:start], []byte{'\n'})
		at = start
		list = append(list, attest.TraceText{Raw: raw, Line: line, Size: int64(len(raw))})
	}
}
