package capture

import (
	"github.com/cupel-dev/cupel/oatf/internal/protocol"
	"github.com/cupel-dev/cupel/oatf/model"
)

// Direction is the direction of a message in a runner's log.
type Direction string

// The directions.
const (
	Unknown  Direction = ""
	Incoming Direction = "incoming" // from the agent under test
	Outgoing Direction = "outgoing" // to the agent under test
)

// Side is the sender's side: "client", "server", or "" if unknown. In AG-UI the agent is the server.
type Side = protocol.Side

// The sides.
const (
	Client = protocol.Client
	Server = protocol.Server
)

// Message is one protocol message of a capture.
type Message struct {
	// Value is the content for indicators (§4.1): the params of a request or notification, the result of a
	// response, the content of a runner line, or the payload. It can also be the error of a failed response, which
	// indicators do not see. Missing params, and null content in a runner line, are an empty object.
	Value model.Value

	// Protocol, Kind, Method and Direction are empty if unknown. Method is as written in the line, Kind as in the
	// registry.
	Protocol  model.Protocol
	Kind      model.MessageKind
	Method    string
	Direction Direction
	IsError   bool // a response that says that the request failed; Value is its error

	Sender     Side
	Connection string // as the container names it; "" is the input
	Item       string // the event that an item of a stream is: "task/artifact"; "" for others

	// Only in runners' logs, except for the time.
	Actor     string
	Phase     string
	Timestamp string // in the container's spelling; RFC 3339 in a runner's line; or ""
	Seq       int64
	HasSeq    bool

	Index int // position in the run, from 0 on; messages that were passed over count
	Input int // which input of the run, from 0 on
	Line  int // 1-based

	// Variant means that the value is another form of the message with that index: a joined stream, or an answer as
	// sent.
	Variant bool
	First   int      // of joined pieces, the line of the first one; 0 for others
	Repeats bool     // of joined pieces: there was one piece only, which was handed out by itself
	Answers []string // the texts of the agent's answers that the message holds whole
	Marker  bool     // no message: a record that shows that the sender's side was captured

	// Synthetic means that the line was written by a runner and not sent by an agent.
	Synthetic bool

	// Partial means that the container does not record the whole value. Recorded lists the recorded members.
	Partial  bool
	Recorded []string

	// Ambiguous lists the requests that this message can answer, if there are several.
	Ambiguous []Place

	bad     *LineError // why it is not a message
	body    body
	absent  bool         // the member that holds the value is missing
	params  []byte       // of the originating request, as JSON; nil once they are read
	request *model.Value // the params; nil before they are read and without params
	limits  Limits
}

// body is the member that contains a message's value.
type body uint8

const (
	bodyPlain   body = iota // no envelope
	bodyParams              // params of a request or notification
	bodyResult              // result
	bodyError               // error
	bodyContent             // content of a runner's line: one of these, as the message's role says
)

func (m *Message) own() int {
	if m.Variant || m.Marker {
		return 0
	}
	return 1
}

// Enveloped reports whether the message had a JSON-RPC envelope, which shows whether it is a request, notification
// or response.
func (m *Message) Enveloped() bool {
	return m.body == bodyParams || m.body == bodyResult || m.body == bodyError
}

// Wrapped returns the value in its protocol's envelope: {"params":…}, {"result":…}, {"error":…} or, for a
// notification, {"method":…,"params":…}. Five surfaces have default targets that start there (format §7.1.3). ok is
// false for payloads and for messages that can be a request or a response; a nonempty role for the observing actor
// resolves that (see oatf.RoleOf).
func (m *Message) Wrapped(role model.MessageRole) (root model.Value, ok bool) {
	if m.Kind.Role != "" {
		role = m.Kind.Role
	}
	member := m.member(role)
	if member == "" {
		return nil, false
	}
	envelope := model.Object{}
	if role == model.RoleNotification {
		envelope = append(envelope, model.Member{Key: "method", Value: m.Method})
	}
	if !m.absent {
		envelope = append(envelope, model.Member{Key: member, Value: m.Value})
	}
	return envelope, true
}

// member returns the envelope member that contains a message's value, or "".
func (m *Message) member(role model.MessageRole) string {
	switch {
	case m.body == bodyError:
		return "error"
	case m.body == bodyResult || m.body == bodyContent && role == model.RoleResponse:
		return "result"
	case m.body == bodyParams || m.body == bodyContent && (role == model.RoleRequest || role == model.RoleNotification):
		return "params"
	}
	return ""
}

// Params returns the params of the request that this message answers, for trigger events (§2.25). ok is false for
// other messages, unknown requests, requests without params, and without Options.KeepParams. For an incoming line
// of a runner's log it uses the actor's last outgoing message with the same method, which is the request if the
// line is a response.
func (m *Message) Params() (params model.Value, ok bool) {
	if text := m.params; text != nil {
		m.params = nil // it may take as much memory as the value
		value, err := Decode(text, m.limits)
		m.request = &value
		if err != nil {
			m.request = nil
		}
	}
	if m.request == nil {
		return nil, false
	}
	return *m.request, true
}
