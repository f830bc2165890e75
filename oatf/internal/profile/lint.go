package profile

import "github.com/cupel-dev/cupel/oatf/model"

// Lint is a revision's data for lint rules.
type Lint struct {
	Tiers   []string                // what indicators may have as their tier; nil where it is not known
	Senders map[model.Surface]Sides // of surfaces that are not listed, either side may send each message

	// Envelope maps a protocol to the members around what indicators see. A target that begins with one of them
	// resolves to nothing.
	Envelope map[model.Protocol][]string

	Holders []Holder
	Actions []Earlier // entry actions of earlier revisions

	// Params are the modes whose triggers see a request's params directly. In an earlier revision they were a
	// member.
	Params ModeSet
}

// Side is one of the two message senders.
type Side uint8

// The sides.
const (
	EitherSide Side = iota
	ServerSide
	ClientSide
)

// Sides are the senders of an operation's request and response, or both parts of a single message.
type Sides struct{ Request, Response Side }

// Of returns the senders selected by a direction; nil selects both.
func (s Sides) Of(d *model.Direction) Side {
	switch {
	case d != nil && *d == model.DirectionRequest:
		return s.Request
	case d != nil && *d == model.DirectionResponse:
		return s.Response
	case s.Request == s.Response:
		return s.Request
	}
	return EitherSide
}

// Holder is an object in the state with the protocol bindings' keys.
type Holder struct {
	Modes   ModeSet  // of the phase
	Member  string   // of the state: the object, or a list of objects; "" for the state itself
	Keys    []string // all that there are; nil where others are the protocol's own
	Wanted  []string // without which the binding cannot do
	Earlier []Earlier
}

// Earlier is a key that earlier revisions had, and that is carried along unread.
type Earlier struct {
	Key  string
	Now  string // what to write instead
	Name string // its name now, where nothing else has changed; "" where something has
}
