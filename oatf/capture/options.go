package capture

import "github.com/cupel-dev/cupel/internal/enum"

// Options configures the reading of captures. The zero value reads any format with default limits
// and, of a runner's log, the incoming lines.
type Options struct {
	Format     Format     // default: messages are found wherever they are
	Directions Directions // which messages of a known direction are handed out
	Limits     Limits

	// MaxOpen bounds the open requests, default 65,536, and MaxOpenBytes their memory, default 32
	// MiB. Beyond, the oldest is dropped and its answer has no method.
	MaxOpen      int
	MaxOpenBytes int

	// KeepParams remembers the params of requests for Message.Params of their answers.
	KeepParams bool

	// Known skips messages of unknown protocols: foreign JSON-RPC, and records unlike a payload.
	// Otherwise a JSON value without messages is a message.
	Known bool

	// Join also returns joined streams at their end.
	Join bool

	// SkipBadLines makes Next count and skip invalid lines.
	SkipBadLines bool
}

// The default limits of open requests.
const (
	DefaultMaxOpen      = 65_536
	DefaultMaxOpenBytes = 32 << 20
)

// Directions say which messages of a known direction are handed out. Those of an unknown one always are.
type Directions uint8

// The choices. The default is offline evaluation's: messages from the agent under test.
const (
	IncomingOnly Directions = iota
	OutgoingOnly
	BothDirections
)

var directionsNames = [...]string{"incoming", "outgoing", "both"}

// String returns the name of the choice.
func (d Directions) String() string { return enum.Name(directionsNames[:], d) }

// MarshalText returns the choice's name, or an error.
func (d Directions) MarshalText() ([]byte, error) { return enum.Text(directionsNames[:], d) }

// UnmarshalText sets the choice to the one that text names.
func (d *Directions) UnmarshalText(text []byte) error {
	return enum.Read("choice", directionsNames[:], d, text)
}

// admits reports whether messages of a direction are handed out.
func (d Directions) admits(of Direction) bool {
	switch of {
	case Incoming:
		return d != OutgoingOnly
	case Outgoing:
		return d != IncomingOnly
	}
	return true
}
