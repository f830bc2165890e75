package capture

import (
	"github.com/cupel-dev/cupel/oatf/internal/protocol"
	"github.com/cupel-dev/cupel/oatf/model"
)

// Direction is the direction of a message in a runner's line.
type Direction string

// The directions. A runner's line tells its own, others have the empty one.
const (
	Unknown  Direction = ""
	Incoming Direction = "incoming" // from the agent under test
	Outgoing Direction = "outgoing" // to the agent under test
)

// Side is the side of a connection that sent a message: "client", "server", or "" where
// that is not known. The agent that answers in AG-UI is its server.
type Side = protocol.Side

// The sides.
const (
	Client = protocol.Client
	Server = protocol.Server
)

// Message is one protocol message of a capture.
type Message struct {
	// Value is what indicators see (§4.1): the params of a request or notification, the
	// result of a response, the content of a runner's line, or the plain payload; or the
	// error of a failed response, of which they see nothing. Params that a message lacks are the empty object, as is null
	// for the content of a runner's line.
	Value model.Value

	// Protocol, Kind, Method and Direction are empty as far as the line does not tell them.
	// The method is spelled as the line has it; Kind has the name that the registry knows
	// it by.
	Protocol  model.Protocol
	Kind      model.MessageKind
	Method    string
	Direction Direction
	IsError   bool // a response that says that the request failed; Value is its error

	Sender     Side
	Connection string // as the container names it; "" is the input
	Item       string // the event that an item of a stream is: "task/artifact"; "" for others

	// What a runner's line says of the message; the time other containers tell, too.
	Actor     string
	Phase     string
	Timestamp string // as the container spells it; RFC 3339 in a runner's line; "" when there is none
	Seq       int64
	HasSeq    bool

	Index int // position in the run, from 0 on; messages that were passed over count
	Input int // which input of the run, from 0 on
	Line  int // 1-based

	// Variant says that the value is another view of a message that was handed out before: the
	// joined pieces of a stream, or an answer as it was sent, in its wrapping. It has that
	// message's index.
	Variant bool
	First   int      // of joined pieces, the line of the first one; 0 for others
	Repeats bool     // of joined pieces: there was one piece only, which was handed out by itself
	Answers []string // the texts of the agent's answers that the message holds whole
	Marker  bool     // no message: a record that shows that the sender's side was captured

	// Synthetic says that a runner wrote the line and no agent sent it.
	Synthetic bool

	// Partial says that the container does not record all of the value: Recorded lists the
	// members that it does.
	Partial  bool
	Recorded []string

	// Ambiguous are the requests that the message may answer, where that cannot be told.
	Ambiguous []Place

	bad     *LineError // why it is no message
	body    body
	absent  bool         // the member that holds the value is missing
	params  []byte       // of the originating request, as JSON; nil once they are read
	request *model.Value // the params; nil before, and when there are none
	limits  Limits
}

// body is the member that holds the value of a message.
type body uint8

const (
	bodyPlain   body = iota // no envelope
	bodyParams              // params of a request or notification
	bodyResult              // result
	bodyError               // error
	bodyContent             // content of a runner's line: one of these, as the message's role says
)

// own is 1 for a message, and 0 for another view of one, and what is none.
func (m *Message) own() int {
	if m.Variant || m.Marker {
		return 0
	}
	return 1
}

// Enveloped says that the message was in an envelope of JSON-RPC, which tells whether it is a
// request, a notification or a response; of a runner's line too, that holds one.
func (m *Message) Enveloped() bool {
	return m.body == bodyParams || m.body == bodyResult || m.body == bodyError
}

// Wrapped returns the value in the envelope of its protocol: {"params":…}, {"result":…} or
// {"error":…}, and {"method":…,"params":…} of a notification. Five surfaces have default
// targets that begin there (format §7.1.3). ok is false for a plain payload, which has no
// envelope, and for a message that may be a request or a response; role says what it is
// where the message itself does not, for the actor that saw it (see RoleOf of package
// oatf), and may be empty.
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

// member is the name of the member of an envelope that holds the value of a message; ""
// when there is none.
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

// Params returns the params of the request that the message answers, with which trigger
// events of responses are enriched (§2.25). ok is false for other messages, for a response
// whose request is not known or has no params, and unless Options.KeepParams is set. Of an
// incoming line of a runner it is what went out last from the same actor with the same
// method: that is the request when the line is a response, which the actor's mode tells.
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
