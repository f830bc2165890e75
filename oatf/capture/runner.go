package capture

import (
	"strings"
	"time"

	"github.com/cupel-dev/cupel/internal/strictjson"
	"github.com/cupel-dev/cupel/oatf/internal/protocol"
	"github.com/cupel-dev/cupel/oatf/internal/value"
	"github.com/cupel-dev/cupel/oatf/model"
)

// runnerLine is the members of a line in a runner's log.
type runnerLine struct {
	seq, timestamp, actor, phase, direction, method, content strictjson.Node
}

func openRunnerLine(n strictjson.Node) (l runnerLine) {
	var scratch [16]byte
	for member := range n.Children() {
		switch string(member.KeyBytes(scratch[:])) {
		case "seq":
			l.seq = member
		case "timestamp":
			l.timestamp = member
		case "actor":
			l.actor = member
		case "phase":
			l.phase = member
		case "direction":
			l.direction = member
		case "method":
			l.method = member
		case "content":
			l.content = member
		}
	}
	return l
}

// ofRunner reads a line of a runner's log, recognized by the members direction, method and content.
func ofRunner(r *collector, n strictjson.Node, c context) bool {
	l := openRunnerLine(n)
	if !l.direction.Exists() || !l.method.Exists() || !l.content.Exists() {
		return false
	}
	if _, ok := directionOf(l.direction); !ok && !n.Get("actor").Exists() && !n.Get("phase").Exists() {
		return false
	}
	r.found(Runner)
	readRunner(r, n, c)
	return true
}

// readRunner queues a runner line's message. Other members are optional but must be valid.
func readRunner(r *collector, n strictjson.Node, c context) {
	if !n.Is(strictjson.Object) {
		r.refuse(r.bad1(n, c, "a runner's line is an object, found "+article(n)))
		return
	}
	l := openRunnerLine(n)
	if bad := checkRunnerLine(r, n, c, l); bad != nil {
		r.refuse(bad)
		return
	}
	m := r.message(c)
	m.circumstances(l)
	name, _ := l.method.Text()
	of := r.methods.named(plainName(name))
	m.describe(of, of.role)
	m.Method, m.body, m.absent = name, bodyContent, l.content.Missing()
	m.Value = emptyObject
	if !m.absent {
		m.Value = r.valueOf(m.unwrap(l.content))
	}
	if stands := answerOf(r, &m, of); stands != nil {
		of = stands
		m.describe(of, model.RoleResponse)
		m.body = bodyContent
	}
	m.Synthetic = m.Direction == Incoming && (name == "agent_card_read" || name == "tools/list" && l.content.Is(strictjson.Array))
	takeRequest(&m)
	if r.options.KeepParams {
		pairLine(r, &m, of)
	}
	m.Connection = m.Actor
	r.add(m)
	r.pieces(&r.queue[len(r.queue)-1])
}

// plainName removes the suffix that runners add to a method: task/status:working.
func plainName(name string) string {
	if base, _, is := strings.Cut(name, ":"); is && protocol.Operations(base) != nil {
		return base
	}
	return name
}

// answerOf returns the method that a client's line answers, if the runner names the kind of answer, or nil.
func answerOf(r *collector, m *Message, of *method) *method {
	key := "stream of " + m.Actor
	switch {
	case m.Direction == Outgoing && (of.kind == "message/stream" || of.kind == "message/send"):
		r.words.remember(key, map[bool]Side{true: Client}[of.kind == "message/stream"])
	case m.Direction == Incoming && (m.Method == "task/created" || m.Method == "message/response"):
		if r.words[key] == Client {
			return r.methods.named("message/stream")
		}
		return r.methods.named("message/send")
	}
	return nil
}

func (w *words) remember(key string, side Side) {
	if *w == nil {
		*w = words{}
	}
	if _, known := (*w)[key]; known || len(*w) < mostWords {
		(*w)[key] = side
	}
}

// takeRequest moves the member _request of a client's answer to the params of its request.
func takeRequest(m *Message) {
	object, _ := m.Value.(model.Object)
	if request, is := object.Get("_request"); is && m.Direction == Incoming {
		m.request = &request
		rest := make(model.Object, 0, len(object))
		for _, member := range object {
			if member.Key != "_request" {
				rest = append(rest, member)
			}
		}
		m.Value = rest
	}
}

// pairLine finds the line that an incoming line answers, or stores an outgoing one. Runner lines do not have ids:
// an answer belongs to the actor's last outgoing line with the same method. That line is kept, because it can
// itself be an answer.
func pairLine(r *collector, m *Message, of *method) {
	key := textKey("r", m.Actor, of.kind)
	if m.Direction == Incoming {
		if q, _ := r.open.answered(key, "", m.Value, false); q != nil && m.request == nil {
			m.params = q.params
		}
		return
	}
	var params []byte
	if !m.absent {
		params = value.JSON(nil, m.Value)
	}
	r.open.add(&request{id: key, method: of, params: params, place: Place{r.input, m.Line}, answered: true})
}

func checkRunnerLine(r *collector, n strictjson.Node, c context, l runnerLine) *LineError {
	for i, member := range []strictjson.Node{l.direction, l.method, l.content} {
		if !member.Exists() {
			return r.bad1(n, c, `a runner's line has the member "`+runnerMembers[i]+`"`)
		}
	}
	if _, ok := directionOf(l.direction); !ok {
		return r.bad1(l.direction, c, `direction is "incoming" or "outgoing", in any case`)
	}
	if !l.method.Is(strictjson.String) {
		return r.noString(l.method, c)
	}
	if _, ok := l.seq.Int(); !ok && !l.seq.Missing() {
		return r.bad1(l.seq, c, "seq is an integer of 64 bits")
	}
	if !l.timestamp.Missing() {
		text, _ := l.timestamp.Text()
		if _, err := time.Parse(time.RFC3339, text); err != nil {
			return r.bad1(l.timestamp, c, "timestamp is a time of RFC 3339, such as \"2026-01-31T08:00:00Z\"")
		}
	}
	for _, member := range []strictjson.Node{l.actor, l.phase} {
		if !member.Missing() && !member.Is(strictjson.String) {
			return r.noString(member, c)
		}
	}
	return nil
}

func (m *Message) circumstances(l runnerLine) {
	m.Direction, _ = directionOf(l.direction)
	m.Seq, m.HasSeq = l.seq.Int()
	m.Actor, _ = l.actor.Text()
	m.Phase, _ = l.phase.Text()
	m.Timestamp, _ = l.timestamp.Text()
}

// directionOf parses a direction in any letter case.
func directionOf(n strictjson.Node) (d Direction, ok bool) {
	text, _ := n.Text()
	switch strings.ToLower(text) {
	case string(Incoming):
		return Incoming, true
	case string(Outgoing):
		return Outgoing, true
	}
	return Unknown, false
}

// unwrap returns a line's payload. Runners record a server's request to its client, and the answer, with an
// envelope. An object with more members is not an envelope.
func (m *Message) unwrap(content strictjson.Node) strictjson.Node {
	if !content.Get("jsonrpc").TextIs("2.0") {
		return content
	}
	switch e := openEnvelope(content); {
	case e.foreign || e.bodies() != 1:
	case e.method.Is(strictjson.String):
		m.Kind.Role, m.body, m.absent = model.RoleRequest, bodyParams, !e.params.Exists()
		if !e.id.Exists() {
			m.Kind.Role = model.RoleNotification
		}
		return e.params
	case e.failure.Exists():
		m.Kind.Role, m.body, m.IsError = model.RoleResponse, bodyError, true
		return e.failure
	case e.result.Exists():
		m.Kind.Role, m.body = model.RoleResponse, bodyResult
		return e.result
	}
	return content
}
