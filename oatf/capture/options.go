package capture

import "github.com/cupel-dev/cupel/internal/enum"

// Options configures a Reader. The zero value reads any format with default limits, and only the incoming lines of
// a runner's log.
type Options struct {
	Format     Format     // default: messages are found wherever they are
	Directions Directions // which messages of a known direction are handed out
	Limits     Limits

	// MaxOpen limits the open requests, by default to 65,536, and MaxOpenBytes their memory, by default to 32 MiB.
	// Beyond, the oldest is dropped, and its answer will not have a method.
	MaxOpen      int
	MaxOpenBytes int

	// KeepParams keeps the params of requests, for Message.Params of their answers.
	KeepParams bool

	// Known skips messages of unknown protocols: other JSON-RPC, and records unlike a payload. By default, any JSON
	// value without messages is itself a message.
	Known bool

	// Join also returns the joined text of streams at their end.
	Join bool

	// SkipBadLines makes Next skip invalid lines and count them.
	SkipBadLines bool
}

// The default limits of open requests.
const (
	DefaultMaxOpen      = 65_536
	DefaultMaxOpenBytes = 32 << 20
)

// Directions selects messages by direction. Messages of unknown direction are always returned.
type Directions uint8

// The choices. The default is messages from the agent under test.
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

// UnmarshalText sets the choice to the one with the name text.
func (d *Directions) UnmarshalText(text []byte) error {
	return enum.Read("choice", directionsNames[:], d, text)
}

func (d Directions) admits(of Direction) bool {
	switch of {
	case Incoming:
		return d != OutgoingOnly
	case Outgoing:
		return d != IncomingOnly
	}
	return true
}
