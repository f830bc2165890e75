package capture

import (
	"github.com/cupel-dev/cupel/internal/strictjson"
	"github.com/cupel-dev/cupel/oatf/model"
)

// collector queues the messages of a record, using the state of earlier ones.
type collector struct {
	options Options
	search  func(n strictjson.Node, c context) bool // finds the messages in a value: find
	inner   [mostTexts]*strictjson.Scanner          // of JSON in strings, by depth
	build   builder
	methods methods
	open    requests
	words   words
	chats   chats
	join    joiner
	stats   Stats

	input  int
	frame  frame     // the text that is being read: a line, or several
	format Format    // of the input; Auto until its first message
	index  int       // of the next message
	queue  []Message // found, and not handed out
}

// addPlain queues a value as a payload.
func addPlain(r *collector, n strictjson.Node) {
	m := r.message(context{node: n})
	m.Value = r.build.value(n)
	r.add(m)
}

func (r *collector) refuse(e *LineError) { r.queue = append(r.queue, Message{bad: e}) }

func (r *collector) message(c context) Message {
	return Message{
		Input: r.input, Line: r.frame.lineOf(c.place()), Connection: c.connection, Sender: c.sender, Timestamp: c.time,
		limits: r.options.Limits,
	}
}

func (r *collector) add(m Message) {
	if m.Value == nil && m.absent {
		m.Value = emptyObject
	}
	if m.Protocol != "" && !m.Variant {
		r.stats.Recognized++
	}
	switch {
	case m.Variant || m.Marker:
		m.Index = max(0, r.index-1)
	default:
		m.Index = r.index
		r.index++
	}
	r.queue = append(r.queue, m)
}

// found sets the input's format, on the first message.
func (r *collector) found(f Format) {
	if r.format == Auto || r.format == Plain && r.options.Format == Auto {
		r.format = f
	}
}

// valueOf builds the value of a node, an empty object if absent.
func (r *collector) valueOf(n strictjson.Node) model.Value {
	if !n.Exists() {
		return emptyObject
	}
	return r.build.value(n)
}
