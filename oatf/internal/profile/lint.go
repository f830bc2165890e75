package profile

import "github.com/cupel-dev/cupel/oatf/model"

// Lint is what a revision knows that no conformance rule asks for.
type Lint struct {
	Tiers   []string                // what indicators may have as their tier; nil where it is not known
	Senders map[model.Surface]Sides // of surfaces that are not listed, either side may send each message

	// Envelope is, for each protocol, the members that surround what indicators see: a target
	// that begins with one leads nowhere.
	Envelope map[model.Protocol][]string

	Holders []Holder
	Actions []Earlier // entry actions of earlier revisions

	// Params are the modes whose triggers see the params of a request themselves, where those of
	// an earlier revision saw them as a member.
	Params ModeSet
}

// Side is one of the two that exchange messages.
type Side uint8

// The sides.
const (
	EitherSide Side = iota
	ServerSide
	ClientSide
)

// Sides says who sends the request and who the response of an operation, or both parts of what
// is one message.
type Sides struct{ Request, Response Side }

// Of is who sends what a direction selects; no direction selects both.
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

// Holder is an object inside state, with what the protocol bindings say of its keys.
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
