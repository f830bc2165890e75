package capture

import (
	"strings"
	"time"

	"github.com/cupel-dev/cupel/internal/strictjson"
	"github.com/cupel-dev/cupel/oatf/model"
)

// runnerLine is the members of a runner's line; those that it lacks are absent.
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

// readRunner reads one line of a runner's log. Direction, method and content are what a
// message is made of; of the other members none is needed, and each that is there is
// what it says it is.
func (r *Reader) readRunner(n strictjson.Node) (value strictjson.Node, bad *LineError) {
	if !n.Is(strictjson.Object) {
		return value, r.notLikeFirst(n, "a runner's line is an object, found "+article(n))
	}
	l := openRunnerLine(n)
	if bad := r.checkRunnerLine(n, l); bad != nil {
		return value, bad
	}
	r.readCircumstances(l)
	var scratch [mostMethodBytes]byte
	m := r.methods.of(l.method.TextBytes(scratch[:]))
	r.msg.describe(m, m.role)
	r.msg.body, r.msg.absent = bodyContent, l.content.Missing()
	if !r.msg.absent {
		value = r.unwrap(l.content)
	}
	if r.options.KeepParams {
		r.pair(m, value)
	}
	return value, nil
}

// pair finds what an incoming line answers, if it answers something, or remembers an
// outgoing one. A runner's lines have no ids: an answer is of the last line before it that
// went out from the same actor with the same method. That line does not wait for it, since
// it may be an answer itself.
func (r *Reader) pair(m *method, value strictjson.Node) {
	key := "r" + r.msg.Actor + "\x00" + m.kind
	if r.msg.Direction == Incoming {
		if q := r.open.answered([]byte(key), value, false); q != nil {
			r.msg.params = q.params
		}
		return
	}
	params := append([]byte(nil), value.Raw()...)
	r.open.add(&request{id: key, method: m, params: params, place: Place{r.input, r.line.Number}, answered: true})
}

func (r *Reader) checkRunnerLine(n strictjson.Node, l runnerLine) *LineError {
	for i, member := range []strictjson.Node{l.direction, l.method, l.content} {
		if !member.Exists() {
			return r.notLikeFirst(n, `a runner's line has the member "`+runnerMembers[i]+`"`)
		}
	}
	if _, ok := directionOf(l.direction); !ok {
		return r.bad(l.direction, `direction is "incoming" or "outgoing", in any case`)
	}
	if !l.method.Is(strictjson.String) {
		return r.badMethod(l.method)
	}
	if _, ok := l.seq.Int(); !ok && !l.seq.Missing() {
		return r.bad(l.seq, "seq is an integer of 64 bits")
	}
	if !l.timestamp.Missing() {
		text, _ := l.timestamp.Text()
		if _, err := time.Parse(time.RFC3339, text); err != nil {
			return r.bad(l.timestamp, "timestamp is a time of RFC 3339, such as \"2026-01-31T08:00:00Z\"")
		}
	}
	for _, member := range []strictjson.Node{l.actor, l.phase} {
		if !member.Missing() && !member.Is(strictjson.String) {
			return r.bad(member, member.Key()+" is a string, found "+article(member))
		}
	}
	return nil
}

// readCircumstances takes over what a line says beside the message.
func (r *Reader) readCircumstances(l runnerLine) {
	r.msg.Direction, _ = directionOf(l.direction)
	r.msg.Seq, r.msg.HasSeq = l.seq.Int()
	r.msg.Actor, _ = l.actor.Text()
	r.msg.Phase, _ = l.phase.Text()
	r.msg.Timestamp, _ = l.timestamp.Text()
}

// directionOf reads a direction in any case; ok is false for what is none.
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

// unwrap returns the payload of a line's content. Runners record what a server asks its
// client, and the answer, as it was sent, envelope included. An object that says more than
// one message does is no envelope: nothing that was sent is passed over.
func (r *Reader) unwrap(content strictjson.Node) strictjson.Node {
	if !content.Get("jsonrpc").TextIs("2.0") {
		return content
	}
	switch e := openEnvelope(content); {
	case e.foreign || e.bodies() != 1:
	case e.method.Is(strictjson.String):
		r.msg.Kind.Role, r.msg.body, r.msg.absent = model.RoleRequest, bodyParams, !e.params.Exists()
		if !e.id.Exists() {
			r.msg.Kind.Role = model.RoleNotification
		}
		return e.params
	case e.failure.Exists():
		r.msg.Kind.Role, r.msg.body, r.msg.IsError = model.RoleResponse, bodyError, true
		return e.failure
	case e.result.Exists():
		r.msg.Kind.Role, r.msg.body = model.RoleResponse, bodyResult
		return e.result
	}
	return content
}
