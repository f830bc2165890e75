package capture

import (
	"cmp"
	"slices"
	"strings"

	"github.com/cupel-dev/cupel/internal/say"
	"github.com/cupel-dev/cupel/oatf/internal/value"
	"github.com/cupel-dev/cupel/oatf/model"
)

// mostJoined limits the text of one stream. The limit for all open streams is four times as much.
const mostJoined = 16 << 20

// mostGroups limits the open streams. Beyond, the oldest is returned unfinished.
const mostGroups = 1 << 14

// joiner joins texts and artifacts that arrive in several messages.
type joiner struct {
	groups map[string]*group
	order  []*group // the oldest first; ended ones are nil
	ended  int      // how many of those
	bytes  int
	last   map[string]string // the message or call that is open on a connection, by its kind
}

// group is a text or artifact being joined.
type group struct {
	key     string
	of      stream
	message Message // the last piece, with its value as JSON
	value   []byte
	first   int // line of the first piece
	pieces  int
	text    strings.Builder
	name    string // of a tool call's tool
	parts   []part // of an artifact
	told    bool   // it has been handed out as it is
	at      int    // its place in order
}

// part is a part of an artifact: a text, or any other part as JSON.
type part struct {
	text   string
	isText bool
	rest   []byte // of a text: the part's other members
}

// stream describes a kind of text in pieces.
type stream struct {
	group  string // group of the open text's pieces
	id     string // the member that names the text
	start  bool
	end    bool
	answer bool   // the text is an answer of the agent
	as     string // kind under which the joined text is shown in addition, or ""
}

// textStreams are the AG-UI events with pieces of text.
var textStreams = map[string]stream{
	"text_message_start":            {group: "text", id: "messageId", start: true, answer: true},
	"text_message_content":          {group: "text", id: "messageId", answer: true},
	"text_message_end":              {group: "text", id: "messageId", end: true, answer: true},
	"text_message_chunk":            {group: "text", id: "messageId", answer: true, as: "text_message_content"},
	"tool_call_start":               {group: "call", id: "toolCallId", start: true},
	"tool_call_args":                {group: "call", id: "toolCallId"},
	"tool_call_end":                 {group: "call", id: "toolCallId", end: true},
	"tool_call_chunk":               {group: "call", id: "toolCallId", as: "tool_call_args"},
	"reasoning_message_start":       {group: "reasoning", id: "messageId", start: true},
	"reasoning_message_content":     {group: "reasoning", id: "messageId"},
	"reasoning_message_end":         {group: "reasoning", id: "messageId", end: true},
	"reasoning_message_chunk":       {group: "reasoning", id: "messageId", as: "reasoning_message_content"},
	"thinking_text_message_start":   {group: "thinking", id: "messageId", start: true},
	"thinking_text_message_content": {group: "thinking", id: "messageId"},
	"thinking_text_message_end":     {group: "thinking", id: "messageId", end: true},
}

// pieces processes a message that can be a piece of a text.
func (r *collector) pieces(m *Message) {
	if !r.options.Join || m.Direction == Outgoing {
		return
	}
	switch m.Kind.Method {
	case "_accumulated_response":
		addAccumulated(m)
		return
	case "task/artifact":
		addArtifact(r, *m)
		return
	case "run_finished", "run_error":
		endAll(r, m.Connection+"\x02")
		return
	}
	s, is := textStreams[m.Kind.Method]
	object, _ := m.Value.(model.Object)
	if !is || object == nil {
		return
	}
	open := m.Connection + "\x02" + s.group
	id, named := stringOf(object, s.id)
	if !named {
		id = r.join.last[open]
	}
	key := open + "\x00" + id
	switch chunk := s.as != ""; {
	case s.start, chunk && named && r.join.last[open] != id:
		r.join.setLast(open, id)
	}
	delta, has := stringOf(object, "delta")
	switch {
	case s.end:
		endGroup(r, key)
		return
	case s.start:
		endGroup(r, key)
		if name, ok := stringOf(object, "toolCallName"); ok {
			groupOf(r, key, s, m).name = name
		}
		return
	case !has:
		return
	}
	g := groupOf(r, key, s, m)
	if name, ok := stringOf(object, "toolCallName"); ok {
		g.name = name
	}
	if g.text.Len()+len(delta) > mostJoined || r.join.bytes+len(delta) > 4*mostJoined {
		r.tooMuch(g.first)
		return
	}
	g.text.WriteString(delta)
	r.join.bytes += len(delta)
	g.piece(m, s, without(object, "delta"))
}

// addAccumulated adds the texts that a runner has already joined.
func addAccumulated(m *Message) {
	object, _ := m.Value.(model.Object)
	list, _ := object.Get("messages")
	messages, _ := list.([]model.Value)
	for _, one := range messages {
		message, _ := one.(model.Object)
		if role, _ := message.Get("role"); role != nil && role != "assistant" {
			continue
		}
		if text, ok := stringOf(message, "content"); ok && text != "" {
			m.Answers = append(m.Answers, text)
		}
	}
}

// tooMuch returns the error for a stream that is too long to join.
func (r *collector) tooMuch(line int) {
	if r.join.last == nil || r.join.last["\x03"] == "" {
		r.join.setLast("\x03", "told")
		r.refuse(&LineError{
			Input: r.input, Line: line, Column: 1, Limit: LimitLineBytes,
			Message: "the text that begins here and continues in later messages is longer than " + say.Counted(mostJoined, "byte") + ", so its parts are not joined",
		})
	}
}

func (j *joiner) setLast(key, id string) {
	if j.last == nil {
		j.last = map[string]string{}
	}
	if _, known := j.last[key]; known || len(j.last) < mostGroups {
		j.last[key] = id
	}
}

// groupOf returns the group with a key, creating it if necessary.
func groupOf(r *collector, key string, s stream, m *Message) *group {
	g := r.join.groups[key]
	if g != nil {
		return g
	}
	if r.join.groups == nil {
		r.join.groups = map[string]*group{}
	}
	if len(r.join.groups) >= mostGroups {
		for _, oldest := range r.join.order {
			if oldest != nil {
				endGroup(r, oldest.key)
				break
			}
		}
	}
	g = &group{key: key, of: s, first: m.Line, at: len(r.join.order)}
	r.join.groups[key] = g
	r.join.order = append(r.join.order, g)
	return g
}

func (g *group) piece(m *Message, s stream, rest model.Object) {
	if g.pieces++; g.pieces == 1 {
		g.first = m.Line
	}
	g.of, g.told = s, false
	g.message = *m
	g.message.Value, g.message.request, g.message.params = nil, nil, nil
	g.value = value.JSON(g.value[:0], rest)
}

// endGroup queues a completed text.
func endGroup(r *collector, key string) {
	g := r.join.groups[key]
	if g == nil {
		return
	}
	hand(r, g)
	delete(r.join.groups, key)
	r.join.bytes -= g.text.Len()
	r.join.order[g.at] = nil
	if r.join.ended++; r.join.ended > len(r.join.order)/2+64 {
		r.join.order = slices.DeleteFunc(r.join.order, func(g *group) bool { return g == nil })
		for i, g := range r.join.order {
			g.at = i
		}
		r.join.ended = 0
	}
}

// endAll queues the texts of a connection.
func endAll(r *collector, prefix string) {
	for _, g := range slices.Clone(r.join.order) {
		if g != nil && strings.HasPrefix(g.key, prefix) {
			endGroup(r, g.key)
		}
	}
}

// flushStreams queues texts that are still open at the end of an input. They can continue in the next one.
func flushStreams(r *collector) {
	for _, g := range r.join.order {
		if g != nil {
			hand(r, g)
		}
	}
	for key := range r.chats.parts {
		endPart(r, key, context{})
	}
}

// hand queues a joined text under its kind, and as the equivalent message.
func hand(r *collector, g *group) {
	if g.pieces == 0 || g.told {
		return
	}
	g.told = true
	m := g.message
	m.Variant, m.First, m.Repeats = true, g.first, g.pieces == 1
	rest, err := Decode(g.value, r.options.Limits)
	object, _ := rest.(model.Object)
	if err != nil {
		return
	}
	if g.parts != nil {
		m.Value = g.artifact(object)
		r.queue = append(r.queue, m)
		return
	}
	text := g.text.String()
	object = append(object, model.Member{Key: "delta", Value: text})
	if _, has := object.Get("toolCallName"); g.name != "" && !has {
		object = append(object, model.Member{Key: "toolCallName", Value: g.name})
	}
	m.Value = object
	if g.of.answer {
		m.Answers = []string{text}
	}
	r.queue = append(r.queue, m)
	if g.of.as != "" {
		m.Kind.Method, m.Method, m.Answers, m.Repeats = g.of.as, g.of.as, nil, false
		r.queue = append(r.queue, m)
	}
}

// addArtifact adds a piece to an A2A artifact or replaces the artifact.
func addArtifact(r *collector, m Message) {
	object, _ := m.Value.(model.Object)
	inner, _ := object.Get("artifact")
	artifact, ok := inner.(model.Object)
	if !r.options.Join || !ok {
		return
	}
	task, _ := stringOf(object, "taskId")
	id, _ := stringOf(artifact, "artifactId")
	key := m.Connection + "\x04" + task + "\x00" + id
	adds, _ := object.Get("append")
	g := groupOf(r, key, stream{group: "artifact"}, &m)
	if adds != true && g.pieces > 0 {
		r.join.bytes -= g.text.Len()
		g.parts, g.pieces = nil, 0
		g.text.Reset()
	}
	list, _ := artifact.Get("parts")
	parts, _ := list.([]model.Value)
	size := 0
	for _, one := range parts {
		size += len(value.JSON(nil, one))
	}
	if g.text.Len()+size > mostJoined || r.join.bytes+size > 4*mostJoined {
		r.tooMuch(g.first)
		return
	}
	r.join.bytes += size
	for _, one := range parts {
		g.add(one)
	}
	if g.parts == nil {
		g.parts = []part{}
	}
	g.piece(&m, g.of, object)
	if last, _ := object.Get("lastChunk"); last == true {
		hand(r, g)
	}
}

// add adds a part to an artifact. Consecutive texts are joined.
func (g *group) add(v model.Value) {
	object, _ := v.(model.Object)
	text, isText := stringOf(object, "text")
	if !isText {
		g.parts = append(g.parts, part{rest: kept(v)})
		return
	}
	g.text.WriteString(text) // for its size
	if n := len(g.parts); n > 0 && g.parts[n-1].isText {
		g.parts[n-1].text += text
		return
	}
	g.parts = append(g.parts, part{text: strings.Clone(text), isText: true, rest: kept(without(object, "text"))})
}

// artifact returns the last piece with all parts.
func (g *group) artifact(object model.Object) model.Value {
	var list []model.Value
	for _, p := range g.parts {
		v, _ := Decode(p.rest, Limits{})
		if rest, ok := v.(model.Object); ok && p.isText {
			v = append(rest, model.Member{Key: "text", Value: p.text})
		}
		list = append(list, v)
	}
	inner, _ := object.Get("artifact")
	artifact, _ := inner.(model.Object)
	artifact = append(without(artifact, "parts"), model.Member{Key: "parts", Value: list})
	return append(without(object, "artifact"), model.Member{Key: "artifact", Value: artifact})
}

// addAnswer queues a response. For A2A, it queues it unwrapped, for indicators, and as sent.
func (r *collector) addAnswer(m Message) {
	method := cmp.Or(m.Kind.Method, m.Method)
	if m.IsError || m.Protocol != "a2a" || method != "message/send" && !streams[method] {
		r.add(m)
		return
	}
	object, _ := m.Value.(model.Object)
	whole := m
	if inner, name := unwrap(object); name != "" {
		m.Value = inner
		m.Item = items[name]
	} else if kind, ok := stringOf(object, "kind"); ok {
		m.Item = items[kind]
	}
	r.add(m)
	if m.Item == "task/artifact" {
		addArtifact(r, m)
	}
	if _, name := unwrap(object); name != "" {
		whole.Variant = true
		whole.Index = r.queue[len(r.queue)-1].Index
		r.queue = append(r.queue, whole)
	}
}

// items maps the items of a stream to events, by wrapper or kind.
var items = map[string]string{
	"statusUpdate": "task/status", "status-update": "task/status", "artifactUpdate": "task/artifact", "artifact-update": "task/artifact",
}

// unwrap returns the member that wraps an A2A 1.x answer, and its name ("" if none).
func unwrap(o model.Object) (inner model.Value, name string) {
	for _, wrapper := range []string{"task", "message", "statusUpdate", "artifactUpdate"} {
		v, is := o.Get(wrapper)
		if _, isObject := v.(model.Object); is && isObject {
			if name != "" {
				return nil, ""
			}
			inner, name = v, wrapper
		}
	}
	for _, own := range []string{"kind", "id", "parts", "status"} {
		if _, is := o.Get(own); is {
			return nil, ""
		}
	}
	return inner, name
}

func stringOf(o model.Object, name string) (string, bool) {
	v, _ := o.Get(name)
	text, ok := v.(string)
	return text, ok
}

func without(o model.Object, name string) model.Object {
	rest := make(model.Object, 0, len(o)+1)
	for _, m := range o {
		if m.Key != name {
			rest = append(rest, m)
		}
	}
	return rest
}
